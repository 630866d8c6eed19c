import Foundation
import Support
import TestHarness
import Testing

@testable import AsyncStoreKit

@Suite(.bounded) struct RunningTimeTests {
    /// Waits for the rest of a time without delays, and returns the lengths of the parts.
    private func parts(of time: RunningTime) -> [TimeInterval] {
        var (time, parts) = (time, [time.wait])
        while !time.waitEnded(after: time.wait) { parts.append(time.wait) }
        return parts
    }

    @Test func `a timer waits in parts of at most five seconds`() {
        expectEqual(parts(of: RunningTime(seconds: 12)), [5, 5, 2])
        expectEqual(parts(of: RunningTime(seconds: 4)), [4])
    }

    @Test(arguments: [(30.0, [5.0, 5.0, 5.0, 5.0, 5.0]), (6.0, [5.0]), (3.0, [3.0])])
    func `a suspension doesn't shorten the timer, which has five more seconds after it`(
        seconds: Double, waits: [Double]
    ) {
        var time = RunningTime(seconds: seconds)
        // An hour passes in the first part.
        expectEqual(time.waitEnded(after: 3_600), false)
        expectEqual(parts(of: time), waits)
    }

    @Test func `a part of a busy device that is less than a second late is no suspension`() {
        var time = RunningTime(seconds: 5)
        expectEqual(time.waitEnded(after: 5.9), true)
        var long = RunningTime(seconds: 12)
        expectEqual(long.waitEnded(after: 5.9), false)
        expectEqual(long.waitEnded(after: 5), false)
        #expect(abs(long.wait - 1.1) < 0.001)
    }

    @Test func `a part that ends a fraction of a millisecond early ends the timer`() {
        var time = RunningTime(seconds: 2)
        expectEqual(time.waitEnded(after: 1.999_5), true)
    }

    @Test(arguments: [0, -1, .nan]) func `a timer without a time fires immediately`(seconds: Double) {
        expectEqual(parts(of: RunningTime(seconds: seconds)), [0])
    }

    // The dates differ so much that a busy machine doesn't change the order.
    @Test func `the device's clock fires timers in order, except a canceled one`() async throws {
        let fired = Recorder<String>()
        let clock = SystemStoreClock()
        let cancel = clock.startTimer(whileRunningFor: 0.2) { fired.record("canceled") }
        cancel()
        _ = clock.startTimer(whileRunningFor: 0.8) { fired.record("second") }
        _ = clock.startTimer(whileRunningFor: 0.4) { fired.record("first") }
        expectEqual(try await fired.first(2), ["first", "second"])
        cancel()
    }
}
