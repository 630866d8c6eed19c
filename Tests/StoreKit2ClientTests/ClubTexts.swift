// The file imports only StoreKit, as files of apps do: StoreKit re-exports Foundation.
import StoreKit

/// The texts of an app's paywall.
struct ClubTexts {
    let product: Product

    /// The price and the period, as in "$3.99 for one month".
    var terms: String? {
        guard let period = product.subscription?.subscriptionPeriod else { return nil }
        return "\(product.displayPrice) for \(period.formatted(product.subscriptionPeriodFormatStyle))"
    }

    /// The price for each unit, as in "$3.99/month".
    var pricePerUnit: String? {
        guard let unit = product.subscription?.subscriptionPeriod.unit else { return nil }
        return "\(product.displayPrice)/\(unit.formatted(product.subscriptionPeriodUnitFormatStyle))"
    }

    /// The kind of the product, for a badge.
    var badge: String { product.type.localizedDescription }

    /// When a period that begins on a date ends, as a day.
    func renewalDay(after date: Date) -> String? {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "UTC")
        formatter.dateFormat = "yyyy-MM-dd"
        let range = product.subscription?.subscriptionPeriod.dateRange(referenceDate: date)
        return range.map { formatter.string(from: $0.upperBound) }
    }
}
