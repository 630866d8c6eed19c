import Foundation

/// The fields of a JSON object, read by name, with the place of each for errors.
struct SignedPayloadFields {
    private let values: [String: ReceiptValue]
    private let offsets: [String: Int]

    /// Reads an object; a name that occurs twice could be read two ways, and is refused (RFC 7515, 4; RFC 8259, 4).
    init(_ bytes: [UInt8], _ expected: String) throws(MalformedReceiptError) {
        let tape = try JSONTape(bytes)
        guard tape.node(0).kind == .object else {
            throw MalformedReceiptError(.unexpectedElement, at: 0, expected: "a JSON object (\(expected))")
        }
        var values: [String: ReceiptValue] = [:]
        var offsets: [String: Int] = [:]
        try tape.forEachName(of: 0) { (name) throws(MalformedReceiptError) in
            let text = tape.string(tape.node(name))
            guard offsets[text] == nil else {
                throw MalformedReceiptError(
                    .invalidValue, at: tape.offset(tape.node(name)), expected: "each name once", found: "“\(text)” again")
            }
            values[text] = try tape.value(name + 1)
            offsets[text] = tape.offset(tape.node(name + 1))
        }
        self.values = values
        self.offsets = offsets
    }

    private init(_ values: [String: ReceiptValue], offset: Int) {
        self.values = values
        offsets = values.mapValues { _ in offset }
    }

    /// A value that is there and not null.
    subscript(_ name: String) -> ReceiptValue? {
        switch values[name] {
        case nil, .null?: nil
        case let value?: value
        }
    }

    private func malformed(_ name: String, _ expected: String) -> MalformedReceiptError {
        MalformedReceiptError(.invalidValue, at: offsets[name] ?? 0, expected: "\(expected) as \(name)")
    }

    /// Takes a field that has to be there.
    func required<Value>(_ name: String, _ value: Value?) throws(MalformedReceiptError) -> Value {
        guard let value else {
            throw MalformedReceiptError(.unexpectedElement, at: 0, expected: "a field “\(name)”", found: "none")
        }
        return value
    }

    func string(_ name: String) throws(MalformedReceiptError) -> String? {
        guard let value = self[name] else { return nil }
        guard case .string(let text) = value else { throw malformed(name, "text") }
        return text
    }

    func bool(_ name: String) throws(MalformedReceiptError) -> Bool? {
        guard let value = self[name] else { return nil }
        guard case .bool(let flag) = value else { throw malformed(name, "true or false") }
        return flag
    }

    func integer(_ name: String) throws(MalformedReceiptError) -> Int64? {
        guard let value = self[name] else { return nil }
        guard case .number(let text) = value, let number = Int64(text) ?? Double(text).flatMap(Int64.init(exactly:)) else {
            throw malformed(name, "a whole number")
        }
        return number
    }

    /// A number of things.
    func count(_ name: String) throws(MalformedReceiptError) -> Int? {
        guard let number = try integer(name) else { return nil }
        guard number >= 0, let count = Int(exactly: number) else { throw malformed(name, "a count") }
        return count
    }

    /// A price, which is sent in thousandths of the currency's unit.
    func price(_ name: String) throws(MalformedReceiptError) -> Decimal? {
        try integer(name).map { Decimal($0) / 1_000 }
    }

    /// A switch that is sent as 0 or 1.
    func flag(_ name: String) throws(MalformedReceiptError) -> Bool? {
        guard let number = try integer(name) else { return nil }
        guard number == 0 || number == 1 else { throw malformed(name, "0 or 1") }
        return number == 1
    }

    /// Milliseconds since 1970, within the years that a calendar can show.
    func date(_ name: String) throws(MalformedReceiptError) -> Date? {
        guard let value = self[name] else { return nil }
        guard case .number(let text) = value, let number = Double(text), abs(number) <= 253_402_300_799_999 else {
            throw malformed(name, "milliseconds since 1970")
        }
        return Date(timeIntervalSince1970: number / 1_000)
    }

    func uuid(_ name: String) throws(MalformedReceiptError) -> UUID? {
        guard let text = try string(name) else { return nil }
        guard let identifier = UUID(uuidString: text) else { throw malformed(name, "a UUID") }
        return identifier
    }

    func strings(_ name: String) throws(MalformedReceiptError) -> [String]? {
        guard let value = self[name] else { return nil }
        guard case .array(let elements) = value else { throw malformed(name, "a list of texts") }
        var texts: [String] = []
        for element in elements {
            guard case .string(let text) = element else { throw malformed(name, "a list of texts") }
            texts.append(text)
        }
        return texts
    }

    func fields(_ name: String) throws(MalformedReceiptError) -> SignedPayloadFields? {
        guard let value = self[name] else { return nil }
        guard case .object(let members) = value else { throw malformed(name, "an object") }
        return SignedPayloadFields(members, offset: offsets[name] ?? 0)
    }

    /// The fields that are not among `names`.
    func remaining(besides names: Set<String>) -> [String: ReceiptValue] {
        values.filter { !names.contains($0.key) }
    }
}
