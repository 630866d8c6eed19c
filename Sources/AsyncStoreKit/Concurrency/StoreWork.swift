package import Foundation

/// Counts the work that a store has started and not ended, so that a test can wait until a store is idle.
///
/// Only a clock that a test controls has one; see ``WorkCountingClock``. With every other clock nothing is counted.
/// Work is an input of the store's queue, a task, or an element of a stream whose loop is running. A task that waits
/// for the clock or for an answer of the App Store is idle.
package protocol StoreWork: Sendable {
    func begin(_ kind: StoreWorkKind)
    func end(_ kind: StoreWorkKind)
    /// Runs a task that has begun, and ends it. Sets ``CountedTask/current`` for the task.
    func run(_ kind: StoreWorkKind, _ operation: () async -> Void) async
    func elementCount() -> @Sendable (ElementStep) -> Void
}

package enum StoreWorkKind: Sendable, Hashable, CaseIterable {
    case input, task, delivery
    /// An element that a loop received, or is about to receive.
    case element
}

/// A step of a stream and its loop.
package enum ElementStep: Sendable {
    /// An element is about to be sent, or was dropped: the new one, or the oldest to make room for it.
    case willSend, didDrop
    /// The loop asks for an element, and gets one.
    case willReceive, didReceive
    /// The stream was dropped, ended or canceled.
    case ended
}

package struct CountedTask: Sendable {
    /// The task that runs, or that has started the child task that runs; `nil` if it isn't counted.
    // A value, because optimized code crashes over a closure as the task-local value.
    @TaskLocal package static var current: CountedTask?

    /// Stops counting the current task, which is about to wait. Returns the function that counts it again, which is
    /// called before the task is resumed; `nil` for a child task, which isn't counted.
    package let rest: @Sendable () -> (@Sendable () -> Void)?

    package init(rest: @escaping @Sendable () -> (@Sendable () -> Void)?) {
        self.rest = rest
    }
}

extension (any StoreWork)? {
    /// Starts a task that is counted until it ends. The task is detached: several calls may wait for it, and it
    /// inherits neither the priority nor the task-local values of the call that happens to start it.
    func task(
        _ kind: StoreWorkKind = .task, priority: TaskPriority = .userInitiated,
        _ operation: @escaping @Sendable () async -> Void
    ) -> Task<Void, Never> {
        guard let self else { return Task.detached(priority: priority) { await operation() } }
        self.begin(kind)
        return Task.detached(priority: priority) { await self.run(kind, operation) }
    }

    /// Makes a stream of the elements that events become, and the function that sends events to it.
    ///
    /// An event becomes an element when the loop asks for it, so a buffered event keeps nothing alive that only its
    /// element needs. The stream ends with the task of its loop: a loop in a canceled task receives no element, not
    /// even a buffered one.
    ///
    /// An event is counted from the moment at which it's sent until the loop asks for the next one. Until the loop asks
    /// for the first, the events belong to the task that made the stream.
    /// - Parameters:
    ///   - onTermination: Called when the stream is dropped, ended or canceled.
    ///   - element: Returns the element of an event, or `nil` to end the stream.
    func stream<Event: Sendable, Element: Sendable>(
        _ buffering: AsyncStream<Event>.Continuation.BufferingPolicy, onTermination: @escaping @Sendable () -> Void,
        _ element: @escaping @Sendable (Event) -> Element?
    ) -> (stream: AsyncStream<Element>, send: @Sendable (Event) -> Void, finish: @Sendable () -> Void) {
        let (events, continuation) = AsyncStream.makeStream(of: Event.self, bufferingPolicy: buffering)
        let count = self?.elementCount()
        continuation.onTermination = { _ in
            count?(.ended)
            onTermination()
        }
        let send = { @Sendable (event: Event) in
            count?(.willSend)
            guard case .enqueued = continuation.yield(event) else { return count?(.didDrop) ?? () }
        }
        let stream = AsyncStream<Element> {
            count?(.willReceive)
            var iterator = events.makeAsyncIterator()
            guard let event = await iterator.next(), !Task.isCancelled else { return nil }
            count?(.didReceive)
            return element(event)
        }
        return (stream, send, { continuation.finish() })
    }
}

/// A clock that knows whether the stores that use it are idle.
package protocol WorkCountingClock: StoreClock {
    var work: any StoreWork { get }
    /// Calls a closure at a date, and returns its cancellation. A test that waits for sleepers doesn't see it.
    func schedule(at date: Date, _ fire: @escaping @Sendable () -> Void) -> @Sendable () -> Void
}

extension StoreClock {
    /// Counts the work of the stores that use the clock, if it's a test's clock.
    var storeWork: (any StoreWork)? { (self as? any WorkCountingClock)?.work }
}
