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
        let wait = schedule.addTimer(id, seconds: seconds, now: now, fire(name))
        #expect(wait == nil)
    }

    /// Adds a timer, and returns the sleep that it needs.
    private func wait(
        for id: CallID, seconds: Double, now: Double, _ name: String, in schedule: inout RunningTimerSchedule
    ) throws -> RunningTimerSchedule.Wait {
        let wait = schedule.addTimer(id, seconds: seconds, now: now, fire(name))
        return try #require(wait)
    }

    /// Removes a timer, and returns whether there was one.
    private func remove(_ id: CallID, from schedule: inout RunningTimerSchedule) -> Bool {
        schedule.removeTimer(id) != nil
    }

    /// Ends sleeps until no timer is left, and returns their seconds.
    private func sleep(
        _ wait: RunningTimerSchedule.Wait?, in schedule: inout RunningTimerSchedule, from start: TimeInterval
    ) -> [TimeInterval] {
        var (wait, now) = (wait, start)
        var waits: [TimeInterval] = []
        while let current = wait {
            now += current.seconds
            waits.append(current.seconds)
            let (due, next) = schedule.waitEnded(current, now: now)
            due.forEach { $0() }
            wait = next
        }
        return waits
    }

    @Test func `a timer that is due when the wait ends needs no other wait`() throws {
        var schedule = RunningTimerSchedule()
        let wait = try wait(for: ada, seconds: 2, now: 0, "ada", in: &schedule)
        add(bob, seconds: 2, now: 0, "bob", to: &schedule)
        let (due, next) = schedule.waitEnded(wait, now: 2)
        #expect(due.count == 2 && next == nil)
    }

    @Test func `a timer fires after waits of at most five seconds`() {
        var schedule = RunningTimerSchedule()
        let wait = schedule.addTimer(ada, seconds: 12, now: 100, fire("ada"))
        expectEqual(sleep(wait, in: &schedule, from: 100), [5, 5, 2])
        expectEqual(fired.elements, ["ada"])
    }

    @Test func `timers fire in the order of their dates`() {
        var schedule = RunningTimerSchedule()
        let wait = schedule.addTimer(ada, seconds: 4, now: 100, fire("ada"))
        add(bob, seconds: 6, now: 101, "bob", to: &schedule)
        add(eve, seconds: 5, now: 101, "eve", to: &schedule)
        expectEqual(sleep(wait, in: &schedule, from: 100), [4, 2, 1])
        expectEqual(fired.elements, ["ada", "eve", "bob"])
    }

    @Test func `an earlier timer replaces the wait, and the end of the former wait has no effect`() throws {
        var schedule = RunningTimerSchedule()
        let long = try wait(for: ada, seconds: 5, now: 100, "ada", in: &schedule)
        let short = try wait(for: bob, seconds: 1, now: 101, "bob", in: &schedule)
        expectEqual(short.seconds, 1)
        let (due, next) = schedule.waitEnded(short, now: 102)
        due.forEach { $0() }
        expectEqual(next?.seconds, 3)
        let former = schedule.waitEnded(long, now: 105)
        #expect(former.due.isEmpty && former.next == nil)
        expectEqual(sleep(next, in: &schedule, from: 102), [3])
        expectEqual(fired.elements, ["bob", "ada"])
    }

    @Test func `a removed timer doesn't fire, and waits end without timers`() throws {
        var schedule = RunningTimerSchedule()
        let first = try wait(for: ada, seconds: 5, now: 100, "ada", in: &schedule)
        expectEqual(remove(ada, from: &schedule), true)
        expectEqual(remove(ada, from: &schedule), false)
        // The sleep serves a later timer.
        add(bob, seconds: 6, now: 101, "bob", to: &schedule)
        expectEqual(remove(bob, from: &schedule), true)
        let (due, next) = schedule.waitEnded(first, now: 105)
        #expect(due.isEmpty && next == nil)
        expectEqual(try wait(for: eve, seconds: 1, now: 106, "eve", in: &schedule).seconds, 1)
        #expect(fired.elements.isEmpty)
    }

    @Test(arguments: [(30.0, [5.0, 5.0, 5.0, 5.0, 5.0]), (3.0, [3.0])])
    func `a suspension doesn't shorten the timer, which has five more seconds after it`(
        seconds: Double, waits: [Double]
    )
        throws
    {
        var schedule = RunningTimerSchedule()
        let first = try wait(for: ada, seconds: seconds, now: 100, "ada", in: &schedule)
        // An hour passes in the first sleep.
        let (due, next) = schedule.waitEnded(first, now: 3_700)
        #expect(due.isEmpty)
        expectEqual(sleep(next, in: &schedule, from: 3_700), waits)
        expectEqual(fired.elements, ["ada"])
    }

    @Test func `a wait of a busy device that is less than a second late is no suspension`() throws {
        var schedule = RunningTimerSchedule()
        let first = try wait(for: ada, seconds: 5, now: 100, "ada", in: &schedule)
        let (due, next) = schedule.waitEnded(first, now: 105.9)
        due.forEach { $0() }
        #expect(next == nil)
        expectEqual(fired.elements, ["ada"])
    }

    @Test func `a timer that starts before a suspension is noticed has its own time`() throws {
        var schedule = RunningTimerSchedule()
        let first = try wait(for: ada, seconds: 10, now: 100, "ada", in: &schedule)
        // The overdue sleep ends immediately after this call.
        add(bob, seconds: 4, now: 3_700, "bob", to: &schedule)
        let (due, next) = schedule.waitEnded(first, now: 3_700)
        #expect(due.isEmpty)
        expectEqual(sleep(next, in: &schedule, from: 3_700), [4, 1])
        expectEqual(fired.elements, ["bob", "ada"])
    }

    @Test(arguments: [0, -1, .nan]) func `a timer without a time fires immediately`(seconds: Double) {
        var schedule = RunningTimerSchedule()
        let wait = schedule.addTimer(ada, seconds: seconds, now: 100, fire("ada"))
        expectEqual(sleep(wait, in: &schedule, from: 100), [0])
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
