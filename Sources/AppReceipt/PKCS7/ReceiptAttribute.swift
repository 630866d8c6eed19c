package import Foundation

/// An attribute of a receipt or of a purchase: `SEQUENCE { type INTEGER, version INTEGER, value OCTET STRING }`.
package struct ReceiptAttribute: Sendable {
    /// The number of the attribute. Apple assigns the numbers and documents few of them.
    package let type: Int64
    package let version: Int64
    /// The OCTET STRING with the value, which usually contains another element.
    package let element: BERElement

    /// Returns the value's octets.
    package func value() throws(MalformedReceiptError) -> ArraySlice<UInt8> {
        try element.octets("the value of a receipt attribute")
    }

    /// Returns the only element inside the value.
    package func wrappedElement(_ expected: String) throws(MalformedReceiptError) -> BERElement {
        var reader = try element.wrapped(expected)
        let wrapped = try reader.next(expected)
        try reader.finish(expected)
        return wrapped
    }

    /// Returns the date in the value; `nil` for an empty text, which means a missing date.
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
            throw MalformedReceiptError(
                .invalidValue, at: element.offset, expected: "\(expected) in the form of RFC 3339", found: found)
        }
        return date
    }

    /// Calls `body` with every attribute of the SET in `reader`, and checks that no more elements follow.
    package static func forEach(
        in reader: BERReader, _ expected: String, limit: Int? = nil,
        _ body: (ReceiptAttribute) throws(MalformedReceiptError) -> Void
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
                .unexpectedElement, at: element.offset, expected: "SEQUENCE (a receipt attribute)",
                found: "\(element.tag)")
        }
        var members = try element.members("a receipt attribute")
        type = try members.nextInteger("the type of a receipt attribute")
        version = try members.nextInteger("the version of a receipt attribute")
        self.element = try members.only(.octetString, "the value of a receipt attribute")
    }
}

/// Reads the known attributes of a SET, each at most once, and collects the others.
///
/// A value without octets, an empty text and the identifier 0 are treated as missing.
struct AttributeReader: Sendable {
    private var kept: [(type: Int64, value: ArraySlice<UInt8>)] = []
    /// A bit for each number: a range that starts at 0 and one that starts at 1700. They include all known attributes.
    private var seen: (UInt64, UInt64) = (0, 0)
    /// The numbers of auxiliary attributes that can't be read.
    private var unreadable: Set<Int64> = []

    /// Returns whether the known attribute with a number has been read.
    func hasRead(_ type: Int64) -> Bool {
        (0..<64).contains(type) && seen.0 & 1 << UInt64(type) != 0 && !unreadable.contains(type)
    }

    private mutating func markAsRead(_ attribute: ReceiptAttribute) throws(MalformedReceiptError) {
        let before = seen
        switch attribute.type {
        case 0..<64: seen.0 |= 1 << UInt64(attribute.type)
        case 1700..<1764: seen.1 |= 1 << UInt64(attribute.type - 1700)
        default: return
        }
        guard seen != before else {
            throw MalformedReceiptError(
                .invalidValue, at: attribute.element.offset, expected: "attribute \(attribute.type) once",
                found: "a repetition")
        }
    }

    /// Returns the element inside the value; `nil` for a value without octets.
    private mutating func element(_ attribute: ReceiptAttribute, _ expected: String) throws(MalformedReceiptError)
        -> BERElement?
    {
        try markAsRead(attribute)
        return try attribute.value().isEmpty ? nil : attribute.wrappedElement(expected)
    }

    /// Returns the value of an attribute that access doesn't depend on, such as one that the developer chooses. A value
    /// that `read` can't read is treated as missing, and the attribute as unknown.
    mutating func auxiliary<Value>(
        _ attribute: ReceiptAttribute,
        _ read: (inout AttributeReader) throws(MalformedReceiptError) -> Value?
    ) throws(MalformedReceiptError) -> Value? {
        let before = seen
        do throws(MalformedReceiptError) {
            return try read(&self)
        } catch {
            // A repetition is malformed.
            seen = before
            try markAsRead(attribute)
            unreadable.insert(attribute.type)
            try keep(attribute)
            return nil
        }
    }

