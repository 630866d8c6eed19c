/// A queue whose both ends cost the same, however long it is.
struct FirstInFirstOut<Element: Sendable>: Sendable {
    private var elements: [Element] = []
    private var head = 0

    var first: Element? { head < elements.count ? elements[head] : nil }

    var isEmpty: Bool { head >= elements.count }

    var count: Int { elements.count - head }

    /// The element so many places behind the first; `nil` behind the last.
    subscript(offset: Int) -> Element? { head + offset < elements.count ? elements[head + offset] : nil }

    mutating func append(_ element: Element) {
        elements.append(element)
    }

    /// Puts an element before those at the end that belong behind it.
    mutating func insert(_ element: Element, before belongsBehind: (Element) -> Bool) {
        var place = elements.endIndex
        while place > head, belongsBehind(elements[place - 1]) { place -= 1 }
        elements.insert(element, at: place)
    }

    @discardableResult
    mutating func removeFirst() -> Element? {
        guard let element = first else { return nil }
        head += 1
        // Moving the rest down when half is gone costs each element one move in all.
        if head * 2 > elements.count {
            elements.removeFirst(head)
            head = 0
        }
        return element
    }

    /// Removes the first element that fits, wherever it stands.
    mutating func removeFirst(where fits: (Element) -> Bool) -> Element? {
        guard let place = elements[head...].firstIndex(where: fits) else { return nil }
        return place == head ? removeFirst() : elements.remove(at: place)
    }

    /// Removes every element that fits, wherever it stands.
    mutating func removeAll(where fits: (Element) -> Bool) {
        elements = elements[head...].filter { !fits($0) }
        head = 0
    }

    /// Changes every element that fits.
    mutating func update(where fits: (Element) -> Bool, _ change: (inout Element) -> Void) {
        for index in head..<elements.count where fits(elements[index]) { change(&elements[index]) }
    }
}
