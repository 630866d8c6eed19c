/// Elements that are handed over in order, outside the lock under which they were appended.
///
/// One thread at a time hands elements over, so that no element overtakes the one before it.
struct Outbox<Element: Sendable>: Sendable {
    private var elements = FirstInFirstOut<Element>()
    private var isHandingOver = false

    mutating func append(_ element: Element) {
        elements.append(element)
    }

    /// Returns the next element. `nil` if the outbox is empty, or while a thread is handing an element over.
    fileprivate mutating func begin() -> Element? {
        guard !isHandingOver, let element = elements.removeFirst() else { return nil }
        isHandingOver = true
        return element
    }

    fileprivate mutating func end() {
        isHandingOver = false
    }
}

extension Locked {
    /// Hands over the elements of an outbox until it's empty. Returns at once while another thread, or a caller of this
    /// function on the same thread, is doing that: it also hands over the elements that were appended since.
    func handOver<Element: Sendable>(
        from outbox: WritableKeyPath<Value, Outbox<Element>>, to receive: (Element) -> Void
    ) {
        while let element = withLock({ $0[keyPath: outbox].begin() }) {
            receive(element)
            withLock { $0[keyPath: outbox].end() }
        }
    }
}
