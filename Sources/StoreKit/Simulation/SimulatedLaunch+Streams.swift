import AppStoreSimulator

extension SimulatedLaunch {
    /// Listens from now on, for as long as somebody keeps the stream or iterates over it; ends with the launch.
    func stream<Element: Sendable>(
        of kind: SimulatedUpdate.Kind, _ element: @escaping @Sendable (SimulatedUpdate) -> Element?
    ) -> AsyncStream<Element> {
        AsyncStream { continuation in
            let listener = listen(to: kind) { update in
                if case .launchEnded = update { return continuation.finish() }
                if let element = element(update) { continuation.yield(element) }
            }
            continuation.onTermination = { _ in self.stopListening(listener) }
        }
    }

    /// Whether the current task is cancelled, and reads nothing because of that.
    var readsNothing: Bool {
        Task.isCancelled && store.behavior.cancelledTasksReadNothing
    }
}

/// The launch that a value belongs to, which does not count when values are compared.
struct LaunchReference: Hashable, Sendable {
    let launch: SimulatedLaunch

    static func == (left: LaunchReference, right: LaunchReference) -> Bool { true }

    func hash(into hasher: inout Hasher) {}
}
