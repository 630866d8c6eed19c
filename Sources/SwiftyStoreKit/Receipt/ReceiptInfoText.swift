import AppReceipt
import Foundation

/// Spells the objects of a receipt dictionary as JSON text, for the one reader of receipts to read.
///
/// `JSONSerialization` stops the process at what JSON has no word for, and needs longer. Here every number is spelled as a string, which
/// the reader takes for a number all the same; a date is milliseconds since 1970; what cannot be spelled is `null`.
struct ReceiptInfoText {
    private(set) var bytes: [UInt8] = []
    /// Whether nothing was met that can change. On Linux, where Foundation hands out copies of what is inside an object, only the
    /// outermost objects can be seen; the caller looks at those.
    private(set) var isImmutable = true

    /// Receipts nest four deep; a list that an app has put into itself has no end.
    private static let maximumDepth = 16

    mutating func append(_ value: Any, depth: Int = 0) {
        guard depth < Self.maximumDepth else { return append(json: "null") }
        noteMutability(of: value)
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
        // Only now: to see whether it is a number, Foundation on Linux makes an object of all that is in a container.
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

    /// A string in quotation marks (RFC 8259, 7).
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

    /// Objects that cannot change are their own copies.
    static func isImmutable(_ object: AnyObject) -> Bool {
        guard let object = object as? any NSCopying else { return true }
        return object.copy(with: nil) as AnyObject === object as AnyObject
    }

    private mutating func noteMutability(of value: Any) {
        guard isImmutable, type(of: value) is AnyClass else { return }
        isImmutable = Self.isImmutable(value as AnyObject)
    }

    private static func text(of number: NSNumber) -> String {
        let spelled = number.stringValue
        // Identifiers can be greater than a Double holds exactly.
        let isWhole = spelled.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") }
        return isWhole ? spelled : text(of: number.doubleValue) ?? spelled
    }

    private static func text(of number: Double) -> String? {
        Int64(exactly: number.rounded()).map { "\($0)" }
    }
}

extension ReceiptInfo {
    /// Foundation objects that cannot change, the same on every platform, for what a server said.
    init(_ members: [String: ReceiptValue]) {
        self = members.mapValues { $0.foundationObject }
    }
}

extension ReceiptValue {
    fileprivate var foundationObject: NSObject {
        switch self {
        case .null: NSNull()
        case .bool(let flag): NSNumber(value: flag)
        case .number(let text): Self.number(text)
        case .string(let text): NSString(string: text)
        case .array(let elements): NSArray(array: elements.map(\.foundationObject))
        case .object(let members): NSDictionary(dictionary: members.mapValues(\.foundationObject))
        case .data(let data): NSData(data: data)
        }
    }

    /// A whole number as one, so that no digit of an identifier is lost.
    private static func number(_ text: String) -> NSNumber {
        if let number = Int64(text) { return NSNumber(value: number) }
        if let number = UInt64(text) { return NSNumber(value: number) }
        return NSNumber(value: Double(text) ?? .nan)
    }
}
