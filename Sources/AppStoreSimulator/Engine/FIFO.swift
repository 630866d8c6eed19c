/// A first-in, first-out queue with constant-time insertion and removal.
struct FIFO<Element> {
    private var storage: [Element?] = []
    private var head = 0

    var isEmpty: Bool { head == storage.count }
    var count: Int { storage.count - head }

    mutating func append(_ element: Element) {
        storage.append(element)
    }

    mutating func popFirst() -> Element? {
        guard head < storage.count else { return nil }
        let element = storage[head]
        storage[head] = nil
        head += 1
        if head == storage.count {
            storage.removeAll(keepingCapacity: storage.count < 1024)
            head = 0
        } else if head >= 1024, head * 2 > storage.count {
            storage.removeFirst(head)
            head = 0
        }
        return element
    }

    mutating func removeAll(where shouldBeRemoved: (Element) -> Bool) {
        storage = storage.dropFirst(head).filter { element in element.map { !shouldBeRemoved($0) } ?? false }
        head = 0
    }

    mutating func takeAll() -> [Element] {
        defer {
            storage = []
            head = 0
        }
        return storage.dropFirst(head).compactMap(\.self)
    }
}
