package import Foundation

extension BERElement {
    /// The instant of a UTCTime or GeneralizedTime in the form certificates and signatures have to use.
    ///
    /// RFC 5280, 4.1.2.5: UTC, with seconds, without fractions; two-digit years from 50 on belong to the twentieth century.
    package func time(_ expected: String) throws(MalformedReceiptError) -> Date {
        let yearDigits: Int
        switch tag {
        case .utcTime: yearDigits = 2
        case .generalizedTime: yearDigits = 4
        default:
            throw MalformedReceiptError(
                .unexpectedElement, at: offset, expected: "UTCTime or GeneralizedTime (\(expected))", found: "\(tag)")
        }
        guard !isConstructed, let date = BERElement.date(content, yearDigits: yearDigits) else {
            throw MalformedReceiptError(.invalidValue, at: offset, expected: "\(expected) as \(yearDigits == 2 ? "YY" : "YYYY")MMDDhhmmssZ")
        }
        return date
    }

    private static func date(_ text: ArraySlice<UInt8>, yearDigits: Int) -> Date? {
        var scanner = DigitScanner(text)
        guard let year = scanner.number(yearDigits), let month = scanner.number(2), let day = scanner.number(2),
            let hour = scanner.number(2), let minute = scanner.number(2), let second = scanner.number(2), scanner.character("Z") != nil,
            scanner.isAtEnd
        else { return nil }
        let century = yearDigits == 4 ? 0 : year < 50 ? 2000 : 1900
        return CalendarInstant(year: century + year, month: month, day: day, hour: hour, minute: minute, second: second).date
    }
}
