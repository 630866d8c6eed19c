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
        let answer9 = machine.receive(.networkFound, now: Self.later(1))
        expectEqual(answer9, [])
        let answer10 = machine.receive(.networkLost, now: Self.later(2))
        expectEqual(answer10, [])
        let answer11 = machine.receive(.becameActive, now: Self.later(90))
        expectEqual(answer11, [], "without a network nothing can be read")
        let answer12 = machine.receive(.networkFound, now: Self.later(91))
        expectEqual(answer12, [.refreshPendingState])
        let answer13 = machine.receive(.networkFound, now: Self.later(92))
        expectEqual(answer13, [])
    }

    @Test func `a delivery in the background has time until it ends`() {
        var machine = AppLifecycleStateMachine(now: Self.launch)
        let answer14 = machine.deliveryBegan()
        expectEqual(answer14, [])
        let answer15 = machine.deliveryBegan()
        expectEqual(answer15, [])
        let answer16 = machine.receive(.enteredBackground, now: Self.launch)
        expectEqual(answer16, [.leave, .takeTime])
        let answer17 = machine.deliveryEnded()
        expectEqual(answer17, [])
        let answer18 = machine.deliveryEnded()
        expectEqual(answer18, [.giveTimeBack])
        let answer19 = machine.deliveryBegan()
        expectEqual(answer19, [.takeTime], "a delivery that begins in the background, too")
        let answer20 = machine.receive(.timeIsUp, now: Self.launch)
        expectEqual(answer20, [.giveTimeBack])
        let answer21 = machine.receive(.timeIsUp, now: Self.launch)
        expectEqual(answer21, [])
        let answer22 = machine.deliveryEnded()
        expectEqual(answer22, [])
        let answer23 = machine.deliveryEnded()
        expectEqual(answer23, [], "one end too many")
        let answer24 = machine.deliveryBegan()
        expectEqual(answer24, [.takeTime])
        let answer25 = machine.receive(.becameActive, now: Self.launch)
        expectEqual(answer25, [.giveTimeBack, .return, .refreshPendingState])
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
        expectEqual(active, [], "the refresh after the wake counts")
        let later = machine.receive(.woke, now: Self.later(31))
        expectEqual(later, [.refreshPendingState])
        let setBack = machine.receive(.woke, now: Self.later(-3_600))
        expectEqual(setBack, [.refreshPendingState], "a clock that was set back doesn't prevent a refresh")
    }

    @Test func `a device that wakes without a network refreshes when it finds one`() {
        var machine = AppLifecycleStateMachine(now: Self.launch)
        let lost = machine.receive(.networkLost, now: Self.later(1))
        expectEqual(lost, [])
        let woke = machine.receive(.woke, now: Self.later(40))
        expectEqual(woke, [])
        let found = machine.receive(.networkFound, now: Self.later(41))
        expectEqual(found, [.refreshPendingState])
        let again = machine.receive(.woke, now: Self.later(42))
        expectEqual(again, [.refreshPendingState], "the first wake with a network")
    }

    private enum Step: CaseIterable {
        case active, background, lost, found, up, woke, began, ended
    }

    private func explore(_ steps: [Step], _ machine: AppLifecycleStateMachine, _ world: World, depth: Int) {
        guard depth > 0 else { return }
        for step in steps {
            var (machine, world) = (machine, world)
            world.now += 20
            let actions =
                switch step {
                case .active: machine.receive(.becameActive, now: world.now)
                case .background: machine.receive(.enteredBackground, now: world.now)
                case .lost: machine.receive(.networkLost, now: world.now)
                case .found: machine.receive(.networkFound, now: world.now)
                case .up: machine.receive(.timeIsUp, now: world.now)
                case .woke: machine.receive(.woke, now: world.now)
                case .began: machine.deliveryBegan()
                case .ended: machine.deliveryEnded()
                }
            world.take(step, actions)
            explore(steps, machine, world, depth: depth - 1)
        }
    }

    /// The promises of the machine, after any sequence of inputs.
    private struct World {
        var now = AppLifecycleStateMachineTests.launch
        var deliveries = 0
        var isInBackground = false
        var hasNetwork = true
        var hasTime = false
        var latestWakeRefresh: Date?

        mutating func take(_ step: Step, _ actions: [AppLifecycleStateMachine.Action]) {
            let (wasInBackground, hadNetwork) = (isInBackground, hasNetwork)
            switch step {
            case .active: isInBackground = false
            case .background: isInBackground = true
            case .lost: hasNetwork = false
            case .found: hasNetwork = true
            case .up, .woke: break
            case .began: deliveries += 1
            case .ended: deliveries = max(0, deliveries - 1)
            }
            for action in actions {
                switch action {
                case .takeTime:
                    if hasTime || !isInBackground || deliveries == 0 {
                        Issue.record("background time is requested without need")
                    }
                    hasTime = true
                case .giveTimeBack:
                    if !hasTime { Issue.record("background time is returned that wasn't requested") }
                    hasTime = false
                case .refreshPendingState:
                    if !hasNetwork { Issue.record("a refresh without a network") }
                case .leave:
                    if wasInBackground || !isInBackground {
                        Issue.record("the app leaves without having been in the foreground")
                    }
                case .return:
                    if !wasInBackground || isInBackground { Issue.record("the app returns without having left") }
                }
            }
            if wasInBackground != isInBackground, !actions.contains(isInBackground ? .leave : .return) {
                Issue.record("a move isn't reported")
            }
            if hasTime, !isInBackground || deliveries == 0 { Issue.record("background time is kept without need") }
            let isNewWake = step == .woke && latestWakeRefresh.map { now.timeIntervalSince($0) >= 30 } ?? true
            let mustRefresh =
                hasNetwork && (step == .active && wasInBackground || step == .found && !hadNetwork || isNewWake)
            if step == .woke, actions.contains(.refreshPendingState) {
                if !isNewWake { Issue.record("each of several wakes causes a refresh") }
                latestWakeRefresh = now
            }
            if mustRefresh, !actions.contains(.refreshPendingState) { Issue.record("a refresh is missing") }
        }
    }

    @Test func `background time is requested and returned in turn, and only if needed, after any six inputs`() {
        explore(Step.allCases.filter { $0 != .woke }, AppLifecycleStateMachine(now: Self.launch), World(), depth: 6)
    }

    @Test func `the same holds for a device that sleeps and wakes, after every sequence of five inputs`() {
        explore(Step.allCases, AppLifecycleStateMachine(now: Self.launch), World(), depth: 5)
    }
}
