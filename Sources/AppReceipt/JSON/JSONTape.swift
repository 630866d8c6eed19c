import Foundation

/// A JSON text (RFC 8259), checked from the first byte to the last and laid out as a flat list of values in the order
/// of the text.
///
/// `JSONSerialization` needs several times as long for a receipt with thousands of rows, and does not say where a value
/// stands; an error in a receipt is worth little without. Nothing is copied out of the text until it is asked for.
struct JSONTape: Sendable {
    enum Kind: UInt8, Sendable {
        case null, isFalse, isTrue, number, string, array, object
    }

    struct Node: Sendable {
        var kind: Kind
        /// Only of strings.
        var hasEscapes = false
        /// The first byte of the value; of a string, the byte behind its quotation mark.
        var start: Int32
        /// The byte behind the value; of a string, its closing quotation mark.
        var end: Int32
        /// The node behind this one and everything in it.
        var next: Int32

        /// The bytes of the value as they stand in the text, a string's without quotation marks.
        var length: Int { Int(end) - Int(start) }
    }

    /// The limits of reading; Apple's largest responses have a few megabytes and nest four deep.
    struct Limits: Sendable {
        var maximumSize = 32 << 20
        var maximumDepth = 32
        var maximumCount = 4_000_000
        var maximumNameLength = ReadingLimits.nameLength
        var maximumNumberLength = ReadingLimits.numberLength

        /// For text that comes from a trusted source, or whose size has been limited before. A tape has room for 2 GiB.
        static let generous = Limits(
            maximumSize: 1 << 30, maximumDepth: 32, maximumCount: 1 << 28, maximumNameLength: 1 << 20)

        fileprivate func check(size: Int) throws(MalformedReceiptError) {
            guard size <= maximumSize else {
                throw MalformedReceiptError(
                    .limitExceeded, at: 0, expected: "at most \(maximumSize) bytes of JSON", found: "\(size)")
            }
        }
    }

    let bytes: [UInt8]
    private(set) var nodes: [Node]

    /// Checks a text and lays it out. Its size is looked at before it is copied.
    init(_ text: Data, limits: Limits = Limits()) throws(MalformedReceiptError) {
        try limits.check(size: text.count)
        try self.init([UInt8](text), limits: limits)
    }

    /// Checks `bytes` and lays them out; the outermost value is node 0.
    init(_ bytes: [UInt8], limits: Limits = Limits()) throws(MalformedReceiptError) {
        try limits.check(size: bytes.count)
        var scanner = JSONScanner(bytes: bytes, limits: limits)
        try scanner.scan()
        self.bytes = bytes
        nodes = scanner.nodes
    }

    /// The node at `index`; indices come from the tape itself, and one beyond it reads as `null`.
    func node(_ index: Int) -> Node {
        nodes.indices.contains(index) ? nodes[index] : Node(kind: .null, start: 0, end: 0, next: Int32(clamping: nodes.count))
    }

    /// Where the value begins in the text, a string with its quotation mark.
    func offset(_ node: Node) -> Int {
        node.kind == .string ? Int(node.start) - 1 : Int(node.start)
    }

    /// The bytes of the value as they stand in the text, a string's without quotation marks.
    func source(_ node: Node) -> ArraySlice<UInt8> {
        bytes[Int(node.start)..<Int(node.end)]
    }

    /// The bytes of a string or a number, escapes resolved.
    func text(_ node: Node) -> ArraySlice<UInt8> {
        node.hasEscapes ? JSONEscapes.resolved(source(node))[...] : source(node)
    }

    /// A string or a number as text.
    func string(_ node: Node) -> String {
        guard !node.hasEscapes else { return String(decoding: text(node), as: UTF8.self) }
        return bytes.withUnsafeBufferPointer { buffer in
            String(decoding: UnsafeBufferPointer(rebasing: buffer[Int(node.start)..<Int(node.end)]), as: UTF8.self)
        }
    }

    /// Calls `body` with the index of every element of the array at `index`.
    func forEachElement(of index: Int, _ body: (Int) throws(MalformedReceiptError) -> Void) throws(MalformedReceiptError) {
        var element = index + 1
        let end = Int(node(index).next)
        while element < end {
            try body(element)
            element = Int(node(element).next)
        }
    }

    /// Calls `body` with the index of every name of the object at `index`; its value is the node behind it.
    func forEachName(of index: Int, _ body: (Int) throws(MalformedReceiptError) -> Void) throws(MalformedReceiptError) {
        var name = index + 1
        let end = Int(node(index).next)
        while name < end {
            try body(name)
            name = Int(node(name + 1).next)
        }
    }

    /// About how many bytes of memory the value at `index` takes with all that is in it; at least 40.
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

    /// The value at `index` with all that is in it; the scanner's limit bounds the depth.
    func value(_ index: Int) throws(MalformedReceiptError) -> ReceiptValue {
        let node = node(index)
        switch node.kind {
        case .null: return .null
        case .isFalse: return .bool(false)
        case .isTrue: return .bool(true)
        case .number: return .number(string(node))
        case .string: return .string(string(node))
        case .array:
            var elements: [ReceiptValue] = []
            var element = index + 1
            while element < Int(node.next) {
                elements.append(try value(element))
                element = Int(self.node(element).next)
            }
            return .array(elements)
        case .object:
            // A name is hashed by canonical equivalence, and again whenever there is too little room.
            var count = 0
            try forEachName(of: index) { (_) throws(MalformedReceiptError) in count += 1 }
            var members: [String: ReceiptValue] = [:]
            members.reserveCapacity(count)
            try forEachName(of: index) { (name) throws(MalformedReceiptError) in
                members[string(self.node(name))] = try value(name + 1)
            }
            return .object(members)
        }
    }
}
