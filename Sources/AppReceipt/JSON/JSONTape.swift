package import Foundation

/// A validated JSON text (RFC 8259) as a flat list of its values in the order of the text.
///
/// `JSONSerialization` takes several times as long for a receipt with thousands of rows, and doesn't return the offsets
/// of values, which errors need. The tape copies a value only when it is read.
package struct JSONTape: Sendable {
    package enum Kind: UInt8, Sendable {
        case null, isFalse, isTrue, number, string, array, object
    }

    package struct Node: Sendable {
        package var kind: Kind
        /// Only for strings.
        var hasEscapes = false
        /// The first byte of the value; for a string, the byte after its quotation mark.
        package var start: Int32
        /// The byte after the value; for a string, its closing quotation mark.
        package var end: Int32
        /// The node after this one and its contents.
        var next: Int32

        /// The bytes of the value in the text, without the quotation marks of a string.
        package var length: Int { Int(end) - Int(start) }
    }

    /// The limits of reading. Apple's largest responses have a few megabytes and four levels.
    package struct Limits: Sendable {
        var maximumSize = 32 << 20
        var maximumDepth = 32
        var maximumCount = 4_000_000
        var maximumNameLength = ReadingLimits.nameLength
        var maximumNumberLength = ReadingLimits.numberLength

        /// The limits for text from any source.
        package static let standard = Limits()
        /// Limits for text from a trusted source or of a known size. A tape can represent 2 GiB.
        package static let generous = Limits(
            maximumSize: 1 << 30, maximumDepth: 32, maximumCount: 1 << 28, maximumNameLength: 1 << 20)

        fileprivate func check(size: Int) throws(MalformedReceiptError) {
            guard size <= maximumSize else {
                throw MalformedReceiptError(
                    .limitExceeded, at: 0, expected: "at most \(maximumSize) bytes of JSON", found: "\(size)")
            }
        }
    }

    package let bytes: [UInt8]
    private(set) var nodes: [Node]

    /// Validates a JSON text. Checks the size before copying the bytes.
    package init(_ text: Data, limits: Limits = .standard) throws(MalformedReceiptError) {
        try limits.check(size: text.count)
        try self.init([UInt8](text), limits: limits)
    }

    /// Validates bytes. The outermost value is node 0.
    package init(_ bytes: [UInt8], limits: Limits = .standard) throws(MalformedReceiptError) {
        try limits.check(size: bytes.count)
        var scanner = JSONScanner(bytes: bytes, limits: limits)
        try scanner.scan()
        self.bytes = bytes
        nodes = scanner.nodes
    }

    /// Returns the node at an index of this tape. An index beyond the tape is `null`.
    package func node(_ index: Int) -> Node {
        nodes.indices.contains(index)
            ? nodes[index] : Node(kind: .null, start: 0, end: 0, next: Int32(clamping: nodes.count))
    }

    /// Returns the offset of a value in the text; for a string, that of its quotation mark.
    package func offset(_ node: Node) -> Int {
        node.kind == .string ? Int(node.start) - 1 : Int(node.start)
    }

    /// The bytes of the value in the text, without the quotation marks of a string.
    func source(_ node: Node) -> ArraySlice<UInt8> {
        bytes[Int(node.start)..<Int(node.end)]
    }

    /// Returns the bytes of a string or a number with resolved escapes.
    package func text(_ node: Node) -> ArraySlice<UInt8> {
        node.hasEscapes ? JSONEscapes.resolved(source(node))[...] : source(node)
    }

    /// Returns a string or a number as text.
    package func string(_ node: Node) -> String {
        guard !node.hasEscapes else { return String(decoding: text(node), as: UTF8.self) }
        return bytes.withUnsafeBufferPointer { buffer in
            String(decoding: UnsafeBufferPointer(rebasing: buffer[Int(node.start)..<Int(node.end)]), as: UTF8.self)
        }
    }

    /// Returns the indices of an array's elements.
    package func elements(of index: Int) -> Places {
        Places(tape: self, place: index + 1, end: Int(node(index).next), width: 0)
    }

    /// Returns the indices of an object's names. The next node is the value.
    package func names(of index: Int) -> Places {
        Places(tape: self, place: index + 1, end: Int(node(index).next), width: 1)
    }

    /// The indices of the elements of an array, or of the names of an object.
    package struct Places: Sequence, IteratorProtocol {
        fileprivate let tape: JSONTape
        fileprivate var place: Int
        fileprivate let end: Int
        /// The number of nodes before the value of an element.
        fileprivate let width: Int

        package mutating func next() -> Int? {
            guard place < end else { return nil }
            defer { place = Int(tape.node(place + width).next) }
            return place
        }
    }

    /// Returns the approximate memory of the value at `index` with its contents, in bytes; at least 40.
    func footprint(_ index: Int) -> Int {
        var bytes = 0
        var place = index
        let end = max(Int(node(index).next), index + 1)
        while place < end {
            let node = node(place)
            bytes += 40
            switch node.kind {
            case .string, .number: if node.length > 15 { bytes += node.length + 32 }
            case .array: if Int(node.next) > place + 1 { bytes += 64 }
            case .object: if Int(node.next) > place + 1 { bytes += 200 }
            case .null, .isFalse, .isTrue: break
            }
            place += 1
        }
        return bytes
    }

    /// Returns the value at `index` with its contents. The scanner limits the depth.
    package func value(_ index: Int) -> ReceiptValue {
        let node = node(index)
        switch node.kind {
        case .null: return .null
        case .isFalse: return .bool(false)
        case .isTrue: return .bool(true)
        case .number: return .number(string(node))
        case .string: return .string(string(node))
        case .array: return .array(elements(of: index).map(value))
        case .object:
            let names = Array(names(of: index))
            // Reserves the capacity, because a dictionary that grows hashes all names again, by canonical equivalence.
            var members = [String: ReceiptValue](minimumCapacity: names.count)
            for name in names { members[string(self.node(name))] = value(name + 1) }
            return .object(members)
        }
    }
}
