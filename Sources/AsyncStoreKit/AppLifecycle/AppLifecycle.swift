import Foundation

/// Observes the app and the network for a store. ``AppLifecycleStateMachine`` decides how to react.
final class AppLifecycle: Sendable {
    struct State: Sendable {
        var machine: AppLifecycleStateMachine
        fileprivate var observation: AppLifecycleObservation?
        fileprivate var isObserving = false
        fileprivate var refresh: (@Sendable () -> Void)?
        fileprivate var move: (@Sendable (Bool) -> Void)?
    }

    private let clock: any StoreClock
    private let time: any BackgroundTime
    let state: MachineHost<State, AppLifecycleStateMachine.Action>

    init(clock: any StoreClock, time: any BackgroundTime = SystemBackgroundTime()) {
        self.clock = clock
        self.time = time
        state = MachineHost(State(machine: AppLifecycleStateMachine(now: clock.now)))
    }

    /// Sets the closure that refreshes the pending state. Call it once, before ``observe()``.
    func onRefresh(_ refresh: @escaping @Sendable () -> Void) {
        state.withLock { $0.refresh = refresh }
    }

    /// Sets the closure that is called when the app enters the background and when it returns, before ``observe()``.
    func onMove(_ move: @escaping @Sendable (_ isInBackground: Bool) -> Void) {
        state.withLock { $0.move = move }
    }

    /// Starts to observe the app and the network. A second call has no effect.
    func observe() {
        let isFirst = state.withLock { state in
            defer { state.isObserving = true }
            return !state.isObserving
        }
        guard isFirst else { return }
        let observation = AppLifecycleObservation { [weak self] in self?.receive($0) }
        state.withLock { $0.observation = observation }
    }

    /// Processes an event, from any thread.
    func receive(_ event: AppLifecycleStateMachine.Event) {
        let now = clock.now
        state.update({ $0.machine.receive(event, now: now) }, perform: perform)
    }

    /// Begins a delivery, or the finishing of a transaction. Call ``deliveryEnded()`` once when everything is written.
    func deliveryBegan() {
        state.update({ $0.machine.deliveryBegan() }, perform: perform)
    }

    func deliveryEnded() {
        state.update({ $0.machine.deliveryEnded() }, perform: perform)
    }

    private func perform(_ action: AppLifecycleStateMachine.Action) {
        switch action {
        case .refreshPendingState: state.withLock { $0.refresh }?()
        case .leave: state.withLock { $0.move }?(true)
        case .return: state.withLock { $0.move }?(false)
        case .takeTime: time.requestTime { [weak self] in self?.receive(.timeIsUp) }
        case .giveTimeBack: time.giveBack()
        }
    }
}

/// Time during which the system neither suspends nor terminates the app.
protocol BackgroundTime: Sendable {
    /// Requests time. `isUp` is called on any thread when the time ends, or immediately if the system grants none.
    func requestTime(_ isUp: @escaping @Sendable () -> Void)
    /// Gives the time back. Called once after each ``requestTime(_:)``.
    func giveBack()
}

/// Decides when a store refreshes its pending state, and how long it holds background time.
///
/// Time is held from the start of the first delivery to the end of the last one, even in the foreground: no event
/// reports a launch in the background, and an app that leaves may be suspended before it can request time.
///
/// Each method takes an event of the app, the network or a delivery, in any order, and returns the actions to perform.
struct AppLifecycleStateMachine: Sendable {
    /// An event of the app, the device or the network.
    enum Event: Sendable, Hashable, CaseIterable {
        case becameActive
        case enteredBackground
        case networkLost
        case networkFound
        /// The device was asleep or locked, or its clock was set.
        case woke
        /// The background time has ended.
        case timeIsUp
    }

    enum Action: Sendable, Hashable {
        /// Refresh the pending state: delayed deliveries, unfinished transactions, entitlements.
        case refreshPendingState
        /// Expect no answers: the app is in the background, and may be suspended.
        case leave
        /// Expect answers again, and repeated reports.
        case `return`
        /// Request time for the deliveries under way, during which the app isn't suspended.
        case takeTime
        /// Return the time. Deliveries that are still under way continue with the app, unfinished.
        case giveTimeBack
    }

    /// The shortest time between two refreshes, in seconds, if the app becomes active without having been in the
    /// background.
    ///
    /// Alerts and StoreKit's sheets also make an app inactive. Without this limit, each of them would cause a request
    /// to a server that is down.
    static let shortestInterval: TimeInterval = 30

    /// The deliveries under way, and the transactions that are being finished.
    private(set) var deliveries = 0
    private var isInBackground = false
    private var hasNetwork = true
    private var hasTime = false
    private var latestRefresh: Date
    private var latestWakeRefresh: Date?

    /// - Parameter now: When the store was created. It reads everything then.
    init(now: Date) {
        latestRefresh = now
    }

    mutating func receive(_ event: Event, now: Date) -> [Action] {
        switch event {
        case .becameActive:
            let wasAway = isInBackground
            isInBackground = false
            let isDue = wasAway || isPast(latestRefresh, now: now)
            return beginTime() + (wasAway ? [.return] : []) + (isDue ? refresh(now) : [])
        case .enteredBackground:
            let isAway = isInBackground
            isInBackground = true
            return beginTime() + (isAway ? [] : [.leave])
        case .networkLost:
            hasNetwork = false
            return []
        case .networkFound:
            guard !hasNetwork else { return [] }
            hasNetwork = true
            return refresh(now)
        case .woke:
            // A device may report several wakes in a row.
            if let latestWakeRefresh, !isPast(latestWakeRefresh, now: now) { return [] }
            latestWakeRefresh = now
            return refresh(now)
        case .timeIsUp:
            return endTime()
        }
    }

    /// Records that a delivery has begun, or the finishing of a transaction.
    mutating func deliveryBegan() -> [Action] {
        deliveries += 1
        return beginTime()
    }

    /// Records that a delivery, or the finishing of a transaction, has ended.
    mutating func deliveryEnded() -> [Action] {
        deliveries = max(0, deliveries - 1)
        return deliveries == 0 ? endTime() : []
    }

    /// Whether the shortest interval after a refresh has passed, or the clock has been set back.
    private func isPast(_ refresh: Date, now: Date) -> Bool {
        !(0..<Self.shortestInterval).contains(now.timeIntervalSince(refresh))
    }

    /// Refreshes, even without a network: StoreKit answers many questions on the device, and it may reach the App Store
    /// when the app's own network path is unsatisfied.
    private mutating func refresh(_ now: Date) -> [Action] {
        latestRefresh = now
        return [.refreshPendingState]
    }

    /// Requests time for the deliveries under way. The system may have ended or refused the earlier time.
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
