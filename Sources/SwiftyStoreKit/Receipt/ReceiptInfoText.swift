import Foundation

/// Writes the objects of a receipt dictionary as JSON text for the receipt parser.
///
/// `JSONSerialization` crashes on values without a JSON form, and is slower. This type writes a number as a string,
/// which the parser accepts, a date as milliseconds since 1970, and any other value as `null`.
struct ReceiptInfoText {
    private(set) var bytes: [UInt8] = []
    /// Whether all visited objects are immutable. Foundation on Linux returns copies of the objects inside a container,
    /// so there only the outermost objects count, which the caller checks.
    private(set) var isImmutable = true

    /// Receipts have four levels. The limit ends the traversal of a list that contains itself.
    private static let maximumDepth = 16

    mutating func append(_ value: Any, depth: Int = 0) {
        guard depth < Self.maximumDepth else { return append(json: "null") }
        recordMutability(of: value)
        switch value {
        case let text as String: append(text)
        case let object as [AnyHashable: Any]: append(object, depth: depth)
        case let list as [Any]:
            append(json: "[")
            for (place, element) in list.enumerated() {
                if place > 0 { append(json: ",") }
                append(element, depth: depth + 1)
            }
            append(json: "]")
        // Check for numbers last: for this cast, Foundation on Linux bridges the whole content of a container.
        case let number as NSNumber: append(Self.text(of: number))
        case let date as Date: append(Self.text(of: date.timeIntervalSince1970 * 1_000) ?? "")
        default: append(json: "null")
        }
    }

    private mutating func append(_ object: [AnyHashable: Any], depth: Int) {
        append(json: "{")
        var isFirst = true
        for (name, value) in object {
            guard let name = name.base as? String else { continue }
            if !isFirst { append(json: ",") }
            isFirst = false
            append(name)
            append(json: ":")
            append(value, depth: depth + 1)
        }
        append(json: "}")
    }

    mutating func append(json: StaticString) {
        json.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    /// Appends a string in quotation marks (RFC 8259, section 7).
    mutating func append(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { source in
            guard source.contains(where: { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }) else {
                return bytes.append(contentsOf: source)
            }
            for byte in source {
                switch byte {
                case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                    bytes.append(UInt8(ascii: "\\"))
                    bytes.append(byte)
                case 0..<0x20: bytes.append(contentsOf: Array(String(format: "\\u%04x", Int(byte)).utf8))
                default: bytes.append(byte)
                }
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Returns whether an object is immutable: copying an immutable object returns the object itself.
    static func isImmutable(_ object: AnyObject) -> Bool {
        guard let object = object as? any NSCopying else { return true }
        return object.copy(with: nil) as AnyObject === object as AnyObject
    }

    private mutating func recordMutability(of value: Any) {
        guard isImmutable, type(of: value) is AnyClass else { return }
        isImmutable = Self.isImmutable(value as AnyObject)
    }

    private static func text(of number: NSNumber) -> String {
        let spelled = number.stringValue
        // A Double can't represent large identifiers exactly.
        let isWhole = spelled.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") }
        return isWhole ? spelled : text(of: number.doubleValue) ?? spelled
    }

    private static func text(of number: Double) -> String? {
        Int64(exactly: number.rounded()).map { "\($0)" }
    }
}
