/// A queue with constant-time operations at both ends, amortized.
struct FirstInFirstOut<Element: Sendable>: Sendable {
    /// A removed element is `nil`, so that the caller releases it, and not a later call under a lock.
    private var elements: [Element?] = []
    private var head = 0

    var first: Element? { head < elements.count ? elements[head] : nil }

    var isEmpty: Bool { head >= elements.count }

    var count: Int { elements.count - head }

    /// The element at an offset from the first. `nil` past the last element.
    subscript(offset: Int) -> Element? { head + offset < elements.count ? elements[head + offset] : nil }

    mutating func append(_ element: Element) {
        elements.append(element)
    }

    /// Inserts an element before the trailing elements that belong behind it.
    mutating func insert(_ element: Element, before belongsBehind: (Element) -> Bool) {
        var place = elements.endIndex
        while place > head, let last = elements[place - 1], belongsBehind(last) { place -= 1 }
        elements.insert(element, at: place)
    }

    @discardableResult
    mutating func removeFirst() -> Element? {
        guard head < elements.count else { return nil }
        // The usual case, without the costs of compacting.
        if elements.count == 1 { return elements.removeLast() }
        var element: Element?
        swap(&element, &elements[head])
        head += 1
        // Compacting once half of the array is unused moves each element once on average.
        if head * 2 > elements.count {
            elements.removeFirst(head)
            head = 0
        }
        return element
    }

    /// Removes the first element that matches, at any position.
    mutating func removeFirst(where fits: (Element) -> Bool) -> Element? {
        guard let place = elements[head...].firstIndex(where: { $0.map(fits) == true }) else { return nil }
        return place == head ? removeFirst() : elements.remove(at: place)
    }

    /// Removes every element that matches, at any position.
    mutating func removeAll(where fits: (Element) -> Bool) {
        elements = elements[head...].filter { $0.map(fits) == false }
        head = 0
    }

    mutating func update(where fits: (Element) -> Bool, _ change: (inout Element) -> Void) {
        for index in head..<elements.count {
            guard var element = elements[index], fits(element) else { continue }
            change(&element)
            elements[index] = element
        }
    }
}
