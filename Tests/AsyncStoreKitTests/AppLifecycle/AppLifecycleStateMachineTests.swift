import Foundation
import TestHarness
import Testing

@testable import AsyncStoreKit

@Suite(.bounded) struct AppLifecycleStateMachineTests {
    /// An event of the app has the seconds since the launch.
    static let scripts = [
        Script(
            "an app that returns from the background refreshes at once", "leave 1 → leave, active 2 → return + refresh"),
        Script(
            "StoreKit's own sheets don't cause another refresh, and at launch everything is read anyway",
            "active 0 → none, active 29 → none, active 30 → refresh, active 59 → none, active 60 → refresh"),
        Script("a clock that was set back doesn't prevent a refresh", "active -3600 → refresh"),
        Script(
            "the return of the network causes a refresh, and its presence doesn't",
            "found 1 → none, lost 2 → none, found 3 → refresh, found 4 → none"),
        Script(
            "an app that becomes active, and a device that wakes, refresh without a network",
            "lost 1 → none, active 90 → refresh, leave 91 → leave, active 92 → return + refresh, woke 93 → refresh"),
        Script(
            "time is held from the start of the first delivery to the end of the last, even in the foreground",
            """
            begin → take, begin → none, leave 0 → leave, end → none, end → give
            begin → take, active 0 → return + refresh, end → give, end → none
            """),
        Script(
            "time that the system has ended or refused is requested again",
            """
            begin → take, timeUp 0 → give, timeUp 0 → none, begin → take, timeUp 0 → give, timeUp 0 → none
            leave 0 → take + leave, timeUp 0 → give, active 0 → take + return + refresh
            """),
        Script(
            "a device that wakes refreshes at once, and once for several wakes in a row",
            """
            woke 1 → refresh, woke 1 → none, woke 2 → none, woke 30.5 → none, active 30.5 → none, woke 31 → refresh
            woke -3600 → refresh
            """),
    ]

    @Test(arguments: scripts) func `an event of the app refreshes, or requests and returns time`(script: Script) {
        let launch = Date(timeIntervalSince1970: 1_000_000)
        var machine = AppLifecycleStateMachine(now: launch)
        let words: [AppLifecycleStateMachine.Action: String] = [
            .refreshPendingState: "refresh", .leave: "leave", .return: "return", .takeTime: "take",
            .giveTimeBack: "give",
        ]
        script.play { step in
            let now = launch + (Double(step[0]) ?? 0)
            let actions: [AppLifecycleStateMachine.Action]
            switch step.verb {
            case "leave": actions = machine.receive(.enteredBackground, now: now)
            case "active": actions = machine.receive(.becameActive, now: now)
            case "found": actions = machine.receive(.networkFound, now: now)
            case "lost": actions = machine.receive(.networkLost, now: now)
            case "woke": actions = machine.receive(.woke, now: now)
            case "timeUp": actions = machine.receive(.timeIsUp, now: now)
            case "begin": actions = machine.deliveryBegan()
            case "end": actions = machine.deliveryEnded()
            default: return step.unknown
            }
            return Script.list(actions.map { words[$0] ?? "\($0)" })
        }
    }
}
