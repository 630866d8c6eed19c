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
        guard zone.elementsEqual("America/Los_Angeles".utf8), let isSummer = isSummerInCalifornia(clock) else { return nil }
        return shown.addingTimeInterval(isSummer ? 7 * 3_600 : 8 * 3_600)
    }

    /// The length of `2013-08-01 07:00:00`.
    private static let clockLength = 19

    /// Whether clocks in California are an hour ahead when they show `clock`: from the second Sunday of March, 2:00, to
    /// the first of November, 2:00 (Energy Policy Act of 2005, section 110). In the hour that November has twice, the
    /// first of the two is meant.
    ///
    /// Apple has no other zones, and a server need not have a database of them.
    private static func isSummerInCalifornia(_ clock: ArraySlice<UInt8>) -> Bool? {
        var scanner = DigitScanner(clock)
        guard let year = scanner.number(4), scanner.character("-") != nil, let month = scanner.number(2), scanner.character("-") != nil,
            let day = scanner.number(2), scanner.character("Tt ") != nil, let hour = scanner.number(2)
        else { return nil }
        switch month {
        case 3: return firstSunday(of: month, year).map { (day, hour) >= ($0 + 7, 2) }
        case 4...10: return true
        case 11: return firstSunday(of: month, year).map { (day, hour) < ($0, 2) }
        default: return false
        }
    }

    private static func firstSunday(of month: Int, _ year: Int) -> Int? {
        guard let first = CalendarInstant(year: year, month: month, day: 1, hour: 0, minute: 0, second: 0).date else { return nil }
        // January 1, 1970 was a Thursday, four days after a Sunday.
        let days = Int(first.timeIntervalSince1970 / 86_400)
        let weekday = ((days + 4) % 7 + 7) % 7
        return 1 + (7 - weekday) % 7
    }
}
