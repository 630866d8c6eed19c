import AppReceipt
import Foundation

/// An object in the JSON of `verifyReceipt`, with typed accessors for its known fields.
///
/// Apple writes numbers as strings or numbers, booleans as `"true"`, `"1"`, `true` or `1`, and missing values as
/// `null`, as `""` or without a name. The accessors read all of these forms. Other values are malformed, with the
/// offset of the value.
struct VerifyReceiptObject {
    let tape: JSONTape
    let index: Int
    /// The node of each name's value, or -1 for a missing name.
    private var slots: [Int32]
    let unknownFields: [String: ReceiptValue]
    let strictness: Strictness
    /// Shared by all objects of a response.
    private let allowance: UnknownFieldAllowance

    /// The handling of unreadable values.
    enum Strictness: Sendable {
        /// The response is malformed.
        case strict
        /// The value is treated as missing, and incomplete rows are left out. For dictionaries that an app has created.
        case lenient
    }

    init(
        _ tape: JSONTape, _ index: Int, _ fields: VerifyReceiptFieldSet, _ expected: String,
        _ strictness: Strictness = .strict, sharing allowance: UnknownFieldAllowance? = nil
    ) throws(MalformedReceiptError) {
        self.tape = tape
        self.index = index
        self.strictness = strictness
        let allowance = allowance ?? UnknownFieldAllowance(size: tape.bytes.count)
        self.allowance = allowance
        guard tape.node(index).kind == .object else {
            throw MalformedReceiptError(
                .unexpectedElement, at: tape.offset(tape.node(index)), expected: "\(expected) as an object")
        }
        var slots = [Int32](repeating: -1, count: VerifyReceiptFieldSet.names.count)
        var unread: [Int32] = []
        for name in tape.names(of: index) {
            let node = tape.node(name)
            let text = tape.text(node)
            guard let slot = fields.slot(named: text) else {
                // Unknown fields of a dictionary that an app has created aren't kept.
                if strictness == .strict, allowance.admits(name + 1, named: node, of: tape) {
                    unread.append(Int32(clamping: name))
                }
                continue
            }
            guard slots[slot] < 0 else {
                let name = String(decoding: text, as: UTF8.self)
                throw MalformedReceiptError(
                    .invalidValue, at: tape.offset(node), expected: "\(name) only once in \(expected)")
            }
            slots[slot] = Int32(clamping: name + 1)
        }
        self.slots = slots
        var unknown: [String: ReceiptValue] = [:]
        unknown.reserveCapacity(unread.count)
        for name in unread { unknown[tape.string(tape.node(Int(name)))] = tape.value(Int(name) + 1) }
        unknownFields = unknown
    }

    /// Whether unknown fields were left out so far, in any object of the response.
    var omitsUnknownFields: Bool { allowance.isExceeded }

    /// Returns the value of a field that access doesn't depend on, such as a text that the developer chooses. A value
    /// that `read` can't read is treated as missing and is added to `unknown`.
    func auxiliary<Value>(
        _ field: VerifyReceiptField, _ unknown: inout [String: ReceiptValue],
        _ read: (VerifyReceiptField) throws(MalformedReceiptError) -> Value?
    ) throws(MalformedReceiptError) -> Value? {
        do throws(MalformedReceiptError) {
            return try read(field)
        } catch {
            for slot in VerifyReceiptFieldSet.slots(of: field) where slots[slot] >= 0 {
                let value = Int(slots[slot])
                guard allowance.admits(value, named: tape.node(value - 1), of: tape) else { continue }
                unknown["\(VerifyReceiptFieldSet.names[slot])"] = tape.value(value)
            }
            return nil
        }
    }

    /// Calls `body` with the slots of the field's values that aren't `null`, the preferred name first, until `body`
    /// returns a result.
    private func first<Result>(
        of field: VerifyReceiptField, _ body: (Int) throws(MalformedReceiptError) -> Result?
    ) throws(MalformedReceiptError) -> Result? {
        for slot in VerifyReceiptFieldSet.slots(of: field) where slots[slot] >= 0 && node(slot).kind != .null {
            if let result = try body(slot) { return result }
        }
        return nil
    }

