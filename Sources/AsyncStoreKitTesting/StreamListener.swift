import AsyncStoreKit

/// Listens to a stream, and keeps what comes until somebody asks for it.
///
/// `AsyncStream`'s iterator cannot be handed about; this can. Dropping it unsubscribes.
public final class StreamListener<Element: Sendable>: Sendable {
    private struct State: Sendable {
        var elements: [Element] = []
        var isOver = false
        var waiters: [CheckedContinuation<Element?, Never>] = []
    }

    private final class InputQueue: Sendable {
        let state = Locked(State())

        func take(_ element: Element) {
            let waiter = state.withLock { state -> CheckedContinuation<Element?, Never>? in
                guard state.waiters.isEmpty else { return state.waiters.removeFirst() }
                state.elements.append(element)
                return nil
            }
            waiter?.resume(returning: element)
        }

        func end() {
            let waiters = state.withLock { state in
                state.isOver = true
                defer { state.waiters = [] }
                return state.waiters
            }
            waiters.forEach { $0.resume(returning: nil) }
        }
    }

    private let mailbox = InputQueue()
    private let task: Task<Void, Never>

    /// Starts to listen.
    public init(_ stream: AsyncStream<Element>) {
        task = Task { [mailbox] in
            for await element in stream { mailbox.take(element) }
            mailbox.end()
        }
    }

    deinit {
        task.cancel()
    }

    /// The next element, as soon as there is one; `nil` when the stream has ended.
    public func next() async -> Element? {
        await withCheckedContinuation { continuation in
            let element = mailbox.state.withLock { state -> Element?? in
                if !state.elements.isEmpty { return .some(state.elements.removeFirst()) }
                if state.isOver { return .some(nil) }
                state.waiters.append(continuation)
                return nil
            }
            if let element { continuation.resume(returning: element) }
        }
    }

    /// What has come and has not been asked for.
    public var waiting: [Element] { mailbox.state.withLock { $0.elements } }
}
