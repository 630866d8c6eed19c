import Foundation
import TestHarness
import Testing

@testable import AsyncStoreKit

@Suite(.bounded) struct AppLifecycleStateMachineTests {
    private static let launch = Date(timeIntervalSince1970: 1_000_000)

    private static func later(_ seconds: TimeInterval) -> Date { launch + seconds }

    @Test func `an app that returns from the background refreshes at once`() {
        var machine = AppLifecycleStateMachine(now: Self.launch)
        let answer1 = machine.receive(.enteredBackground, now: Self.later(1))
        expectEqual(answer1, [.leave])
        let answer2 = machine.receive(.becameActive, now: Self.later(2))
        expectEqual(answer2, [.return, .refreshPendingState])
    }

    @Test func `StoreKit's own sheets don't cause another refresh`() {
        var machine = AppLifecycleStateMachine(now: Self.launch)
        let answer3 = machine.receive(.becameActive, now: Self.launch)
        expectEqual(answer3, [], "at launch everything is read anyway")
        let answer4 = machine.receive(.becameActive, now: Self.later(29))
        expectEqual(answer4, [])
        let answer5 = machine.receive(.becameActive, now: Self.later(30))
        expectEqual(answer5, [.refreshPendingState])
        let answer6 = machine.receive(.becameActive, now: Self.later(59))
        expectEqual(answer6, [])
        let answer7 = machine.receive(.becameActive, now: Self.later(60))
        expectEqual(answer7, [.refreshPendingState])
    }

    @Test func `a clock that was set back doesn't prevent a refresh`() {
        var machine = AppLifecycleStateMachine(now: Self.launch)
        let answer8 = machine.receive(.becameActive, now: Self.later(-3_600))
        expectEqual(answer8, [.refreshPendingState])
    }

    @Test func `the return of the network causes a refresh, and its presence doesn't`() {
        var machine = AppLifecycleStateMachine(now: Self.launch)
        let present = machine.receive(.networkFound, now: Self.later(1))
        expectEqual(present, [])
        let lost = machine.receive(.networkLost, now: Self.later(2))
        expectEqual(lost, [])
        let found = machine.receive(.networkFound, now: Self.later(3))
        expectEqual(found, [.refreshPendingState])
        let again = machine.receive(.networkFound, now: Self.later(4))
        expectEqual(again, [])
    }

    @Test func `an app that becomes active, and a device that wakes, refresh without a network`() {
        var machine = AppLifecycleStateMachine(now: Self.launch)
        let lost = machine.receive(.networkLost, now: Self.later(1))
        expectEqual(lost, [])
        let active = machine.receive(.becameActive, now: Self.later(90))
        expectEqual(active, [.refreshPendingState])
        let left = machine.receive(.enteredBackground, now: Self.later(91))
        expectEqual(left, [.leave])
        let returned = machine.receive(.becameActive, now: Self.later(92))
        expectEqual(returned, [.return, .refreshPendingState])
        let woke = machine.receive(.woke, now: Self.later(93))
        expectEqual(woke, [.refreshPendingState])
    }

    @Test func `time is held from the start of the first delivery to the end of the last, even in the foreground`() {
        var machine = AppLifecycleStateMachine(now: Self.launch)
        let first = machine.deliveryBegan()
        expectEqual(first, [.takeTime])
        let second = machine.deliveryBegan()
        expectEqual(second, [])
        let left = machine.receive(.enteredBackground, now: Self.launch)
        expectEqual(left, [.leave])
        let firstEnd = machine.deliveryEnded()
        expectEqual(firstEnd, [])
        let lastEnd = machine.deliveryEnded()
        expectEqual(lastEnd, [.giveTimeBack])
        let third = machine.deliveryBegan()
        expectEqual(third, [.takeTime])
        let returned = machine.receive(.becameActive, now: Self.launch)
        expectEqual(returned, [.return, .refreshPendingState])
        let thirdEnd = machine.deliveryEnded()
        expectEqual(thirdEnd, [.giveTimeBack])
        let tooMany = machine.deliveryEnded()
        expectEqual(tooMany, [], "one end too many")
    }

    @Test func `time that the system has ended or refused is requested again`() {
        var machine = AppLifecycleStateMachine(now: Self.launch)
        for _ in 1...2 {
            let began = machine.deliveryBegan()
            expectEqual(began, [.takeTime])
            let ended = machine.receive(.timeIsUp, now: Self.launch)
            expectEqual(ended, [.giveTimeBack])
            let again = machine.receive(.timeIsUp, now: Self.launch)
            expectEqual(again, [])
        }
        let left = machine.receive(.enteredBackground, now: Self.launch)
        expectEqual(left, [.takeTime, .leave])
        _ = machine.receive(.timeIsUp, now: Self.launch)
        let returned = machine.receive(.becameActive, now: Self.launch)
        expectEqual(returned, [.takeTime, .return, .refreshPendingState])
    }

    @Test func `a device that wakes refreshes at once, and once for several wakes in a row`() {
        var machine = AppLifecycleStateMachine(now: Self.launch)
        let first = machine.receive(.woke, now: Self.later(1))
        expectEqual(first, [.refreshPendingState])
        for seconds in [1, 2, 30.5] {
            let again = machine.receive(.woke, now: Self.later(seconds))
            expectEqual(again, [], "\(seconds)")
        }
        let active = machine.receive(.becameActive, now: Self.later(30.5))
        expectEqual(active, [], "the interval starts with the refresh after the wake")
        let later = machine.receive(.woke, now: Self.later(31))
        expectEqual(later, [.refreshPendingState])
        let setBack = machine.receive(.woke, now: Self.later(-3_600))
        expectEqual(setBack, [.refreshPendingState], "a clock that was set back doesn't prevent a refresh")
    }
}
