public import Foundation

/// A price that is calculated from a subscription's price, such as the price per month of a yearly subscription.
///
/// It's rounded down to the currency's smallest unit. Customers aren't charged this amount: show it beside the price
/// that the customer pays, and not more prominently.
public struct DerivedPrice: Sendable, Hashable, CustomStringConvertible {
    /// The amount in the product's currency, rounded down.
    public let amount: Decimal
    /// The amount as customers read it, in the product's ``StoreProduct/priceFormatStyle``.
    public let displayPrice: String

    /// The amount as customers read it.
    public var description: String { displayPrice }

    init(_ amount: Decimal, _ style: Decimal.FormatStyle.Currency) {
        // "$1.00" has two digits after the first one, and "¥1" has none.
        let digits = style.format(1).filter(\.isNumber).count - 1
        self.amount = amount.roundedDown(to: max(0, digits))
        displayPrice = style.format(self.amount)
    }
}

// Periods are compared in twelfths of a day, which are whole: a year has 365 days, and a month a twelfth of a year.
extension StoreProduct {
    /// The price per day of a subscription, calculated and rounded down; `nil` for other products.
    public var pricePerDay: DerivedPrice? { price(per: 12) }
    /// The price per week of a subscription, calculated and rounded down; `nil` for other products.
    public var pricePerWeek: DerivedPrice? { price(per: 7 * 12) }
    /// The price per month of a subscription, calculated and rounded down; `nil` for other products.
    public var pricePerMonth: DerivedPrice? { price(per: 365) }
    /// The price per year of a subscription, calculated and rounded down; `nil` for other products.
    public var pricePerYear: DerivedPrice? { price(per: 365 * 12) }

    /// Returns how much a customer saves with this subscription, compared with another one over the same time, in
    /// percent from 1 to 99, rounded down. `nil` if this one isn't cheaper, if one of the products isn't a
    /// subscription, or if the currencies differ.
    public func saving(comparedTo other: StoreProduct) -> Int? {
        guard let own = subscriptionPeriod?.length, let others = other.subscriptionPeriod?.length, own > 0, others > 0,
            currency == other.currency, other.price > 0, price >= 0
        else { return nil }
        // What both cost over the product of the two periods.
        let (cost, othersCost) = (price * others, other.price * own)
        let share = (othersCost - cost) * 100 / othersCost
        let percent = NSDecimalNumber(decimal: share.roundedDown(to: 0)).intValue
        return (1...99).contains(percent) ? percent : nil
    }

    private func price(per length: Int) -> DerivedPrice? {
        guard let period = subscriptionPeriod?.length, period > 0 else { return nil }
        return DerivedPrice(price * Decimal(length) / period, priceFormatStyle)
    }
}

extension StoreSubscriptionPeriod {
    /// The length in twelfths of a day, to compare periods.
    fileprivate var length: Decimal {
        let unit =
            switch unit {
            case .day: 12
            case .week: 7 * 12
            case .month: 365
            case .year: 365 * 12
            }
        return Decimal(value) * Decimal(unit)
    }
}

extension Decimal {
    /// Returns the value rounded toward zero, to a number of digits after the point.
    fileprivate func roundedDown(to digits: Int) -> Decimal {
        var (value, result) = (self, Decimal())
        NSDecimalRound(&result, &value, digits, .down)
        return result
    }
}
