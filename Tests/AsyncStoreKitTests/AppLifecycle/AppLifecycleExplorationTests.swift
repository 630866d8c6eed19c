import Foundation
import TestHarness
import Testing

@testable import AsyncStoreKit

@Suite(.bounded) struct AppLifecycleExplorationTests {
    @Test
    func `after any inputs, time is held while something is delivered, and each return and each wake refreshes`() async
    {
        await explore("AppLifecycleStateMachine", LifecycleModel(), depth: 6)
    }
}

/// An app that moves, a network, a device that wakes, and deliveries. Ten seconds pass before each input.
private struct LifecycleModel: ExploredModel {
    enum Input: Equatable {
        case event(AppLifecycleStateMachine.Event)
        case deliveryBegan, deliveryEnded
    }

    private static let launch = Date(timeIntervalSince1970: 1_000_000)

    private(set) var machine = AppLifecycleStateMachine(now: launch)
    private var now = launch
    private var deliveries = 0
    private var isInBackground = false
    private var hasNetwork = true
    private var hasTime = false
    /// Whether the system has ended the time, and nothing that requests time again has happened since.
    private var isTimeUp = false
    private var latestRefresh = launch
    private var latestWakeRefresh: Date?

    let inputs = AppLifecycleStateMachine.Event.allCases.map(Input.event) + [.deliveryBegan, .deliveryEnded]

    mutating func take(_ input: Input) throws(BrokenPromise) {
        now += 10
        let before = self
        let actions =
            switch input {
            case .event(let event): machine.receive(event, now: now)
            case .deliveryBegan: machine.deliveryBegan()
            case .deliveryEnded: machine.deliveryEnded()
            }
        record(input)
        for action in actions { try perform(action) }
        try promise(
            hasTime == (deliveries > 0 && !isTimeUp), "time is held without a delivery, or a delivery has no time")
        try promise(
            actions.contains(.leave) == (isInBackground && !before.isInBackground), "leaving isn't reported once")
        try promise(
            actions.contains(.return) == (before.isInBackground && !isInBackground), "a return isn't reported once")
        try promise(
            actions.contains(.refreshPendingState) == mustRefresh(input, before),
            "a refresh is missing, or wasn't needed")
        try promise(
            actions == actions.sorted { Self.rank($0) < Self.rank($1) },
            "time is requested after a move is reported, or a refresh comes before the return")
        if actions.contains(.refreshPendingState) {
            latestRefresh = now
            if input == .event(.woke) { latestWakeRefresh = now }
        }
    }

    private mutating func record(_ input: Input) {
        switch input {
        case .event(.becameActive): (isInBackground, isTimeUp) = (false, false)
        case .event(.enteredBackground): (isInBackground, isTimeUp) = (true, false)
        case .event(.networkLost): hasNetwork = false
        case .event(.networkFound): hasNetwork = true
        case .event(.timeIsUp): isTimeUp = hasTime || isTimeUp
        case .event(.woke): break
        case .deliveryBegan:
            deliveries += 1
            isTimeUp = false
        case .deliveryEnded:
            deliveries = max(0, deliveries - 1)
            if deliveries == 0 { isTimeUp = false }
        }
    }

    private mutating func perform(_ action: AppLifecycleStateMachine.Action) throws(BrokenPromise) {
        switch action {
        case .takeTime:
            try promise(!hasTime, "time is requested twice")
            hasTime = true
        case .giveTimeBack:
            try promise(hasTime, "time is returned that wasn't requested")
            hasTime = false
        case .leave, .return, .refreshPendingState: break
        }
    }

    private func mustRefresh(_ input: Input, _ before: LifecycleModel) -> Bool {
        switch input {
        case .event(.becameActive): before.isInBackground || now.timeIntervalSince(latestRefresh) >= 30
        case .event(.networkFound): !before.hasNetwork
        case .event(.woke): latestWakeRefresh.map { now.timeIntervalSince($0) >= 30 } ?? true
        case .event, .deliveryBegan, .deliveryEnded: false
        }
    }

    private static func rank(_ action: AppLifecycleStateMachine.Action) -> Int {
        switch action {
        case .takeTime, .giveTimeBack: 0
        case .leave, .return: 1
        case .refreshPendingState: 2
        }
    }

    mutating func conclude() throws(BrokenPromise) {
        for _ in 0..<deliveries { try take(.deliveryEnded) }
        try promise(!hasTime, "time is held when every delivery has ended")
    }
}
