package import Foundation

/// The fields of a JSON object, by the bytes of their names. Models read their fields. The remaining fields are unknown
/// to this library and are kept.
package struct SignedPayloadFields: Sendable {
    private let tape: JSONTape
    private let offset: Int
    private var places: [ByteKey: Place] = [:]
    /// Whether an unreadable field is treated as unknown and is kept. Otherwise, the payload is malformed.
    ///
    /// `false` for fields that access depends on. A new format of a price or a storefront must not make a purchase
    /// unreadable.
    package var keepsUnreadable = false
    /// Whether unknown fields are kept. Those of all objects inside one together need no more memory than the
    /// allowance.
    private var keepsUnknown = true
    /// Whether unknown fields were left out, because they need too much memory.
    package private(set) var omitsUnknownFields = false

    private struct Place {
        let node: Int
        var isRead = false
    }

    /// Reads an object. Duplicate names are ambiguous and therefore malformed (RFC 7515, section 4; RFC 8259, section
    /// 4).
    init(_ bytes: [UInt8], _ expected: String) throws(MalformedReceiptError) {
        try self.init(JSONTape(bytes), 0, expected)
    }

    /// Reads the object in the body of a request, which contains a token.
    package init(requestBody: Data) throws(MalformedReceiptError) {
        let limits = JSONTape.Limits(maximumSize: ReadingLimits.requestBodySize)
        try self.init(JSONTape(requestBody, limits: limits), 0, "the body of a request")
    }

    private init(_ tape: JSONTape, _ index: Int, _ expected: String) throws(MalformedReceiptError) {
        offset = tape.offset(tape.node(index))
        guard tape.node(index).kind == .object else {
            throw MalformedReceiptError(.unexpectedElement, at: offset, expected: "a JSON object (\(expected))")
        }
        self.tape = tape
        let names = Array(tape.names(of: index))
        places.reserveCapacity(names.count)
        for name in names {
            let text = tape.string(tape.node(name))
            guard places.updateValue(Place(node: name + 1), forKey: ByteKey(text)) == nil else {
                throw MalformedReceiptError(
                    .invalidValue, at: tape.offset(tape.node(name)), expected: "each name once",
                    found: "“\(text)” again")
            }
        }
    }

    /// Returns whether the object has a field with a name. The value may be `null`.
    package func contains(_ name: String) -> Bool {
        places[ByteKey(name)] != nil
    }

    /// Returns the node of a value; `nil` if the field is missing or `null`.
    private mutating func node(_ name: String) -> (index: Int, node: JSONTape.Node)? {
        guard let place = places[ByteKey(name)] else { return nil }
        places[ByteKey(name)]?.isRead = true
        let node = tape.node(place.node)
        return node.kind == .null ? nil : (place.node, node)
    }

    /// Returns the offset of a field's value; the object's offset if the field is missing.
    func offset(of name: String) -> Int {
        places[ByteKey(name)].map { tape.offset(tape.node($0.node)) } ?? offset
    }

    private func malformed(_ name: String, _ expected: String) -> MalformedReceiptError {
        MalformedReceiptError(.invalidValue, at: offset(of: name), expected: "\(expected) as \(name)")
    }

    /// Throws an error for an unreadable field, or keeps the field as unknown.
    private mutating func reject<Value>(_ name: String, _ expected: String) throws(MalformedReceiptError) -> Value? {
        guard keepsUnreadable else { throw malformed(name, expected) }
        places[ByteKey(name)]?.isRead = false
        return nil
    }

    private func missing(_ name: String) -> MalformedReceiptError {
        MalformedReceiptError(.unexpectedElement, at: offset, expected: "a field “\(name)”", found: "none")
    }

    /// Returns a required short string, such as an identifier, which isn't empty.
    package mutating func requiredString(_ name: String) throws(MalformedReceiptError) -> String {
        guard let text = try string(name) else { throw missing(name) }
        guard !text.isEmpty else { throw malformed(name, "text") }
        return text
    }

    package mutating func requiredDate(_ name: String) throws(MalformedReceiptError) -> Date {
        guard let date = try date(name) else { throw missing(name) }
        return date
    }

    /// Returns a short string, such as an identifier.
    package mutating func string(_ name: String) throws(MalformedReceiptError) -> String? {
        guard let (_, node) = node(name) else { return nil }
        guard node.kind == .string, node.length <= ReadingLimits.textLength else {
            return try reject(name, "text of at most \(ReadingLimits.textLength) bytes")
        }
        return tape.string(node)
    }

    /// Returns a nested JSON Web Signature.
    package mutating func token(_ name: String) throws(MalformedReceiptError) -> String? {
        guard let (_, node) = node(name) else { return nil }
        guard node.kind == .string else { return try reject(name, "a signed text") }
        return tape.string(node)
    }

    mutating func bool(_ name: String) throws(MalformedReceiptError) -> Bool? {
        guard let (_, node) = node(name) else { return nil }
        guard node.kind == .isTrue || node.kind == .isFalse else { return try reject(name, "true or false") }
        return node.kind == .isTrue
    }

    private mutating func number(_ name: String, _ expected: String) throws(MalformedReceiptError) -> String? {
        guard let (_, node) = node(name) else { return nil }
        guard node.kind == .number else { return try reject(name, expected) }
        return tape.string(node)
    }

    package mutating func integer(_ name: String) throws(MalformedReceiptError) -> Int64? {
        guard let text = try number(name, "a whole number") else { return nil }
        guard let number = Int64(text) ?? Double(text).flatMap(Int64.init(exactly:)) else {
            return try reject(name, "a whole number")
        }
        return number
    }

    mutating func count(_ name: String) throws(MalformedReceiptError) -> Int? {
        guard let number = try integer(name) else { return nil }
        guard number >= 0, let count = Int(exactly: number) else { return try reject(name, "a count") }
        return count
    }

    /// Returns a price, which is sent in thousandths of the currency's unit.
    mutating func price(_ name: String) throws(MalformedReceiptError) -> Decimal? {
        try integer(name).map { Decimal($0) / 1_000 }
    }

    /// Returns a flag, which is sent as 0 or 1.
    mutating func flag(_ name: String) throws(MalformedReceiptError) -> Bool? {
        guard let number = try integer(name) else { return nil }
        guard number == 0 || number == 1 else { return try reject(name, "0 or 1") }
        return number == 1
    }

    /// Returns a date, which is sent in milliseconds since 1970, up to the year 9999.
    package mutating func date(_ name: String) throws(MalformedReceiptError) -> Date? {
        guard let text = try number(name, "milliseconds since 1970") else { return nil }
        guard let number = Double(text), abs(number) <= 253_402_300_799_999 else {
            return try reject(name, "milliseconds since 1970")
        }
        return Date(timeIntervalSince1970: number / 1_000)
    }

    /// Returns a UUID that the app or its server chose. Apple documents the empty string for none. Any other value is
    /// kept as unknown, because the purchase doesn't depend on it.
    mutating func uuid(_ name: String) throws(MalformedReceiptError) -> UUID? {
        try auxiliary { (fields) throws(MalformedReceiptError) in
            guard let text = try fields.string(name), !text.isEmpty else { return nil }
            return try fields.assignedUUID(name)
        }
    }

    /// Reads fields that access doesn't depend on: an unreadable one is treated as unknown and is kept.
    mutating func auxiliary<Value>(
        _ read: (inout SignedPayloadFields) throws(MalformedReceiptError) -> Value
    ) throws(MalformedReceiptError) -> Value {
        let isLenient = keepsUnreadable
        keepsUnreadable = true
        defer { keepsUnreadable = isLenient }
        return try read(&self)
    }

    mutating func assignedUUID(_ name: String) throws(MalformedReceiptError) -> UUID? {
        guard let text = try string(name) else { return nil }
        guard let identifier = UUID(uuidString: text) else { return try reject(name, "a UUID") }
        return identifier
    }

    /// Returns a required UUID that Apple assigned.
    package mutating func requiredUUID(_ name: String) throws(MalformedReceiptError) -> UUID {
        guard let identifier = try assignedUUID(name) else { throw missing(name) }
        return identifier
    }

    package mutating func environment(_ name: String) throws(MalformedReceiptError) -> ReceiptEnvironment? {
        try string(name).map { ReceiptEnvironment.reading($0).environment }
    }

    /// Returns the bytes of a text in Base64.
    mutating func data(_ name: String) throws(MalformedReceiptError) -> Data? {
        guard let text = try string(name) else { return nil }
        guard let bytes = Base64.decode(text) else { return try reject(name, "Base64") }
        return Data(bytes)
    }

    package mutating func strings(_ name: String) throws(MalformedReceiptError) -> [String]? {
        guard let (index, node) = node(name) else { return nil }
        guard node.kind == .array else { return try reject(name, "a list of texts") }
        let elements = tape.elements(of: index).map(tape.node)
        guard elements.allSatisfy({ $0.kind == .string && $0.length <= ReadingLimits.textLength }) else {
            return try reject(name, "a list of texts")
        }
        return elements.map(tape.string)
    }

    /// Returns the bytes of the strings in a list, which may have any length; `nil` if there is no list. The list must
    /// have at most `limit` elements.
    mutating func sources(_ name: String, limit: Int) throws(MalformedReceiptError) -> [ArraySlice<UInt8>]? {
        guard let (index, node) = node(name) else { return nil }
        guard node.kind == .array else { return nil }
        var texts: [ArraySlice<UInt8>] = []
        for element in tape.elements(of: index) {
            guard texts.count < limit, tape.node(element).kind == .string else {
                throw malformed(name, "a list of at most \(limit) texts")
            }
            texts.append(tape.text(tape.node(element)))
        }
        return texts
    }

    package mutating func fields(_ name: String) throws(MalformedReceiptError) -> SignedPayloadFields? {
        guard let (index, node) = node(name) else { return nil }
        guard node.kind == .object else { return try reject(name, "an object") }
        return try inner(index, name)
    }

    private func inner(_ index: Int, _ name: String) throws(MalformedReceiptError) -> SignedPayloadFields {
        var inner = try SignedPayloadFields(tape, index, name)
        inner.keepsUnreadable = keepsUnreadable
        inner.keepsUnknown = keepsUnknown
        return inner
    }

    private func admits(_ index: Int) -> Bool {
        UnknownFieldAllowance(size: tape.bytes.count).admits(index, named: tape.node(index - 1), of: tape)
    }

    /// Returns an object that `read` creates from its fields. If `read` returns `nil`, the object is treated as unknown
    /// and is kept.
    mutating func object<Value>(
        _ name: String, _ read: (inout SignedPayloadFields) throws(MalformedReceiptError) -> Value?
    ) throws(MalformedReceiptError) -> Value? {
        guard var inner = try fields(name) else { return nil }
        inner.keepsUnknown = keepsUnknown && places[ByteKey(name)].map { admits($0.node) } ?? false
        guard let value = try read(&inner) else {
            places[ByteKey(name)]?.isRead = false
            return nil
        }
        omitsUnknownFields = omitsUnknownFields || inner.omitsUnknownFields
        return value
    }

    /// Returns the identifier of a transaction, which is sent as text or as a number.
    mutating func identifier(_ name: String) throws(MalformedReceiptError) -> String? {
        guard let (_, node) = node(name) else { return nil }
        return node.kind == .number ? try integer(name).map { "\($0)" } : try string(name)
    }

    mutating func value(_ name: String) throws(MalformedReceiptError) -> ReceiptValue? {
        guard let (index, _) = node(name) else { return nil }
        guard admits(index) else {
            omitsUnknownFields = true
            return nil
        }
        return tape.value(index)
    }

    /// Returns the unchanged fields that no model has read. If they need too much memory, the last ones of the text are
    /// left out.
    package mutating func unread() throws(MalformedReceiptError) -> [String: ReceiptValue] {
        // In the order of the text, because that of a dictionary isn't the same in every process.
        let unread = places.filter { !$0.value.isRead }.sorted { $0.value.node < $1.value.node }
        guard keepsUnknown else {
            omitsUnknownFields = omitsUnknownFields || !unread.isEmpty
            return [:]
        }
        var fields: [String: ReceiptValue] = [:]
        fields.reserveCapacity(unread.count)
        let allowance = UnknownFieldAllowance(size: tape.bytes.count)
        for (name, place) in unread
        where allowance.admits(place.node, named: tape.node(place.node - 1), of: tape) {
            fields[name.text] = tape.value(place.node)
        }
        omitsUnknownFields = omitsUnknownFields || allowance.isExceeded
        return fields
    }
}