    mutating func text(_ attribute: ReceiptAttribute, _ expected: String) throws(MalformedReceiptError) -> String? {
        guard let element = try element(attribute, expected) else { return nil }
        guard element.content.count <= ReadingLimits.textLength * 2 else {
            throw AttributeReader.tooLong(element, expected)
        }
        let text = try element.string(expected)
        guard text.utf8.count <= ReadingLimits.textLength else { throw AttributeReader.tooLong(element, expected) }
        return text.isEmpty ? nil : text
    }

    private static func tooLong(_ element: BERElement, _ expected: String) -> MalformedReceiptError {
        MalformedReceiptError(
            .limitExceeded, at: element.offset, expected: "\(expected) of at most \(ReadingLimits.textLength) bytes",
            found: "\(element.content.count) bytes")
    }

    mutating func integer(_ attribute: ReceiptAttribute, _ expected: String) throws(MalformedReceiptError) -> Int64? {
        try element(attribute, expected)?.integer(expected)
    }

    mutating func identifier(_ attribute: ReceiptAttribute, _ expected: String) throws(MalformedReceiptError) -> Int64?
    {
        let number = try integer(attribute, expected)
        return number == 0 ? nil : number
    }

    mutating func count(_ attribute: ReceiptAttribute, _ expected: String) throws(MalformedReceiptError) -> Int? {
        guard let element = try element(attribute, expected) else { return nil }
        let number = try element.integer(expected)
        guard number >= 0, let count = Int(exactly: number) else {
            throw MalformedReceiptError(
                .invalidValue, at: element.offset, expected: "\(expected) as a count", found: "\(number)")
        }
        return count
    }

    /// Returns a flag from an INTEGER of 0 or 1, or from a BOOLEAN.
    mutating func flag(_ attribute: ReceiptAttribute, _ expected: String) throws(MalformedReceiptError) -> Bool {
        guard let element = try element(attribute, expected) else { return false }
        if element.tag == .boolean { return try element.boolean(expected) }
        let number = try element.integer(expected)
        guard number == 0 || number == 1 else {
            throw MalformedReceiptError(
                .invalidValue, at: element.offset, expected: "\(expected) as 0 or 1", found: "\(number)")
        }
        return number == 1
    }

    mutating func date(_ attribute: ReceiptAttribute, _ expected: String) throws(MalformedReceiptError) -> Date? {
        try markAsRead(attribute)
        return try attribute.value().isEmpty ? nil : attribute.date(expected)
    }

    /// Returns the octets of an attribute without an inner element; `nil` if there are none.
    mutating func octets(_ attribute: ReceiptAttribute) throws(MalformedReceiptError) -> ArraySlice<UInt8>? {
        try markAsRead(attribute)
        let octets = try attribute.value()
        return octets.isEmpty ? nil : octets
    }

    mutating func keep(_ attribute: ReceiptAttribute) throws(MalformedReceiptError) {
        kept.append((attribute.type, try attribute.value()))
    }

    /// The unknown attributes by number. A repeated attribute is a list of its values.
    var unknownFields: [String: ReceiptValue] {
        let places = Positions.sorted(kept.count) { kept[$0].type < kept[$1].type }
        // The values of a repeated number are consecutive after sorting.
        let beginnings = places.indices.filter { $0 == 0 || kept[places[$0 - 1]].type != kept[places[$0]].type }
        var fields: [String: ReceiptValue] = [:]
        fields.reserveCapacity(beginnings.count)
        for beginning in beginnings {
            let type = kept[places[beginning]].type
            let values = places[beginning...].prefix { kept[$0].type == type }.map {
                ReceiptValue.data(Data(kept[$0].value))
            }
            fields["\(type)"] = values.count == 1 ? values[0] : .array(values)
        }
        return fields
    }
}
