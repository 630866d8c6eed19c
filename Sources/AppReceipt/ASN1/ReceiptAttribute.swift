package import Foundation

/// One attribute of a receipt, or of a purchase in it: `SEQUENCE { type INTEGER, version INTEGER, value OCTET STRING }`.
package struct ReceiptAttribute: Sendable {
    /// Which attribute it is; Apple assigns the numbers, and most that occur are undocumented.
    package let type: Int64
    package let version: Int64
    /// The OCTET STRING with the value, which for most attributes is an element of its own.
    package let element: BERElement

    /// The value's octets.
    package func value() throws(MalformedReceiptError) -> ArraySlice<UInt8> {
        try element.octets("the value of a receipt attribute")
    }

    /// The element inside the value, which has to fill it.
    package func wrappedElement(_ expected: String) throws(MalformedReceiptError) -> BERElement {
        var reader = try element.wrapped(expected)
        let wrapped = try reader.next(expected)
        try reader.finish(expected)
        return wrapped
    }

    /// The date in the value; `nil` for an empty text, which stands for a date there is none of.
    package func date(_ expected: String) throws(MalformedReceiptError) -> Date? {
        let element = try wrappedElement(expected)
        guard element.tag == .ia5String || element.tag == .utf8String else {
            throw MalformedReceiptError(
                .unexpectedElement, at: element.offset, expected: "IA5String (\(expected))", found: "\(element.tag)")
        }
        let text = try element.octets(expected)
        guard !text.isEmpty else { return nil }
        guard let date = ReceiptTimestamp.date(text) else {
            let found = "“\(String(decoding: text.prefix(40), as: UTF8.self))”"
            throw MalformedReceiptError(.invalidValue, at: element.offset, expected: "\(expected) in the form of RFC 3339", found: found)
        }
        return date
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
        type = try members.nextInteger("the type of a receipt attribute")
        version = try members.nextInteger("the version of a receipt attribute")
        self.element = try members.next(.octetString, "the value of a receipt attribute")
        try members.finish("a receipt attribute")
    }
}
