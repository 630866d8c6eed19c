import Foundation

/// Reads the values of one SET of receipt attributes, each known one at most once, and collects the others.
///
/// A value without octets, an empty text and an identifier of 0 stand for nothing: receipts write them where there is none.
struct AttributeReader {
    private var kept: [Int64: [Data]] = [:]
    /// A bit for each number from 0 and from 1700 on; no known attribute has another.
    private var seen: (UInt64, UInt64) = (0, 0)

    private mutating func note(_ attribute: ReceiptAttribute) throws(MalformedReceiptError) {
        let before = seen
        switch attribute.type {
        case 0..<64: seen.0 |= 1 << UInt64(attribute.type)
        case 1700..<1764: seen.1 |= 1 << UInt64(attribute.type - 1700)
        default: return
        }
        guard seen != before else {
            throw MalformedReceiptError(
                .invalidValue, at: attribute.element.offset, expected: "attribute \(attribute.type) once", found: "a repetition")
        }
    }

    /// The element inside the value; `nil` when there are no octets.
    private mutating func element(_ attribute: ReceiptAttribute, _ expected: String) throws(MalformedReceiptError) -> BERElement? {
        try note(attribute)
        return try attribute.value().isEmpty ? nil : attribute.wrappedElement(expected)
    }

    mutating func text(_ attribute: ReceiptAttribute, _ expected: String) throws(MalformedReceiptError) -> String? {
        let text = try element(attribute, expected)?.string(expected)
        return text?.isEmpty ?? true ? nil : text
    }

    mutating func integer(_ attribute: ReceiptAttribute, _ expected: String) throws(MalformedReceiptError) -> Int64? {
        try element(attribute, expected)?.integer(expected)
    }

    mutating func identifier(_ attribute: ReceiptAttribute, _ expected: String) throws(MalformedReceiptError) -> Int64? {
        let number = try integer(attribute, expected)
        return number == 0 ? nil : number
    }

    mutating func count(_ attribute: ReceiptAttribute, _ expected: String) throws(MalformedReceiptError) -> Int? {
        guard let element = try element(attribute, expected) else { return nil }
        let number = try element.integer(expected)
        guard number >= 0, let count = Int(exactly: number) else {
            throw MalformedReceiptError(.invalidValue, at: element.offset, expected: "\(expected) as a count", found: "\(number)")
        }
        return count
    }

    /// An INTEGER of 0 or 1, or a BOOLEAN.
    mutating func flag(_ attribute: ReceiptAttribute, _ expected: String) throws(MalformedReceiptError) -> Bool {
        guard let element = try element(attribute, expected) else { return false }
        if element.tag == .boolean { return try element.boolean(expected) }
        let number = try element.integer(expected)
        guard number == 0 || number == 1 else {
            throw MalformedReceiptError(.invalidValue, at: element.offset, expected: "\(expected) as 0 or 1", found: "\(number)")
        }
        return number == 1
    }

    mutating func date(_ attribute: ReceiptAttribute, _ expected: String) throws(MalformedReceiptError) -> Date? {
        try note(attribute)
        return try attribute.value().isEmpty ? nil : attribute.date(expected)
    }

    /// The octets of an attribute whose value is no element.
    mutating func octets(_ attribute: ReceiptAttribute) throws(MalformedReceiptError) -> Data {
        try note(attribute)
        return Data(try attribute.value())
    }

    /// Keeps an attribute that is not known.
    mutating func keep(_ attribute: ReceiptAttribute) throws(MalformedReceiptError) {
        kept[attribute.type, default: []].append(Data(try attribute.value()))
    }

    /// What was kept, by number; a repeated attribute is a list of its values.
    var unknownFields: [String: ReceiptValue] {
        var fields: [String: ReceiptValue] = [:]
        for (type, values) in kept {
            fields["\(type)"] = values.count == 1 ? .data(values[0]) : .array(values.map { .data($0) })
        }
        return fields
    }
}
