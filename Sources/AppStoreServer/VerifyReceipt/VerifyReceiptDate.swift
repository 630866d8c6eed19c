import AppReceipt
import Foundation

/// Reads the dates in `verifyReceipt`'s JSON: `2013-08-01 07:00:00 Etc/GMT`, `2013-08-01 00:00:00 America/Los_Angeles`.
enum VerifyReceiptDate {
    /// The last millisecond of the year 9999. Apple's dates for "never" are earlier.
    static let latestMilliseconds: Int64 = 253_402_300_799_999

    /// Returns the date in `text`; `nil` if the text isn't a date. Also reads dates in the format of PKCS#7 receipts.
    static func date(_ text: ArraySlice<UInt8>) -> Date? {
        let clock = text.prefix(clockLength)
        let rest = text.dropFirst(clockLength)
        guard rest.first == UInt8(ascii: " ") else { return ReceiptTimestamp.date(text) }
        guard let shown = ReceiptTimestamp.date(clock + [UInt8(ascii: "Z")]) else { return nil }
        let zone = rest.dropFirst()
        if zone.elementsEqual("Etc/GMT".utf8) { return shown }
        guard zone.elementsEqual("America/Los_Angeles".utf8), let isSummer = isSummerInCalifornia(clock) else {
            return nil
        }
        return shown.addingTimeInterval(isSummer ? 7 * 3_600 : 8 * 3_600)
    }

    private static let clockLength = 19

    /// Returns whether California has daylight saving time at a local time: from 2:00 on the second Sunday of March to
    /// 2:00 on the first Sunday of November (Energy Policy Act of 2005, section 110). The repeated hour in November
    /// is treated as daylight saving time.
    ///
    /// Apple uses no other time zones, so a server doesn't need a time zone database.
    private static func isSummerInCalifornia(_ clock: ArraySlice<UInt8>) -> Bool? {
        var scanner = DigitScanner(clock)
        guard let year = scanner.number(4), scanner.character("-") != nil, let month = scanner.number(2),
            scanner.character("-") != nil,
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
        guard let first = CalendarInstant(year: year, month: month, day: 1, hour: 0, minute: 0, second: 0).date else {
            return nil
        }
        // January 1, 1970 was a Thursday, four days after a Sunday.
        let days = Int(first.timeIntervalSince1970 / 86_400)
        let weekday = ((days + 4) % 7 + 7) % 7
        return 1 + (7 - weekday) % 7
    }
}