    private func node(_ slot: Int) -> JSONTape.Node {
        tape.node(Int(slots[slot]))
    }

    private static func isEmptyText(_ node: JSONTape.Node) -> Bool {
        node.kind == .string && node.start == node.end
    }

    /// Returns the slot of a value that isn't missing, `null` or `""`.
    private func filledSlot(_ field: VerifyReceiptField) -> Int? {
        VerifyReceiptFieldSet.slots(of: field).first {
            slots[$0] >= 0 && node($0).kind != .null && !Self.isEmptyText(node($0))
        }
    }

    /// Returns the index of the field's value; `nil` if the value is missing or `null`.
    func value(_ field: VerifyReceiptField) -> Int? {
        VerifyReceiptFieldSet.slots(of: field).first { slots[$0] >= 0 && node($0).kind != .null }.map { Int(slots[$0]) }
    }

    /// Returns whether the values of all names of the field are missing, `null` or `""`.
    func isEmpty(_ field: VerifyReceiptField) -> Bool {
        filledSlot(field) == nil
    }

    func malformed(_ field: VerifyReceiptField, _ expected: String) -> MalformedReceiptError {
        filledSlot(field).map { malformed($0, expected) } ?? missing(field)
    }

    private func malformed(_ slot: Int, _ expected: String) -> MalformedReceiptError {
        MalformedReceiptError(
            .invalidValue, at: tape.offset(node(slot)), expected: "\(VerifyReceiptFieldSet.names[slot]) as \(expected)")
    }

    func missing(_ field: VerifyReceiptField) -> MalformedReceiptError {
        MalformedReceiptError(
            .unexpectedElement, at: tape.offset(tape.node(index)), expected: "\(field.name) in the object",
            found: "no such name")
    }

    /// Returns the first value that `read` accepts. Unreadable values are malformed, or skipped in lenient reading.
    private func first<Value>(
        _ field: VerifyReceiptField, _ expected: String, _ read: (JSONTape.Node) -> Value?
    ) throws(MalformedReceiptError) -> Value? {
        try first(of: field) { (slot) throws(MalformedReceiptError) in
            let node = node(slot)
            if Self.isEmptyText(node) { return nil }
            let value = read(node)
            if value == nil { try skip(slot, expected) }
            return value
        }
    }

    /// Returns a short string, such as an identifier or a version, or the text of a number.
    func string(_ field: VerifyReceiptField) throws(MalformedReceiptError) -> String? {
        try first(field, Self.shortText) { node in
            (node.kind == .string || node.kind == .number) && node.length <= ReadingLimits.textLength
                ? tape.string(node) : nil
        }
    }

    // Created once, not for every field of every row.
    private static let shortText = "a string of at most \(ReadingLimits.textLength) bytes"

    /// Returns a string of any length.
    func text(_ field: VerifyReceiptField) throws(MalformedReceiptError) -> String? {
        try first(field, "a string") { node in node.kind == .string ? tape.string(node) : nil }
    }

    /// Returns a whole number, from a number or a string.
    func integer(_ field: VerifyReceiptField) throws(MalformedReceiptError) -> Int64? {
        try first(field, "a whole number", number)
    }

    /// Returns a numeric identifier; `nil` for 0, which the sandbox writes instead of an identifier.
    func identifier(_ field: VerifyReceiptField) throws(MalformedReceiptError) -> Int64? {
        try first(of: field) { (slot) throws(MalformedReceiptError) in
            let node = node(slot)
            if Self.isEmptyText(node) { return nil }
            let number = number(node)
            if number == nil { try skip(slot, "a whole number") }
            return number == 0 ? nil : number
        }
    }

    /// Returns a boolean from `true`, `"true"`, `"1"`, `1` or their opposites.
    func bool(_ field: VerifyReceiptField) throws(MalformedReceiptError) -> Bool? {
        try first(field, "true or false") { node in
            switch node.kind {
            case .isTrue: return true
            case .isFalse: return false
            case .string, .number:
                let text = tape.text(node)
                if Self.isWord(text, "true") || Self.isWord(text, "1") || Self.isWord(text, "yes") { return true }
                return Self.isWord(text, "false") || Self.isWord(text, "0") || Self.isWord(text, "no") ? false : nil
            case .null, .array, .object: return nil
            }
        }
    }

