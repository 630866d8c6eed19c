/// A request to the App Store for products or for a new receipt.
public final class SimulatedRequest: Sendable {
    private enum Phase {
        case new(RequestState)
        case sent(UInt64)
        case cancelled
    }

    private let launch: SimulatedLaunch
    private let phase: Protected<Phase>

    init(launch: SimulatedLaunch, _ request: RequestState) {
        self.launch = launch
        phase = Protected(.new(request))
    }

    /// Sends the request. A second call, and a call after ``cancel()``, has no effect.
    ///
    /// The handler receives the products and then the end, or a failure. The App Store keeps the handler until then;
    /// you don't have to keep the request.
    public func start() {
        let started: RequestState? = phase.withLock { phase in
            guard case .new(let request) = phase else { return nil }
            // Under both locks, so that no cancellation intervenes. This call delivers no events.
            phase = .sent(launch.store.withEngine { $0.send(request, launch: launch.number) })
            return request
        }
        launch.mutate { _ in }
        // A newer launch doesn't know a request that was sent too late.
        if !launch.isCurrent { started?.endHandler?() }
    }

    /// Cancels the request. The handler is no longer called, unless ``SimulatorBehavior/repliesAfterCancel`` is set or
    /// another thread is calling the handler. A second call has no effect.
    public func cancel() {
        let sent: UInt64? = phase.withLock { phase in
            defer { phase = .cancelled }
            return if case .sent(let id) = phase { id } else { nil }
        }
        guard let sent else { return }
        launch.mutate { $0.cancel(sent) }
    }
}
