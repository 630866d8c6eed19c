import AsyncStoreKit

/// Subscribes to a stream and buffers its elements.
///
/// Unlike an iterator of `AsyncStream`, a listener can be shared between tasks. Releasing the listener ends the
/// subscription.
public final class StreamListener<Element: Sendable>: Sendable {
    private struct State: Sendable {
        var elements: [Element] = []
        var isOver = false
    }

    private let state: Monitor<State>
    private let task: Task<Void, Never>

    /// Subscribes to a stream.
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

    /// Waits for the next element; `nil` if the stream has ended.
    /// - Throws: ``WaitExpired`` after ten seconds without an element, `CancellationError` if the task is canceled.
    public func next() async throws -> Element? {
        try await state.wait(for: "the next \(Element.self) of a stream") { state -> Element?? in
            if !state.elements.isEmpty { return .some(state.elements.removeFirst()) }
            return state.isOver ? .some(nil) : nil
        }
    }

    /// The elements that `next()` hasn't returned yet.
    public var waiting: [Element] { state.value.elements }
}
