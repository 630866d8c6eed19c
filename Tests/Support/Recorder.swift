import AsyncStoreKit

/// Keeps what it is given, and lets a test wait until there is enough of it.
public final class Recorder<Element: Sendable>: Sendable {
    private struct State: Sendable {
        var elements: [Element] = []
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Locked(State())

    public init() {}

    public var elements: [Element] { state.withLock { $0.elements } }

    public func record(_ element: Element) {
        let ready = state.withLock { state in
            state.elements.append(element)
            let count = state.elements.count
            let ready = state.watchers.filter { $0.count <= count }.map(\.continuation)
            state.watchers.removeAll { $0.count <= count }
            return ready
        }
        ready.forEach { $0.resume() }
    }

    /// Returns the first elements, as soon as there are so many.
    public func first(_ count: Int) async -> [Element] {
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                if state.elements.count >= count { return true }
                state.watchers.append((count, continuation))
                return false
            }
            if isReady { continuation.resume() }
        }
        return Array(elements.prefix(count))
    }
}
