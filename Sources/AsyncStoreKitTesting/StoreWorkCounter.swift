package import AsyncStoreKit

/// Counts the work of the stores that use one clock.
package final class StoreWorkCounter: StoreWork {
    package let count = Monitor(StoreWorkCount())

    /// Identifies the current task while it runs.
    static var currentTaskID: Int? { withUnsafeCurrentTask { $0?.hashValue } }

    package func begin(_ kind: StoreWorkKind) { change(1, kind) }

    package func end(_ kind: StoreWorkKind) { change(-1, kind) }

    fileprivate func change(_ change: Int, _ kind: StoreWorkKind, of consumer: Int? = nil) {
        count.update { $0.add(change, kind, of: consumer) }
    }

    package func run(_ kind: StoreWorkKind, _ operation: () async -> Void) async {
        let taskID = Self.currentTaskID
        let task = CountedTask { [self] in
            // A child task inherits the value.
            guard taskID == Self.currentTaskID else { return nil }
            end(kind)
            return { [self] in begin(kind) }
        }
        await CountedTask.$current.withValue(task) { await operation() }
        end(kind)
    }

    package func elementCount() -> @Sendable (ElementStep) -> Void {
        let state = Locked(ElementCount(consumer: Self.currentTaskID))
        return { [self] step in
            let task = step == .willReceive ? Self.currentTaskID : nil
            let (before, after) = state.withLock { state in
                let before = state
                state.take(step, in: task)
                return (before, state)
            }
            let kept = before.consumer == after.consumer ? min(before.count, after.count) : 0
            for _ in kept..<after.count { change(1, .element, of: after.consumer) }
            for _ in kept..<before.count { change(-1, .element, of: before.consumer) }
        }
    }
}

/// The elements of one stream. They belong to the task that runs its loop.
private struct ElementCount: Sendable {
    var consumer: Int?
    private var buffered = 0
    private var isHandlingOne = false
    private var isOver = false

    init(consumer: Int?) {
        self.consumer = consumer
    }

    var count: Int { consumer == nil || isOver ? 0 : buffered + (isHandlingOne ? 1 : 0) }

    mutating func take(_ step: ElementStep, in task: Int?) {
        switch step {
        case .willSend: buffered += 1
        case .didDrop: buffered -= 1
        case .willReceive: (isHandlingOne, consumer) = (false, task)
        case .didReceive: (isHandlingOne, buffered) = (true, buffered - 1)
        case .ended: isOver = true
        }
    }
}

/// The work of the stores that use one clock.
package struct StoreWorkCount: Sendable, CustomStringConvertible {
    private var counts: [StoreWorkKind: Int] = [:]
    private var elements: [Int: Int] = [:]
    /// The number of times that work has begun.
    private(set) var begun: UInt64 = 0

    mutating func add(_ change: Int, _ kind: StoreWorkKind, of consumer: Int?) {
        if change > 0 { begun &+= 1 }
        guard let consumer else { return counts[kind, default: 0] += change }
        elements[consumer, default: 0] += change
        if elements[consumer] == 0 { elements[consumer] = nil }
    }

    /// Returns whether no work is running, except for elements that the task received.
    func isAtRest(for task: Int?) -> Bool {
        counts.values.allSatisfy { $0 == 0 } && elements.keys.allSatisfy { $0 == task }
    }

    package var description: String {
        let loops = elements.isEmpty ? [] : ["loops with elements that they haven't finished: \(elements.count)"]
        let work = StoreWorkKind.allCases.compactMap { kind -> String? in
            guard let count = counts[kind], count != 0 else { return nil }
            let names = kind == .delivery ? "deliveries" : "\(kind)s"
            return count == 1 ? "1 \(kind) that hasn't ended" : "\(count) \(names) that haven't ended"
        }
        return (work + loops).joined(separator: ", ")
    }
}
