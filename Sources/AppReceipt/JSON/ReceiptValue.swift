public import Foundation

/// The unchanged value of a field that this library doesn't know.
public enum ReceiptValue: Hashable, Sendable, Codable {
    /// JSON's `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number as text, so that no digit is lost.
    case number(String)
    /// Text.
    case string(String)
    /// A list, or the values of a repeated attribute of a PKCS#7 receipt.
    case array([ReceiptValue])
    /// Named values.
    case object([String: ReceiptValue])
    /// The contents of an attribute of a PKCS#7 receipt.
    case data(Data)
}

extension ReceiptValue {
    // Not inlined into the comparisons of lists and objects.
    /// Returns whether two values are the same. Strings are compared byte by byte, without Unicode normalization.
    @inline(never)
    public static func == (left: ReceiptValue, right: ReceiptValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.number(let left), .number(let right)), (.string(let left), .string(let right)):
            left.hasSameBytes(as: right)
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        case (.data(let left), .data(let right)): left == right
        default: false
        }
    }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .bool(let value): hasher.combine(value)
        case .number(let text), .string(let text): hasher.combine(ByteKey(text))
        case .array(let elements): hasher.combine(elements)
        case .object(let members): hasher.combine(members)
        case .data(let bytes): hasher.combine(bytes)
        }
    }

    /// Reads a JSON text (RFC 8259). Of several members with the same name, the last one is used.
    ///
    /// - Throws: an error with the offset of the invalid text.
    package init(json: Data) throws(MalformedReceiptError) {
        self = try JSONTape(json, limits: .generous).value(0)
    }
}
