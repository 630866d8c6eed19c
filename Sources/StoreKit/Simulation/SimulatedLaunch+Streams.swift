import AppStoreSimulator

extension SimulatedLaunch {
    /// Returns a stream that observes updates from now on, until the stream is released or the launch ends.
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

    /// Whether the current task is canceled and its reads therefore return nothing.
    var isReadSuppressed: Bool {
        Task.isCancelled && store.behavior.cancelledTasksReadNothing
    }
}

/// The launch that a value belongs to. Comparisons ignore the launch.
struct LaunchReference: Hashable, Sendable {
    let launch: SimulatedLaunch

    static func == (left: LaunchReference, right: LaunchReference) -> Bool { true }

    func hash(into hasher: inout Hasher) {}
}
