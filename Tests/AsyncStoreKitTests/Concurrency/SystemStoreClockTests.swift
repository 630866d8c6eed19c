import AsyncStoreKitTesting
import Foundation
import Support
import TestHarness
import Testing

@testable import AsyncStoreKit

@Suite(.bounded) struct SystemStoreClockTests {
    private let clock = SystemStoreClock()

    @Test func `a sleep of years ends when its task is canceled`() async throws {
        let asleep = Gate()
        let task = Task {
            await asleep.pass()
            try await clock.sleep(for: 1_000_000_000)
        }
        asleep.open()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test(arguments: [0, -0.0, -1, -1e300, -TimeInterval.infinity, .nan, .leastNonzeroMagnitude])
    func `a sleep of a negative duration or NaN returns immediately`(seconds: TimeInterval) async throws {
        try await clock.sleep(for: seconds)
    }

    @Test(arguments: [TimeInterval.infinity, .greatestFiniteMagnitude, 1e300, 1_000_000_000])
    func `an endless sleep can be canceled, too`(seconds: TimeInterval) async throws {
        let task = Task { try await clock.sleep(for: seconds) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func `the time doesn't go back between two reads`() {
        let first = clock.now
        #expect(clock.now >= first)
        #expect(first > Date(timeIntervalSince1970: 1_700_000_000))
    }

    /// A device whose clock a test sets, with the waits of a sleep.
    private struct Device {
        var now = Date(timeIntervalSince1970: 1_000_000)
        var waits: [TimeInterval] = []

        /// Sleeps until a date some seconds later. Each wait lasts as planned, and then `disturb` runs.
        mutating func sleep(
            _ seconds: TimeInterval, longestWait: TimeInterval? = nil, disturb: (inout Device) -> Void = { _ in }
        ) async throws {
            let deadline = now + seconds
            let device = Locked(self)
            try await SystemStoreClock.sleep(
                until: deadline, now: { device.withLock { $0.now } },
                longestWait: { longestWait ?? SystemStoreClock.longestWait(left: $0) }
            ) { wait in
                device.withLock { device in
                    device.waits.append(wait)
                    device.now += wait
                    disturb(&device)
                }
            }
            self = device.withLock { $0 }
        }
    }

    @Test func `a long sleep is a sequence of waits that ends at the deadline`() async throws {
        var device = Device()
        try await device.sleep(150, longestWait: 60)
        expectEqual(device.waits, [60, 60, 30])
        var short = Device()
        try await short.sleep(0.5, longestWait: 60)
        expectEqual(short.waits, [0.5])
    }

    @Test func `an idle device wakes rarely for a distant date, and ends its sleep at the date`() async throws {
        var device = Device()
        let start = device.now
        try await device.sleep(30 * 86_400)
        expectEqual(device.now, start + 30 * 86_400)
        // Hours, then quarters of an hour in the last day, then five minutes in the last hour.
        expectEqual(device.waits.filter { $0 == 3_600 }.count, 29 * 24)
        expectEqual(device.waits.filter { $0 == 900 }.count, 23 * 4)
        expectEqual(device.waits.filter { $0 == 300 }.count, 12)
        expectEqual(device.waits.count, 29 * 24 + 23 * 4 + 12, "8,640 with a wait every five minutes")
    }

    @Test func `a deadline that passed while the device was asleep ends the sleep after the wait`() async throws {
        var device = Device()
        // The clock of the wait stops for eight hours.
        try await device.sleep(7_200, longestWait: 60) { $0.now += 8 * 3_600 }
        expectEqual(device.waits, [60])
    }

    @Test func `a clock that is set ahead ends the sleep after the wait`() async throws {
        var device = Device()
        try await device.sleep(3_600, longestWait: 300) { device in
            if device.waits.count == 2 { device.now += 3_000 - 5 }
        }
        expectEqual(device.waits, [300, 300, 5])
    }

    @Test func `a clock that is set back doesn't prolong the sleep`() async throws {
        var device = Device()
        try await device.sleep(700, longestWait: 300) { $0.now -= 1_000_000 }
        expectEqual(device.waits, [300, 300, 100])
    }

    @Test func `a wait that is canceled ends the sleep`() async throws {
        let waits = Recorder<TimeInterval>()
        await #expect(throws: CancellationError.self) {
            try await SystemStoreClock.sleep(until: Date() + 600, now: { Date() }, longestWait: { _ in 60 }) { wait in
                waits.record(wait)
                throw CancellationError()
            }
        }
        expectEqual(waits.elements, [60])
    }

    @Test func `a sleep while the app runs ends with its time, or with the task`() async throws {
        try await SystemStoreClock().sleep(whileRunningFor: 0.01)
        let sleep = Task { try await SystemStoreClock().sleep(whileRunningFor: 3_600) }
        sleep.cancel()
        await #expect(throws: CancellationError.self) { try await sleep.value }
    }

    @Test func `a clock of an app's own measures all time unless it overrides this`() async throws {
        let clock = SimulatedClock()
        let ended = Task { try await clock.sleep(whileRunningFor: 30) }
        try await clock.waitForSleepers(1, duration: 30)
        clock.advance(by: 30)
        try await ended.value
    }
}
