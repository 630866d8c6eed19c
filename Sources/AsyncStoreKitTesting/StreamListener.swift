import AsyncStoreKit
public import Foundation

/// Subscribes to a stream and buffers its elements.
///
/// In a test, a loop over a stream that never sends an element waits forever, and ``next(within:)`` throws an error:
///
/// ```swift
/// let failures = StreamListener(store.purchaseFailures)
/// try appStore.declinePurchase(of: "coins")
/// let failure = try await failures.next()
/// ```
/// A listener can be shared between tasks. Releasing the listener ends the subscription.
public final class StreamListener<Element: Sendable>: Sendable {
    private struct State: Sendable, CustomStringConvertible {
        var elements: [Element] = []
        var count = 0
        var isOver = false

        var description: String {
            switch count {
            case 0: "that no element has arrived"
            case 1: "that one element has arrived, and was returned"
            default: "that \(count) elements have arrived, and were returned"
            }
        }
    }

    private let state: Monitor<State>
    private let task: Task<Void, Never>

    /// Subscribes to a stream.
    public init<Stream: AsyncSequence & Sendable>(_ stream: Stream) where Stream.Element == Element {
        let state = Monitor(State())
        self.state = state
        task = Task {
            do {
                for try await element in stream {
                    state.update { state in
                        state.elements.append(element)
                        state.count += 1
                    }
                }
            } catch {}
            state.update { $0.isOver = true }
        }
    }

    deinit {
        task.cancel()
    }

    /// Waits for the next element; `nil` if the stream has ended, even with an error.
    /// - Parameter seconds: The timeout, in seconds of real time.
    /// - Throws: ``WaitExpired`` if no element arrives in that time, `CancellationError` if the task is canceled.
    public func next(within seconds: TimeInterval = WaitExpired.limit) async throws -> Element? {
        try await state.wait(for: "the next \(Element.self) of a stream", within: seconds) { state -> Element?? in
            if !state.elements.isEmpty { return .some(state.elements.removeFirst()) }
            return state.isOver ? .some(nil) : nil
        }
    }

    /// The elements that `next()` hasn't returned yet.
    public var waiting: [Element] { state.value.elements }
}
