import AsyncStoreKit

/// Keeps what it is given, and lets a test wait for it.
package final class Recorder<Element: Sendable>: Sendable {
    private struct Watcher: Sendable {
        let fits: @Sendable ([Element]) -> Bool
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State: Sendable {
        var elements: [Element] = []
        var watchers: [Watcher] = []
    }

    private let state = Locked(State())

    package init() {}

    package var elements: [Element] { state.withLock { $0.elements } }

    package func record(_ element: Element) {
        let ready = state.withLock { state in
            state.elements.append(element)
            let elements = state.elements
            let ready = state.watchers.filter { $0.fits(elements) }
            state.watchers.removeAll { $0.fits(elements) }
            return ready
        }
        ready.forEach { $0.continuation.resume() }
    }

    /// Returns the first elements, as soon as there are so many.
    package func first(_ count: Int) async -> [Element] {
        await wait { $0.count >= count }
        return Array(elements.prefix(count))
    }

    /// Returns the first element that fits, as soon as there is one.
    package func first(where fits: @escaping @Sendable (Element) -> Bool) async -> Element? {
        await wait { $0.contains(where: fits) }
        return elements.first(where: fits)
    }

    private func wait(_ fits: @escaping @Sendable ([Element]) -> Bool) async {
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                if fits(state.elements) { return true }
                state.watchers.append(Watcher(fits: fits, continuation: continuation))
                return false
            }
            if isReady { continuation.resume() }
        }
    }
}
