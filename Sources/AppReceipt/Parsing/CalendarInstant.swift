package import Foundation

/// A date and time of day in the proleptic Gregorian calendar, with an offset from UTC. Converts to a `Date` without a
/// calendar or a formatter.
///
/// Receipts contain thousands of dates in one format. Reading them must not depend on the locale or on time zone data.
package struct CalendarInstant: Sendable {
    package var year: Int
    package var month: Int
    package var day: Int
    package var hour: Int
    package var minute: Int
    package var second: Int
    package var nanosecond = 0
    package var secondsFromUTC = 0

    /// Creates an instant in UTC.
    package init(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) {
        (self.year, self.month, self.day) = (year, month, day)
        (self.hour, self.minute, self.second) = (hour, minute, second)
    }

    /// The instant; `nil` if a field is out of range, such as February 30. A leap second is treated as the following
    /// second.
    package var date: Date? {
        guard (1...9999).contains(year), (1...12).contains(month), day >= 1,
            day <= CalendarInstant.days(inMonth: month, of: year),
            (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second),
            (-86_399...86_399).contains(secondsFromUTC)
        else { return nil }
        let seconds =
            CalendarInstant.daysSince1970(year, month, day) * 86_400 + hour * 3_600 + minute * 60 + second
            - secondsFromUTC
        return Date(timeIntervalSince1970: Double(seconds) + Double(nanosecond) / 1e9)
    }

    private static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 4, 6, 9, 11: 30
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        default: 31
        }
    }

    /// Returns the number of days since 1970. Counts years from March, so that the leap day is the last day of a year.
    private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let marchYear = month > 2 ? year : year - 1
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        // 719 468 days lie between March 1 of the year 0 and January 1, 1970.
        return marchYear * 365 + marchYear / 4 - marchYear / 100 + marchYear / 400 + dayOfYear - 719_468
    }
}

/// Reads digits and signs from the start of an ASCII text.
package struct DigitScanner {
    private let text: ArraySlice<UInt8>
    private var position: Int

    package init(_ text: ArraySlice<UInt8>) {
        self.text = text
        position = text.startIndex
    }

    var isAtEnd: Bool {
        position >= text.endIndex
    }

    private var digit: Int? {
        guard position < text.endIndex, (0x30...0x39).contains(text[position]) else { return nil }
        return Int(text[position] - 0x30)
    }

    /// Reads exactly `count` digits.
    package mutating func number(_ count: Int) -> Int? {
        var value = 0
        for _ in 0..<count {
            guard let digit else { return nil }
            value = value * 10 + digit
            position += 1
        }
        return value
    }

    /// Reads one of `characters`.
    package mutating func character(_ characters: StaticString) -> UInt8? {
        guard position < text.endIndex else { return nil }
        let next = text[position]
        guard characters.withUTF8Buffer({ $0.contains(next) }) else { return nil }
        position += 1
        return next
    }

    /// Reads the digits of a fraction of a second and returns nanoseconds. Ignores digits after the ninth.
    mutating func fraction() -> Int? {
        guard digit != nil else { return nil }
        var value = 0
        var unit = 100_000_000
        while let digit {
            value += digit * unit
            unit /= 10
            position += 1
        }
        return value
    }

    /// Reads `Z`, `+hh:mm`, `+hhmm` or `+hh`, and returns the offset in seconds.
    mutating func zone() -> Int? {
        guard let sign = character("Zz+-") else { return nil }
        guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return 0 }
        guard let hours = number(2), hours <= 23 else { return nil }
        var minutes = 0
        if !isAtEnd {
            _ = character(":")
            guard let value = number(2), value <= 59 else { return nil }
            minutes = value
        }
        return (hours * 3_600 + minutes * 60) * (sign == UInt8(ascii: "-") ? -1 : 1)
    }
}

/// The dates in receipts: RFC 3339 strings such as `2013-08-01T07:00:00Z`. Receipts from Xcode have a zone offset
/// (`+0200`).
package enum ReceiptTimestamp {
    /// Reads a date; `nil` if the text isn't a date. Receipts use an empty text for a missing date.
    package static func date(_ text: ArraySlice<UInt8>) -> Date? {
        var scanner = DigitScanner(text)
        guard let year = scanner.number(4), scanner.character("-") != nil, let month = scanner.number(2),
            scanner.character("-") != nil,
            let day = scanner.number(2), scanner.character("Tt ") != nil, let hour = scanner.number(2),
            scanner.character(":") != nil,
            let minute = scanner.number(2), scanner.character(":") != nil, let second = scanner.number(2)
        else { return nil }
        var instant = CalendarInstant(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
        if scanner.character(".") != nil {
            guard let fraction = scanner.fraction() else { return nil }
            instant.nanosecond = fraction
        }
        guard let zone = scanner.zone(), scanner.isAtEnd else { return nil }
        instant.secondsFromUTC = zone
        return instant.date
    }
}
