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
    /// Reads a JSON text (RFC 8259). Of members of the same name the last counts.
    ///
    /// - Throws: the offset at which the text stops being JSON.
    package init(json: Data) throws(MalformedReceiptError) {
        self = try JSONTape([UInt8](json), limits: .generous).value(0)
    }
}
