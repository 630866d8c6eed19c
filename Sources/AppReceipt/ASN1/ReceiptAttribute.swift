/// One attribute of a receipt, or of a purchase in it: `SEQUENCE { type INTEGER, version INTEGER, value OCTET STRING }`.
package struct ReceiptAttribute: Sendable {
    /// Which attribute it is; Apple assigns the numbers, and most that occur are undocumented.
    package let type: Int64
    package let version: Int64
    /// The OCTET STRING with the value, which for most attributes is an element of its own.
    package let element: BERElement

    /// The value's octets.
    package func value() throws(MalformedReceiptError) -> ArraySlice<UInt8> {
        try element.octets("the value of attribute \(type)")
    }

    /// The element inside the value, which has to fill it.
    package func wrappedElement(_ expected: String) throws(MalformedReceiptError) -> BERElement {
        var reader = try element.wrapped(expected)
        let wrapped = try reader.next(expected)
        try reader.finish(expected)
        return wrapped
    }

    /// Calls `body` with every attribute of the SET that `reader` stands before, and makes sure that nothing follows it.
    package static func forEach(
        in reader: BERReader, _ expected: String, limit: Int? = nil, _ body: (ReceiptAttribute) throws(MalformedReceiptError) -> Void
    ) throws(MalformedReceiptError) {
        var reader = reader
        let set = try reader.next(.set, expected)
        try set.forEachMember("a receipt attribute", limit: limit) { (member) throws(MalformedReceiptError) in
            try body(ReceiptAttribute(member))
        }
        try reader.finish(expected)
    }

    private init(_ element: BERElement) throws(MalformedReceiptError) {
        guard element.tag == .sequence else {
            throw MalformedReceiptError(
                .unexpectedElement, at: element.offset, expected: "SEQUENCE (a receipt attribute)", found: "\(element.tag)")
        }
        var members = try element.members("a receipt attribute")
        type = try members.next(.integer, "the type of a receipt attribute").integer("the type of a receipt attribute")
        version = try members.next(.integer, "the version of a receipt attribute").integer("the version of a receipt attribute")
        self.element = try members.next(.octetString, "the value of a receipt attribute")
        try members.finish("a receipt attribute")
    }
}
