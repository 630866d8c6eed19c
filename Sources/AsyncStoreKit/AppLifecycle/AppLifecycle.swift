import Foundation

/// A store's knowledge of the app around it. What it does about that is decided by ``AppLifecycleStateMachine``.
final class AppLifecycle: Sendable {
    private struct State: Sendable {
        var machine: AppLifecycleStateMachine
        var observation: AppLifecycleObservation?
        var isObserving = false
        var lookAgain: (@Sendable () -> Void)?
        var move: (@Sendable (Bool) -> Void)?
    }

    private let clock: any StoreClock
    private let time: any BackgroundTime
    private let state: Locked<State>

    init(clock: any StoreClock, time: any BackgroundTime = SystemBackgroundTime()) {
        self.clock = clock
        self.time = time
        state = Locked(State(machine: AppLifecycleStateMachine(now: clock.now)))
    }

    /// Says what it is to look at anew. Once, before anything happens.
    func onLookAgain(_ lookAgain: @escaping @Sendable () -> Void) {
        state.withLock { $0.lookAgain = lookAgain }
    }

    /// Sets the closure that is called with `true` when the app enters the background, and with `false` when it returns.
    /// Call it once, before ``observe()``.
    func onMove(_ move: @escaping @Sendable (_ isInBackground: Bool) -> Void) {
        state.withLock { $0.move = move }
    }

    /// Hears of the app and of the network from here on; a second call does nothing.
    func observe() {
        let isFirst = state.withLock { state in
            defer { state.isObserving = true }
            return !state.isObserving
        }
        guard isFirst else { return }
        let observation = AppLifecycleObservation { [weak self] in self?.receive($0) }
        state.withLock { $0.observation = observation }
    }

    /// Something has happened, from any thread.
    func receive(_ event: AppLifecycleStateMachine.Event) {
        let now = clock.now
        perform(state.withLock { $0.machine.receive(event, now: now) })
    }

    /// How many deliveries are under way.
    var deliveries: Int { state.withLock { $0.machine.deliveries } }

    func deliveryBegan() {
        perform(state.withLock { $0.machine.deliveryBegan() })
    }

    func deliveryEnded() {
        perform(state.withLock { $0.machine.deliveryEnded() })
    }

    private func perform(_ actions: [AppLifecycleStateMachine.Action]) {
        for action in actions {
            switch action {
            case .lookAgain: state.withLock { $0.lookAgain }?()
            case .leave: state.withLock { $0.move }?(true)
            case .return: state.withLock { $0.move }?(false)
            case .takeTime: time.take { [weak self] in self?.receive(.timeIsUp) }
            case .giveTimeBack: time.giveBack()
            }
        }
    }
}

/// Time in the background, where a system gives any.
protocol BackgroundTime: Sendable {
    /// Asks for it; `isUp` is called, on any thread, when it is over, at once where there is none to be had.
    func take(_ isUp: @escaping @Sendable () -> Void)
    /// The time is not needed any longer. Called once for each ``take(_:)``, after it.
    func giveBack()
}
