import AsyncStoreKit

/// Listens to a stream, and keeps what comes until somebody asks for it.
///
/// `AsyncStream`'s iterator cannot be handed about; this can. Dropping it unsubscribes.
public final class StreamListener<Element: Sendable>: Sendable {
    private struct State: Sendable {
        var elements: [Element] = []
        var isOver = false
    }

    private let state: Monitor<State>
    private let task: Task<Void, Never>

    /// Starts to listen.
    public init(_ stream: AsyncStream<Element>) {
        let state = Monitor(State())
        self.state = state
        task = Task {
            for await element in stream { state.update { $0.elements.append(element) } }
            state.update { $0.isOver = true }
        }
    }

    deinit {
        task.cancel()
    }

    /// The next element, as soon as there is one; `nil` when the stream has ended.
    /// - Throws: ``WaitExpired`` when neither has happened after ten seconds, `CancellationError` when the task is cancelled.
    public func next() async throws -> Element? {
        try await state.wait(for: "the next \(Element.self) of a stream") { state -> Element?? in
            if !state.elements.isEmpty { return .some(state.elements.removeFirst()) }
            return state.isOver ? .some(nil) : nil
        }
    }

    /// What has come and has not been asked for.
    public var waiting: [Element] { state.value.elements }
}
