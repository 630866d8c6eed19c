package import Foundation

/// The dates inside a receipt: RFC 3339 text such as `2013-08-01T07:00:00Z`, in receipts that Xcode makes with a zone offset (`+0200`).
package enum ReceiptTimestamp {
    /// Reads a date, or returns `nil` when the text is not one; an empty text, which receipts use for "none", is not one either.
    package static func date(_ text: ArraySlice<UInt8>) -> Date? {
        var scanner = DigitScanner(text)
        guard let year = scanner.number(4), scanner.character("-") != nil, let month = scanner.number(2), scanner.character("-") != nil,
            let day = scanner.number(2), scanner.character("Tt ") != nil, let hour = scanner.number(2), scanner.character(":") != nil,
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
