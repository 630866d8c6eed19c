import Foundation

/// One line of a delivery ledger's file.
enum LedgerRecord: Sendable, Hashable {
    /// A purchase was delivered.
    case delivered(DeliveredPurchase)
    /// A purchase with a context was requested, answered, or ended.
    case context(PurchaseContexts.Change)
    /// A kind of record that a later version of this package wrote, without the checksum.
    case unknown(String)

    /// The line without its line break: a checksum, and fields that contain no spaces.
    var line: String {
        let text = if case .unknown(let text) = self { text } else { fields.map(Self.escape).joined(separator: " ") }
        return "\(Self.checksum(Array(text.utf8)[...])) \(text)"
    }

    private var fields: [String] {
        switch self {
        case .delivered(let purchase):
            ["d", Self.text(purchase.deliveryDate), purchase.purchaseDate.map(Self.text) ?? "-", purchase.key]
        case .context(.requested(let context)):
            [
                "c", context.id.uuidString, Self.text(context.requestDate), context.productID,
                context.applicationUsername.map { "=" + $0 } ?? "-", context.deliveryKey.map { "=" + $0 } ?? "-",
                Data(context.json).base64EncodedString(),
            ]
        case .context(.answered(let id, let key)): ["a", id.uuidString, key]
        case .context(.ended(let id)): ["e", id.uuidString]
        case .unknown(let text): [text]
        }
    }

    /// Reads a line. Returns `nil` for a damaged line. A line whose checksum is right, and whose fields aren't those of
    /// this version, is kept as it is.
    init?(line: ArraySlice<UInt8>) {
        guard let space = line.firstIndex(of: UInt8(ascii: " ")) else { return nil }
        let text = line[(space + 1)...]
        guard line[..<space].elementsEqual(Self.checksum(text).utf8) else { return nil }
        self = Self.known(text) ?? .unknown(String(decoding: text, as: UTF8.self))
    }

    private static func known(_ text: ArraySlice<UInt8>) -> LedgerRecord? {
        let fields = text.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false).map {
            Self.unescape(Array($0))
        }
        switch fields.first {
        case "d" where fields.count == 4:
            guard let date = Self.date(fields[1]) else { return nil }
            return .delivered(DeliveredPurchase(key: fields[3], purchaseDate: Self.date(fields[2]), deliveryDate: date))
        case "c" where fields.count == 7:
            guard let id = UUID(uuidString: fields[1]), let date = Self.date(fields[2]),
                let json = Data(base64Encoded: fields[6]),
                json.count <= PurchaseContext.largestSize
            else { return nil }
            return .context(
                .requested(
                    PurchaseContext(
                        id: id, productID: fields[3], requestDate: date, json: Array(json),
                        applicationUsername: Self.optional(fields[4]),
                        deliveryKey: Self.optional(fields[5]))))
        case "a" where fields.count == 3:
            guard let id = UUID(uuidString: fields[1]) else { return nil }
            return .context(.answered(id, deliveryKey: fields[2]))
        case "e" where fields.count == 2:
            guard let id = UUID(uuidString: fields[1]) else { return nil }
            return .context(.ended(id))
        default: return nil
        }
    }

    private static func optional(_ field: String) -> String? {
        field.hasPrefix("=") ? String(field.dropFirst()) : nil
    }

    /// FNV-1a with 32 bits, in hexadecimal: it detects cut or damaged records, and doesn't protect from manipulation.
    static func checksum(_ text: ArraySlice<UInt8>) -> String {
        var hash: UInt32 = 0x811c_9dc5
        for byte in text { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }

    /// Milliseconds since 1970. A date beyond year 10000 or before 1970 is brought into that range.
    static func text(_ date: Date) -> String {
        let milliseconds = (date.timeIntervalSince1970 * 1_000).rounded()
        return String(Int64(milliseconds.isFinite ? min(max(0, milliseconds), longestTime) : 0))
    }

    static func date(_ text: String) -> Date? {
        guard let milliseconds = Int64(text), milliseconds >= 0, Double(milliseconds) <= longestTime else { return nil }
        return Date(timeIntervalSince1970: Double(milliseconds) / 1_000)
    }

    private static let longestTime = 253_402_300_800_000.0

    /// Replaces each percent sign, each space, and each control character by a percent sign and two hexadecimal digits.
    private static func escape(_ field: String) -> String {
        guard field.utf8.contains(where: { $0 <= 0x20 || $0 == UInt8(ascii: "%") || $0 == 0x7F }) else { return field }
        return String(
            decoding: field.utf8.flatMap { byte -> [UInt8] in
                guard byte <= 0x20 || byte == UInt8(ascii: "%") || byte == 0x7F else { return [byte] }
                return Array((byte < 16 ? "%0" : "%").utf8) + Array(String(byte, radix: 16).utf8)
            }, as: UTF8.self)
    }

    private static func unescape(_ field: [UInt8]) -> String {
        guard field.contains(UInt8(ascii: "%")) else { return String(decoding: field, as: UTF8.self) }
        var bytes: [UInt8] = []
        var rest = field[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2)
            if byte == UInt8(ascii: "%"), digits.count == 2,
                let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
