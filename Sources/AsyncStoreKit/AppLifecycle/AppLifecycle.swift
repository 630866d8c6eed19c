import Foundation

/// Observes the app and the network for a store. ``AppLifecycleStateMachine`` decides how to react.
final class AppLifecycle: Sendable {
    private struct State: Sendable {
        var machine: AppLifecycleStateMachine
        var observation: AppLifecycleObservation?
        var isObserving = false
        var refresh: (@Sendable () -> Void)?
        var move: (@Sendable (Bool) -> Void)?
    }

    private let clock: any StoreClock
    private let time: any BackgroundTime
    private let state: MachineHost<State, AppLifecycleStateMachine.Action>

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

    /// The number of deliveries under way, and of transactions that are being finished.
    var deliveries: Int { state.withLock { $0.machine.deliveries } }

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
