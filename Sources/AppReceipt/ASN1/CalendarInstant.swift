package import Foundation

/// A date and a time of day in the proleptic Gregorian calendar, with an offset from UTC, turned into a `Date` without a calendar or a formatter.
///
/// Receipts hold thousands of dates, all of one shape, and reading them must not depend on locale or time zone data.
package struct CalendarInstant: Hashable, Sendable {
    package var year: Int
    package var month: Int
    package var day: Int
    package var hour: Int
    package var minute: Int
    package var second: Int
    package var nanosecond = 0
    package var secondsFromUTC = 0

    /// The instant, or `nil` when a field is out of its range, such as February 30. A leap second counts as the second after it.
    package var date: Date? {
        guard (1...9999).contains(year), (1...12).contains(month), day >= 1, day <= CalendarInstant.days(inMonth: month, of: year),
            (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second), (-86_399...86_399).contains(secondsFromUTC)
        else { return nil }
        let seconds = CalendarInstant.daysSince1970(year, month, day) * 86_400 + hour * 3_600 + minute * 60 + second - secondsFromUTC
        return Date(timeIntervalSince1970: Double(seconds) + Double(nanosecond) / 1e9)
    }

    private static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 4, 6, 9, 11: 30
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        default: 31
        }
    }

    /// Counts in years that begin in March, so that the leap day is the last of its year.
    private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let marchYear = month > 2 ? year : year - 1
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        // 719 468 days lie between March 1 of the year 0 and January 1, 1970.
        return marchYear * 365 + marchYear / 4 - marchYear / 100 + marchYear / 400 + dayOfYear - 719_468
    }
}
