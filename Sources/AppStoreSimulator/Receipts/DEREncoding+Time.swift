package import Foundation

extension DEREncoding {
    /// A point in time as certificates and signatures write it: UTCTime up to 2049, GeneralizedTime from then on (RFC 5280, 4.1.2.5).
    package static func time(_ date: Date) -> [UInt8] {
        let fields = UTCFields(date)
        let twoDigitFields = [fields.month, fields.day, fields.hour, fields.minute, fields.second]
        let text = fields.digits(4, fields.year) + twoDigitFields.map { fields.digits(2, $0) }.joined() + "Z"
        return (1950..<2050).contains(fields.year) ? element(0x17, Array(text.utf8.dropFirst(2))) : element(0x18, Array(text.utf8))
    }

    /// A point in time as receipts write it: RFC 3339 in an IA5String.
    package static func receiptTime(_ date: Date) -> [UInt8] {
        ia5String(UTCFields(date).rfc3339)
    }
}

/// The fields of a date in UTC, to the second.
package struct UTCFields {
    package let year: Int
    package let month: Int
    package let day: Int
    package let hour: Int
    package let minute: Int
    package let second: Int

    /// Splits a date; one outside the years 1 to 9999 is moved to the nearer end.
    package init(_ date: Date) {
        let clamped = min(max(date.timeIntervalSince1970, -62_135_596_800), 253_402_300_799)
        let seconds = Int(clamped.rounded(.down))
        let secondOfDay = ((seconds % 86_400) + 86_400) % 86_400
        (hour, minute, second) = (secondOfDay / 3_600, secondOfDay / 60 % 60, secondOfDay % 60)
        // Counted from March 1 of the year 0, in eras of 400 years; years begin in March so that the leap day comes last.
        let days = (seconds - secondOfDay) / 86_400 + 719_468
        let era = days / 146_097
        let dayOfEra = days - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// Such as `2013-08-01T07:00:00Z`.
    package var rfc3339: String {
        "\(digits(4, year))-\(digits(2, month))-\(digits(2, day))T\(digits(2, hour)):\(digits(2, minute)):\(digits(2, second))Z"
    }

    func digits(_ count: Int, _ value: Int) -> String {
        let text = String(value)
        return String(repeating: "0", count: max(count - text.count, 0)) + text
    }
}
