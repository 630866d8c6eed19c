/// Reads the elements that ``DEREncoding`` writes, with definite lengths and identifiers of one octet.
package struct DERReader {
    private var rest: ArraySlice<UInt8>

    package init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
    }

    /// Whether all elements are read.
    package var isAtEnd: Bool { rest.isEmpty }

    /// Reads the identifier octet and the content of the next element; `nil` at the end and for malformed elements.
    package mutating func next() -> (identifier: UInt8, content: ArraySlice<UInt8>)? {
        guard let identifier = rest.popFirst(), let first = rest.popFirst() else { return nil }
        var length = Int(first)
        if first >= 0x80 {
            let count = Int(first & 0x7F)
            guard (1...4).contains(count), rest.count >= count else { return nil }
            length = rest.prefix(count).reduce(0) { $0 << 8 | Int($1) }
            rest.removeFirst(count)
        }
        guard length <= rest.count else { return nil }
        defer { rest.removeFirst(length) }
        return (identifier, rest.prefix(length))
    }

    /// Reads the next element, and returns its content if the element has this identifier octet.
    package mutating func next(_ identifier: UInt8) -> ArraySlice<UInt8>? {
        guard let element = next(), element.identifier == identifier else { return nil }
        return element.content
    }
}
