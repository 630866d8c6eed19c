/// A request to the App Store: for products, or for a new receipt.
public final class SimulatedRequest: Sendable {
    private enum Phase {
        case new(RequestState)
        case sent(UInt64)
        case cancelled
    }

    private let launch: SimulatedLaunch
    private let phase: Locked<Phase>

    init(launch: SimulatedLaunch, _ request: RequestState) {
        self.launch = launch
        phase = Locked(.new(request))
    }

    /// Sends the request. A second call does nothing, nor does one after ``cancel()``.
    ///
    /// The handler receives the products and then the end, or a failure. It is kept until then; the request itself need not be.
    public func start() {
        phase.withLock { phase in
            guard case .new(let request) = phase else { return }
            // Under both locks, so that no cancellation comes between; nothing is delivered here.
            phase = .sent(launch.store.withEngine { $0.send(request, launch: launch.number) })
        }
        launch.mutate { _ in }
    }

    /// Cancels the request: its handler is not called any more, unless ``SimulatorBehavior/repliesAfterCancel`` is set, or it is
    /// being called on another thread just now. A second call does nothing.
    public func cancel() {
        let sent: UInt64? = phase.withLock { phase in
            defer { phase = .cancelled }
            return if case .sent(let id) = phase { id } else { nil }
        }
        guard let sent else { return }
        launch.mutate { $0.cancel(sent) }
    }
}
