/// Counts the work that a store has started and not ended, so that a test can wait until a store is at rest.
///
/// Only a clock that a test controls has one; see ``WorkCountingClock``. With every other clock nothing is counted.
/// Work is an input of the store's queue, a task, or an element of a stream whose loop is running. A task that waits
/// for the clock or for an answer of the App Store is at rest.
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
    /// Starts a task that counts until it ends.
    func task(
        _ kind: StoreWork.Kind = .task, priority: TaskPriority? = nil, _ operation: @escaping @Sendable () async -> Void
    ) -> Task<Void, Never> {
        guard let self else { return Task(priority: priority) { await operation() } }
        self.begin(kind)
        return Task(priority: priority) { await self.run(kind, operation) }
    }

    /// Makes a stream and the function that sends elements to it.
    ///
    /// An element counts from the moment at which it's sent until the loop asks for the next one. Until the loop asks
    /// for the first, its elements belong to the task that made the stream.
    /// - Parameter onTermination: Called when the stream is dropped, ended or cancelled.
    func stream<Element: Sendable>(
        of type: Element.Type, _ buffering: AsyncStream<Element>.Continuation.BufferingPolicy,
        onTermination: @escaping @Sendable () -> Void
    ) -> (stream: AsyncStream<Element>, send: @Sendable (Element) -> Void, finish: @Sendable () -> Void) {
        if let self { return self.stream(of: type, buffering, onTermination: onTermination) }
        let (stream, continuation) = AsyncStream.makeStream(of: Element.self, bufferingPolicy: buffering)
        continuation.onTermination = { _ in onTermination() }
        return (stream, { continuation.yield($0) }, { continuation.finish() })
    }
}

extension StoreWork {
    // Only tests count elements: apps don't need a copy of this code for every type of element.
    @_semantics("optimize.sil.specialize.generic.never")
    fileprivate func stream<Element: Sendable>(
        of type: Element.Type, _ buffering: AsyncStream<Element>.Continuation.BufferingPolicy,
        onTermination: @escaping @Sendable () -> Void
    ) -> (stream: AsyncStream<Element>, send: @Sendable (Element) -> Void, finish: @Sendable () -> Void) {
        let (stream, continuation) = AsyncStream.makeStream(of: Element.self, bufferingPolicy: buffering)
        let elements = ElementCount(self)
        continuation.onTermination = { _ in
            elements.end()
            onTermination()
        }
        let send = { @Sendable (element: Element) in
            elements.willSend()
            guard case .enqueued = continuation.yield(element) else { return elements.didDrop() }
        }
        let counted = AsyncStream {
            elements.willReceive(in: StoreWork.currentTaskID)
            var iterator = stream.makeAsyncIterator()
            let element = await iterator.next()
            if element != nil { elements.didReceive() }
            return element
        }
        return (counted, send, { continuation.finish() })
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

/// A clock that knows whether the stores that use it are at rest.
package protocol WorkCountingClock: StoreClock {
    var work: StoreWork { get }
}

extension StoreClock {
    /// Counts the work of the stores that use the clock, if it's a test's clock.
    var storeWork: StoreWork? { (self as? any WorkCountingClock)?.work }
}
