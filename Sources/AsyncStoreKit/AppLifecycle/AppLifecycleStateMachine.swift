import Foundation

/// Decides when a store refreshes its pending state, and when a delivery needs background time.
///
/// Each method takes an event of the app, the network or a delivery, in any order, and returns the actions to perform.
struct AppLifecycleStateMachine: Sendable {
    /// An event of the app, the device or the network.
    enum Event: Sendable, Hashable, CaseIterable {
        case becameActive
        case enteredBackground
        case networkLost
        case networkFound
        /// The device was asleep, or its clock was set.
        case woke
        /// The background time has ended.
        case timeIsUp
    }

    /// An action to perform.
    enum Action: Sendable, Hashable {
        /// Refresh the pending state: delayed deliveries, unfinished transactions, entitlements.
        case refreshPendingState
        /// Expect no answers: the app is in the background, and may be suspended.
        case leave
        /// Expect answers again, and repeated reports.
        case `return`
        /// Request background time for the deliveries under way.
        case takeTime
        /// Return the background time. Deliveries that are still under way continue with the app, unfinished.
        case giveTimeBack
    }

    /// The shortest time between two refreshes, in seconds, if the app becomes active without having been in the
    /// background.
    ///
    /// Alerts and StoreKit's sheets also make an app inactive. Without this limit, each of them would cause a request
    /// to a server that is down.
    static let shortestInterval: TimeInterval = 30

    private(set) var deliveries = 0
    private var isInBackground = false
    private var hasNetwork = true
    private var hasTime = false
    private var latestLook: Date
    /// The latest refresh after a wake.
    private var latestWakeRefresh: Date?

    /// - Parameter now: When the store was created. It reads everything then.
    init(now: Date) {
        latestLook = now
    }

    mutating func receive(_ event: Event, now: Date) -> [Action] {
        switch event {
        case .becameActive:
            let isDue = isInBackground || !(0..<Self.shortestInterval).contains(now.timeIntervalSince(latestLook))
            let wasAway = isInBackground
            isInBackground = false
            return endTime() + (wasAway ? [.return] : []) + (isDue ? refresh(now) : [])
        case .enteredBackground:
            let isAway = isInBackground
            isInBackground = true
            return (isAway ? [] : [.leave]) + beginTime()
        case .networkLost:
            hasNetwork = false
            return []
        case .networkFound:
            guard !hasNetwork else { return [] }
            hasNetwork = true
            return refresh(now)
        case .woke:
            // A device may report several wakes in a row.
            let elapsed = latestWakeRefresh.map { now.timeIntervalSince($0) }
            if let elapsed, (0..<Self.shortestInterval).contains(elapsed) { return [] }
            let actions = refresh(now)
            if !actions.isEmpty { latestWakeRefresh = now }
            return actions
        case .timeIsUp:
            return endTime()
        }
    }

    /// Records that a closure or the installed delivery has started.
    mutating func deliveryBegan() -> [Action] {
        deliveries += 1
        return isInBackground ? beginTime() : []
    }

    mutating func deliveryEnded() -> [Action] {
        deliveries = max(0, deliveries - 1)
        return deliveries == 0 ? endTime() : []
    }

    /// Refreshes, if there is a network. Otherwise the event that finds the network refreshes.
    private mutating func refresh(_ now: Date) -> [Action] {
        guard hasNetwork else { return [] }
        latestLook = now
        return [.refreshPendingState]
    }

    private mutating func beginTime() -> [Action] {
        guard deliveries > 0, !hasTime else { return [] }
        hasTime = true
        return [.takeTime]
    }

    private mutating func endTime() -> [Action] {
        guard hasTime else { return [] }
        hasTime = false
        return [.giveTimeBack]
    }
}
