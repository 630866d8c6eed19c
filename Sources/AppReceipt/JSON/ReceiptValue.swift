public import Foundation

/// A value of a field this library does not know, kept as it came.
public enum ReceiptValue: Hashable, Sendable, Codable {
    /// JSON's `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number, spelled as in the source: no digit is lost to floating point.
    case number(String)
    /// Text.
    case string(String)
    /// A list; also the values of an attribute that a PKCS#7 receipt repeats.
    case array([ReceiptValue])
    /// Named values.
    case object([String: ReceiptValue])
    /// The contents of an attribute of a PKCS#7 receipt.
    case data(Data)
}

extension ReceiptValue {
    /// Whether both are the same, byte by byte: texts that differ in the composition of a character differ.
    public static func == (left: ReceiptValue, right: ReceiptValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.number(let left), .number(let right)), (.string(let left), .string(let right)): left.hasSameBytes(as: right)
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

    /// Reads a JSON text (RFC 8259). Of members of the same name the last counts.
    ///
    /// - Throws: the offset at which the text stops being JSON.
    package init(json: Data) throws(MalformedReceiptError) {
        self = try JSONTape(json, limits: .generous).value(0)
    }
}
