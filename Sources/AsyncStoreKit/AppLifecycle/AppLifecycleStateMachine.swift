import Foundation

/// Decides when a store looks at what is pending although no timer has fired, and when a delivery needs time from the system.
///
/// It is told of the app, of the network and of deliveries, in any order and as often as they like, and says what is to be done.
struct AppLifecycleStateMachine: Sendable {
    /// What happens to the app, or to the network.
    enum Event: Sendable, Hashable, CaseIterable {
        case becameActive
        case enteredBackground
        case networkLost
        case networkFound
        /// The device was asleep, or its clock was set.
        case woke
        /// The system takes back the time that it has given.
        case timeIsUp
    }

    /// What is to be done.
    enum Action: Sendable, Hashable {
        /// Look at what is pending: deliveries to be tried again, unfinished transactions, entitlements.
        case lookAgain
        /// Expect no answers: the app is in the background, and may be suspended.
        case leave
        /// Expect answers again, and repeated reports.
        case `return`
        /// Ask the system for time to end what is under way.
        case takeTime
        /// The time is no longer needed, or is over. What is still under way goes on when the app does; nothing of it is finished.
        case giveTimeBack
    }

    /// How long ago the last look has to be, in seconds, for an app that comes to the front without having been in the background. An alert, or StoreKit's
    /// own sheet, takes the front away, too: a server that is down would be asked after each of them.
    static let shortestInterval: TimeInterval = 30

    private(set) var deliveries = 0
    private var isInBackground = false
    private var hasNetwork = true
    private var hasTime = false
    private var latestLook: Date
    /// The latest look after a wake.
    private var latestWakeLook: Date?

    /// - Parameter now: When the store was made: it has looked at everything then.
    init(now: Date) {
        latestLook = now
    }

    mutating func receive(_ event: Event, now: Date) -> [Action] {
        switch event {
        case .becameActive:
            let isDue = isInBackground || !(0..<Self.shortestInterval).contains(now.timeIntervalSince(latestLook))
            let wasAway = isInBackground
            isInBackground = false
            return endTime() + (wasAway ? [.return] : []) + (isDue ? look(now) : [])
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
            return look(now)
        case .woke:
            // A device may report several wakes in a row.
            let elapsed = latestWakeLook.map { now.timeIntervalSince($0) }
            if let elapsed, (0..<Self.shortestInterval).contains(elapsed) { return [] }
            let actions = look(now)
            if !actions.isEmpty { latestWakeLook = now }
            return actions
        case .timeIsUp:
            return endTime()
        }
    }

    /// A delivery begins: a closure's, or the installed one's.
    mutating func deliveryBegan() -> [Action] {
        deliveries += 1
        return isInBackground ? beginTime() : []
    }

    mutating func deliveryEnded() -> [Action] {
        deliveries = max(0, deliveries - 1)
        return deliveries == 0 ? endTime() : []
    }

    /// Without a network there is nothing to be seen: what finds it again looks.
    private mutating func look(_ now: Date) -> [Action] {
        guard hasNetwork else { return [] }
        latestLook = now
        return [.lookAgain]
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
