package import Foundation

/// Counts the work that a store has started and not ended, so that a test can wait until a store is idle.
///
/// Only a clock that a test controls has one; see ``WorkCountingClock``. With every other clock nothing is counted.
/// Work is an input of the store's queue, a task, or an element of a stream whose loop is running. A task that waits
/// for the clock or for an answer of the App Store is idle.
package final class StoreWork: Sendable {
    package enum Kind: Sendable, Hashable, CaseIterable {
        case input, task, delivery
        /// An element that a loop received, or is about to receive.
        case element
    }

    private struct Counted: Sendable {
        let work: StoreWork
        let kind: Kind
        let taskID: Int?
    }

    /// The task that is counted. Its child tasks inherit the value and aren't counted.
    @TaskLocal private static var counted: Counted?

    private let change: @Sendable (Kind, _ consumer: Int?, _ change: Int) -> Void

    /// - Parameter change: Called with every change of the count: 1 or -1, and for elements the task that runs the
    ///   loop.
    package init(change: @escaping @Sendable (Kind, _ consumer: Int?, _ change: Int) -> Void) {
        self.change = change
    }

    func begin(_ kind: Kind, of consumer: Int? = nil) { change(kind, consumer, 1) }

    func end(_ kind: Kind, of consumer: Int? = nil) { change(kind, consumer, -1) }

    /// Identifies the current task while it runs.
    package static var currentTaskID: Int? { withUnsafeCurrentTask { $0?.hashValue } }

    /// Stops counting the current task, which is about to wait. Returns `nil` if the task isn't counted.
    package static func rest() -> Rest? {
        guard let counted, counted.taskID == currentTaskID else { return nil }
        counted.work.end(counted.kind)
        return Rest(work: counted.work, kind: counted.kind)
    }

    /// The rest of a counted task.
    package struct Rest: Sendable {
        fileprivate let work: StoreWork
        fileprivate let kind: Kind

        /// Counts the task again. Call it once, before the task is resumed.
        package func end() { work.begin(kind) }
    }

    fileprivate func run(_ kind: Kind, _ operation: () async -> Void) async {
        let counted = Counted(work: self, kind: kind, taskID: Self.currentTaskID)
        await Self.$counted.withValue(counted) { await operation() }
        end(kind)
    }
}

extension StoreWork? {
    /// Starts a task that is counted until it ends. The task is detached: several calls may wait for it, and it
    /// inherits neither the priority nor the task-local values of the call that happens to start it.
    func task(
        _ kind: StoreWork.Kind = .task, priority: TaskPriority = .userInitiated,
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
        let count = map(ElementCount.init)
        continuation.onTermination = { _ in
            count?.end()
            onTermination()
        }
        let send = { @Sendable (event: Event) in
            count?.willSend()
            guard case .enqueued = continuation.yield(event) else { return count?.didDrop() ?? () }
        }
        let stream = AsyncStream<Element> {
            count?.willReceive(in: StoreWork.currentTaskID)
            var iterator = events.makeAsyncIterator()
            guard let event = await iterator.next(), !Task.isCancelled else { return nil }
            count?.didReceive()
            return element(event)
        }
        return (stream, send, { continuation.finish() })
    }

    /// Makes a stream whose elements are the events.
    func stream<Element: Sendable>(
        of type: Element.Type, _ buffering: AsyncStream<Element>.Continuation.BufferingPolicy,
        onTermination: @escaping @Sendable () -> Void
    ) -> (stream: AsyncStream<Element>, send: @Sendable (Element) -> Void, finish: @Sendable () -> Void) {
        stream(buffering, onTermination: onTermination) { $0 }
    }
}

/// Counts the elements of one stream. They belong to the task that runs its loop.
private final class ElementCount: Sendable {
    private struct State: Sendable {
        var consumer = StoreWork.currentTaskID
        var buffered = 0
        var isHandlingOne = false
        var isOver = false

        var count: Int { consumer == nil || isOver ? 0 : buffered + (isHandlingOne ? 1 : 0) }
    }

    private let work: StoreWork
    private let state = Locked(State())

    init(_ work: StoreWork) {
        self.work = work
    }

    func willSend() { update { $0.buffered += 1 } }

    /// The stream dropped an element: the new one, or the oldest to make room for it.
    func didDrop() { update { $0.buffered -= 1 } }

    func willReceive(in consumer: Int?) {
        update { state in
            state.isHandlingOne = false
            state.consumer = consumer
        }
    }

    func didReceive() {
        update { state in
            state.buffered -= 1
            state.isHandlingOne = true
        }
    }

    func end() { update { $0.isOver = true } }

    private func update(_ change: (inout State) -> Void) {
        let (before, after) = state.withLock { state in
            let before = state
            change(&state)
            return (before, state)
        }
        let isSameConsumer = before.consumer == after.consumer
        let kept = isSameConsumer ? min(before.count, after.count) : 0
        for _ in kept..<after.count { work.begin(.element, of: after.consumer) }
        for _ in kept..<before.count { work.end(.element, of: before.consumer) }
    }
}

/// A clock that knows whether the stores that use it are idle.
package protocol WorkCountingClock: StoreClock {
    var work: StoreWork { get }
    /// Calls a closure at a date, and returns the closure that prevents the call. A test that waits for sleeping tasks
    /// doesn't see it.
    func schedule(at date: Date, _ fire: @escaping @Sendable () -> Void) -> @Sendable () -> Void
}

extension StoreClock {
    /// Counts the work of the stores that use the clock, if it's a test's clock.
    var storeWork: StoreWork? { (self as? any WorkCountingClock)?.work }
}
