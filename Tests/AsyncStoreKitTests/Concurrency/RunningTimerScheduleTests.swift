import Foundation
import Support
import TestHarness
import Testing

@testable import AsyncStoreKit

@Suite(.bounded) struct RunningTimerScheduleTests {
    private let fired = Recorder<String>()
    private let ada = CallID()
    private let bob = CallID()
    private let eve = CallID()

    private func fire(_ name: String) -> RunningTimerSchedule.Fire {
        { [fired] in fired.record(name) }
    }

    /// Adds a timer during a sleep that ends early enough for it.
    private func add(
        _ id: CallID, seconds: Double, now: Double, _ name: String, to schedule: inout RunningTimerSchedule
    ) {
        let nap = schedule.add(id, seconds: seconds, now: now, fire(name))
        #expect(nap == nil)
    }

    /// Adds a timer, and returns the sleep that it needs.
    private func nap(
        for id: CallID, seconds: Double, now: Double, _ name: String, in schedule: inout RunningTimerSchedule
    ) throws -> RunningTimerSchedule.Nap {
        let nap = schedule.add(id, seconds: seconds, now: now, fire(name))
        return try #require(nap)
    }

    /// Removes a timer, and returns whether there was one.
    private func remove(_ id: CallID, from schedule: inout RunningTimerSchedule) -> Bool {
        schedule.remove(id) != nil
    }

    /// Ends sleeps until no timer is left, and returns their seconds.
    private func sleep(
        _ nap: RunningTimerSchedule.Nap?, in schedule: inout RunningTimerSchedule, from start: TimeInterval
    ) -> [TimeInterval] {
        var (nap, now) = (nap, start)
        var naps: [TimeInterval] = []
        while let current = nap {
            now += current.seconds
            naps.append(current.seconds)
            let (due, next) = schedule.end(current, now: now)
            due.forEach { $0() }
            nap = next
        }
        return naps
    }

    @Test func `a timer that is due when the sleep ends needs no other sleep`() throws {
        var schedule = RunningTimerSchedule()
        let nap = try nap(for: ada, seconds: 2, now: 0, "ada", in: &schedule)
        add(bob, seconds: 2, now: 0, "bob", to: &schedule)
        let (due, next) = schedule.end(nap, now: 2)
        #expect(due.count == 2 && next == nil)
    }

    @Test func `a timer fires after sleeps of at most five seconds`() {
        var schedule = RunningTimerSchedule()
        let nap = schedule.add(ada, seconds: 12, now: 100, fire("ada"))
        expectEqual(sleep(nap, in: &schedule, from: 100), [5, 5, 2])
        expectEqual(fired.elements, ["ada"])
    }

    @Test func `timers fire in the order of their dates`() {
        var schedule = RunningTimerSchedule()
        let nap = schedule.add(ada, seconds: 4, now: 100, fire("ada"))
        add(bob, seconds: 6, now: 101, "bob", to: &schedule)
        add(eve, seconds: 5, now: 101, "eve", to: &schedule)
        expectEqual(sleep(nap, in: &schedule, from: 100), [4, 2, 1])
        expectEqual(fired.elements, ["ada", "eve", "bob"])
    }

    @Test func `an earlier timer replaces the sleep, and the end of the former sleep has no effect`() throws {
        var schedule = RunningTimerSchedule()
        let long = try nap(for: ada, seconds: 5, now: 100, "ada", in: &schedule)
        let short = try nap(for: bob, seconds: 1, now: 101, "bob", in: &schedule)
        expectEqual(short.seconds, 1)
        let (due, next) = schedule.end(short, now: 102)
        due.forEach { $0() }
        expectEqual(next?.seconds, 3)
        let former = schedule.end(long, now: 105)
        #expect(former.due.isEmpty && former.next == nil)
        expectEqual(sleep(next, in: &schedule, from: 102), [3])
        expectEqual(fired.elements, ["bob", "ada"])
    }

    @Test func `a removed timer doesn't fire, and sleeps end without timers`() throws {
        var schedule = RunningTimerSchedule()
        let first = try nap(for: ada, seconds: 5, now: 100, "ada", in: &schedule)
        expectEqual(remove(ada, from: &schedule), true)
        expectEqual(remove(ada, from: &schedule), false)
        // The sleep serves a later timer.
        add(bob, seconds: 6, now: 101, "bob", to: &schedule)
        expectEqual(remove(bob, from: &schedule), true)
        let (due, next) = schedule.end(first, now: 105)
        #expect(due.isEmpty && next == nil)
        expectEqual(try nap(for: eve, seconds: 1, now: 106, "eve", in: &schedule).seconds, 1)
        #expect(fired.elements.isEmpty)
    }

    @Test(arguments: [(30.0, [5.0, 5.0, 5.0, 5.0, 5.0]), (3.0, [3.0])])
    func `a suspension doesn't shorten the timer, which has five more seconds after it`(seconds: Double, naps: [Double])
        throws
    {
        var schedule = RunningTimerSchedule()
        let first = try nap(for: ada, seconds: seconds, now: 100, "ada", in: &schedule)
        // An hour passes in the first sleep.
        let (due, next) = schedule.end(first, now: 3_700)
        #expect(due.isEmpty)
        expectEqual(sleep(next, in: &schedule, from: 3_700), naps)
        expectEqual(fired.elements, ["ada"])
    }

    @Test func `a sleep of a busy device that is less than a second late is no suspension`() throws {
        var schedule = RunningTimerSchedule()
        let first = try nap(for: ada, seconds: 5, now: 100, "ada", in: &schedule)
        let (due, next) = schedule.end(first, now: 105.9)
        due.forEach { $0() }
        #expect(next == nil)
        expectEqual(fired.elements, ["ada"])
    }

    @Test func `a timer that starts before a suspension is noticed has its own time`() throws {
        var schedule = RunningTimerSchedule()
        let first = try nap(for: ada, seconds: 10, now: 100, "ada", in: &schedule)
        // The overdue sleep ends immediately after this call.
        add(bob, seconds: 4, now: 3_700, "bob", to: &schedule)
        let (due, next) = schedule.end(first, now: 3_700)
        #expect(due.isEmpty)
        expectEqual(sleep(next, in: &schedule, from: 3_700), [4, 1])
        expectEqual(fired.elements, ["bob", "ada"])
    }

    @Test(arguments: [0, -1, .nan]) func `a timer without a time fires immediately`(seconds: Double) {
        var schedule = RunningTimerSchedule()
        let nap = schedule.add(ada, seconds: seconds, now: 100, fire("ada"))
        expectEqual(sleep(nap, in: &schedule, from: 100), [0])
        expectEqual(fired.elements, ["ada"])
    }

    // The dates differ so much that a busy machine doesn't change the order.
    @Test func `the device's clock fires timers in order, except a canceled one`() async throws {
        let clock = SystemStoreClock()
        let cancel = clock.startTimer(whileRunningFor: 0.2, fire("canceled"))
        cancel()
        _ = clock.startTimer(whileRunningFor: 0.8, fire("second"))
        _ = clock.startTimer(whileRunningFor: 0.4, fire("first"))
        expectEqual(try await fired.first(2), ["first", "second"])
        cancel()
    }
}
