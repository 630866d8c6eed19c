import Foundation

/// One object of `verifyReceipt`'s JSON, with its known fields found and typed accessors for them.
///
/// Apple writes numbers as strings and as numbers, booleans as `"true"`, `"1"`, `true` and `1`, and nothing as `null`, as `""` or as a missing
/// name; all of these are read. Anything else is malformed, with the offset of the value.
struct VerifyReceiptObject {
    let tape: JSONTape
    let index: Int
    /// The node of each field's value, or -1.
    private var slots: [Int32]
    let unknownFields: [String: ReceiptValue]
    let strictness: Strictness

    /// What happens to a value that cannot be read.
    enum Strictness: Sendable {
        /// It is malformed, and with it the answer.
        case strict
        /// It reads as missing; a row that lacks what it needs is left out. For dictionaries that somebody has put together.
        case lenient
    }

    private static let slotCount = VerifyReceiptField.allCases.count

    init(
        _ tape: JSONTape, _ index: Int, _ fields: VerifyReceiptFieldSet, _ expected: String, _ strictness: Strictness = .strict
    ) throws(MalformedReceiptError) {
        self.tape = tape
        self.index = index
        self.strictness = strictness
        guard tape.node(index).kind == .object else {
            throw MalformedReceiptError(.unexpectedElement, at: tape.offset(tape.node(index)), expected: "\(expected) as an object")
        }
        var slots = [Int32](repeating: -1, count: Self.slotCount)
        var unknown: [String: ReceiptValue] = [:]
        try tape.forEachName(of: index) { (name) throws(MalformedReceiptError) in
            let node = tape.node(name)
            guard let field = fields.field(named: tape.text(node)) else {
                unknown[tape.string(node)] = try tape.value(name + 1)
                return
            }
            guard slots[field.rawValue] < 0 else {
                throw MalformedReceiptError(.invalidValue, at: tape.offset(node), expected: "\(field.name) only once in \(expected)")
            }
            slots[field.rawValue] = Int32(clamping: name + 1)
        }
        self.slots = slots
        unknownFields = unknown
    }

    /// The index of the field's value; `nil` when it is missing or `null`.
    func value(_ field: VerifyReceiptField) -> Int? {
        let slot = Int(slots[field.rawValue])
        return slot < 0 || tape.node(slot).kind == .null ? nil : slot
    }

    /// Whether the field is missing, `null` or `""`.
    func isEmpty(_ field: VerifyReceiptField) -> Bool {
        guard let value = value(field) else { return true }
        let node = tape.node(value)
        return node.kind == .string && node.start == node.end
    }

    func malformed(_ field: VerifyReceiptField, _ expected: String) -> MalformedReceiptError {
        guard let value = value(field) else { return missing(field) }
        return MalformedReceiptError(.invalidValue, at: tape.offset(tape.node(value)), expected: "\(field.name) as \(expected)")
    }

    func missing(_ field: VerifyReceiptField) -> MalformedReceiptError {
        MalformedReceiptError(
            .unexpectedElement, at: tape.offset(tape.node(index)), expected: "\(field.name) in the object", found: "no such name")
    }

    /// Text, or a number as it is spelled, from the first of `fields` that is neither missing nor `null` nor empty.
    func string(_ fields: VerifyReceiptField...) throws(MalformedReceiptError) -> String? {
        for field in fields {
            guard let value = value(field) else { continue }
            let node = tape.node(value)
            guard node.kind == .string || node.kind == .number else {
                try skip(field, "a string")
                continue
            }
            if node.start != node.end { return tape.string(node) }
        }
        return nil
    }

    /// A whole number, or a string with one.
    func integer(_ field: VerifyReceiptField) throws(MalformedReceiptError) -> Int64? {
        guard let value = value(field) else { return nil }
        let node = tape.node(value)
        let isSpelled = node.kind == .string || node.kind == .number
        if isSpelled, node.start == node.end { return nil }
        if isSpelled, let number = Self.integer(tape.text(node)) { return number }
        try skip(field, "a whole number")
        return nil
    }

    /// `true`, `"true"`, `"1"`, `1` and their opposites.
    func bool(_ field: VerifyReceiptField) throws(MalformedReceiptError) -> Bool? {
        guard let value = value(field) else { return nil }
        let node = tape.node(value)
        switch node.kind {
        case .isTrue: return true
        case .isFalse: return false
        case .string, .number:
            if node.start == node.end { return nil }
            switch tape.string(node).lowercased() {
            case "true", "1", "yes": return true
            case "false", "0", "no": return false
            default: break
            }
        case .null, .array, .object: break
        }
        try skip(field, "true or false")
        return nil
    }

    /// Milliseconds since 1970, as a number or a string, or a date in words, from the first of `fields` that has one.
    func date(_ fields: VerifyReceiptField...) throws(MalformedReceiptError) -> Date? {
        for field in fields {
            guard let value = value(field) else { continue }
            let node = tape.node(value)
            guard node.kind == .string || node.kind == .number else {
                try skip(field, "a date")
                continue
            }
            if node.start == node.end { continue }
            let text = tape.text(node)
            if let number = Self.integer(text), number.magnitude <= UInt64(VerifyReceiptDate.latestMilliseconds) {
                return Date(timeIntervalSince1970: Double(number) / 1_000)
            }
            if let date = VerifyReceiptDate.date(text) { return date }
            try skip(field, "a date: milliseconds since 1970, or 2013-08-01 07:00:00 Etc/GMT")
        }
        return nil
    }

    /// The objects in an array, a single object that stands for an array of one, or none.
    func objects(
        _ field: VerifyReceiptField, _ fields: VerifyReceiptFieldSet, _ body: (VerifyReceiptObject) throws(MalformedReceiptError) -> Void
    ) throws(MalformedReceiptError) {
        guard let value = value(field) else { return }
        switch tape.node(value).kind {
        case .object:
            try read(value, fields, "\(field.name)", body)
        case .array:
            var count = 0
            try tape.forEachElement(of: value) { (element) throws(MalformedReceiptError) in
                if tape.node(element).kind == .null { return }
                let place = count
                count += 1
                do throws(MalformedReceiptError) {
                    try read(element, fields, "an element", body)
                } catch {
                    throw MalformedReceiptError(
                        error.code, at: error.offset, expected: "\(error.expected) of \(field.name)[\(place)]", found: error.found)
                }
            }
        case .string where tape.node(value).start == tape.node(value).end: return
        default: try skip(field, "an array of objects")
        }
    }

    /// Reads one object; in lenient reading, one that `body` cannot read is left out.
    func read(
        _ value: Int, _ fields: VerifyReceiptFieldSet, _ expected: String,
        _ body: (VerifyReceiptObject) throws(MalformedReceiptError) -> Void
    ) throws(MalformedReceiptError) {
        do throws(MalformedReceiptError) {
            try body(VerifyReceiptObject(tape, value, fields, expected, strictness))
        } catch {
            if strictness == .strict { throw error }
        }
    }

    /// Goes over a value that cannot be read, where that is allowed.
    private func skip(_ field: VerifyReceiptField, _ expected: String) throws(MalformedReceiptError) {
        if strictness == .strict { throw malformed(field, expected) }
    }

    /// The whole number in `text`; a fraction of zeros, which some JSON writers add, is accepted.
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