    /// Returns a date from milliseconds since 1970, as a number or a string, or from a formatted date.
    func date(_ field: VerifyReceiptField) throws(MalformedReceiptError) -> Date? {
        try first(field, "a date: milliseconds since 1970, or 2013-08-01 07:00:00 Etc/GMT") { node in
            guard node.kind == .string || node.kind == .number else { return nil }
            if let number = number(node), number.magnitude <= UInt64(VerifyReceiptDate.latestMilliseconds) {
                return Date(timeIntervalSince1970: Double(number) / 1_000)
            }
            return VerifyReceiptDate.date(tape.text(node))
        }
    }

    /// Calls `body` with the objects in an array, or with a single object.
    func objects(
        _ field: VerifyReceiptField, _ fields: VerifyReceiptFieldSet,
        _ body: (VerifyReceiptObject) throws(MalformedReceiptError) -> Void
    ) throws(MalformedReceiptError) {
        guard let value = value(field) else { return }
        switch tape.node(value).kind {
        case .object:
            try read(value, fields, "\(field.name)", body)
        case .array:
            let elements = tape.elements(of: value).lazy.filter { tape.node($0).kind != .null }
            for (place, element) in elements.enumerated() {
                do throws(MalformedReceiptError) {
                    try read(element, fields, "an element", body)
                } catch {
                    throw MalformedReceiptError(
                        error.code, at: error.offset, expected: "\(error.expected) of \(field.name)[\(place)]",
                        found: error.found)
                }
            }
        case .string where tape.node(value).start == tape.node(value).end: return
        default: if strictness == .strict { throw malformed(field, "an array of objects") }
        }
    }

    func application(at index: Int) throws(MalformedReceiptError) -> VerifyReceiptObject {
        try VerifyReceiptObject(tape, index, .application, "receipt", strictness, sharing: allowance)
    }

    /// Reads one object. Lenient reading skips an object that `body` can't read.
    func read(
        _ value: Int, _ fields: VerifyReceiptFieldSet, _ expected: String,
        _ body: (VerifyReceiptObject) throws(MalformedReceiptError) -> Void
    ) throws(MalformedReceiptError) {
        do throws(MalformedReceiptError) {
            try body(VerifyReceiptObject(tape, value, fields, expected, strictness, sharing: allowance))
        } catch {
            if strictness == .strict { throw error }
        }
    }

    /// Skips an unreadable value in lenient reading, and otherwise throws an error.
    private func skip(_ slot: Int, _ expected: String) throws(MalformedReceiptError) {
        if strictness == .strict { throw malformed(slot, expected) }
    }

    private func number(_ node: JSONTape.Node) -> Int64? {
        node.kind == .string || node.kind == .number ? Self.integer(tape.text(node)) : nil
    }

    /// Returns whether `text` is `word`, ignoring case. Compares bytes, so that the cost is proportional to the length.
    private static func isWord(_ text: ArraySlice<UInt8>, _ word: StaticString) -> Bool {
        word.withUTF8Buffer { word in
            text.count == word.count && zip(text, word).allSatisfy { $0 | 0x20 == $1 | 0x20 }
        }
    }

    /// Returns the whole number in `text`. Accepts a fraction of zeros, which some JSON encoders add.
    private static func integer(_ text: ArraySlice<UInt8>) -> Int64? {
        let isNegative = text.first == UInt8(ascii: "-")
        let unsigned = isNegative ? text.dropFirst() : text
        let digits = unsigned.prefix { (0x30...0x39).contains($0) }
        let rest = unsigned.dropFirst(digits.count)
        guard (1...18).contains(digits.count), rest.isEmpty || (rest.first == UInt8(ascii: ".") && rest.count > 1),
            rest.dropFirst().allSatisfy({ $0 == 0x30 })
        else { return nil }
        let magnitude = digits.reduce(Int64(0)) { $0 * 10 + Int64($1 - 0x30) }
        return isNegative ? -magnitude : magnitude
    }
}
