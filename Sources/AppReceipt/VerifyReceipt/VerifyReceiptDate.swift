import Foundation

/// Reads the dates in `verifyReceipt`'s JSON: `2013-08-01 07:00:00 Etc/GMT`, `2013-08-01 00:00:00 America/Los_Angeles`.
enum VerifyReceiptDate {
    /// The last millisecond of the year 9999; the dates Apple gives for "never" lie before it.
    static let latestMilliseconds: Int64 = 253_402_300_799_999

    /// The date in `text`, or `nil` when it is none; dates as PKCS#7 receipts write them are read as well.
    static func date(_ text: ArraySlice<UInt8>) -> Date? {
        let clock = text.prefix(clockLength)
        let rest = text.dropFirst(clockLength)
        guard rest.first == UInt8(ascii: " ") else { return ReceiptTimestamp.date(text) }
        guard let shown = ReceiptTimestamp.date(clock + [UInt8(ascii: "Z")]) else { return nil }
        let zone = rest.dropFirst()
        if zone.elementsEqual("Etc/GMT".utf8) { return shown }
        guard zone.count <= longestZone, let zone = TimeZone(identifier: String(decoding: zone, as: UTF8.self)) else { return nil }
        return date(shown, in: zone)
    }

    private static let clockLength = 19
    private static let longestZone = 40

    /// The instant at which clocks in `zone` show what clocks in Greenwich show at `shown`.
    private static func date(_ shown: Date, in zone: TimeZone) -> Date {
        // The offset of the guess is wrong only when it lies across a change of clocks; asking again there settles it.
        let guess = shown.addingTimeInterval(-Double(zone.secondsFromGMT(for: shown)))
        return shown.addingTimeInterval(-Double(zone.secondsFromGMT(for: guess)))
    }
}
