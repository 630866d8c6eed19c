// Lengths of time, and prices with their periods.
extension CustomerTexts {
    /// Returns a length of time, such as "3 months". Whole weeks in days are weeks.
    public func period(_ period: StoreSubscriptionPeriod) -> String {
        let period = period.inWeeks
        return text(period.unit.customerText, count: period.value)
    }

    /// Returns a price that is paid in each period, such as "$4.99 per month" and "$9.99 every 3 months".
    /// - Parameters:
    ///   - price: The price as customers read it.
    ///   - period: The time that one payment covers.
    public func price(_ price: String, per period: StoreSubscriptionPeriod) -> String {
        let period = period.inWeeks
        guard period.value == 1 else { return text(.pricePerPeriod, [.price: price, .period: self.period(period)]) }
        let text: CustomerText =
            switch period.unit {
            case .day: .pricePerDay
            case .week: .pricePerWeek
            case .month: .pricePerMonth
            case .year: .pricePerYear
            }
        return self.text(text, [.price: price])
    }

    /// Returns an offer without the price that follows, such as "1 week free" and "$0.99 per month for 3 months".
    public func offer(_ offer: StoreOffer) -> String {
        let count = offer.period.value &* offer.periodCount
        let length = period(StoreSubscriptionPeriod(value: count, unit: offer.period.unit))
        switch offer.paymentMode {
        case .freeTrial:
            return text(.offerFree, [.period: length])
        case .payAsYouGo:
            return text(.priceForPeriod, [.price: price(offer.displayPrice, per: offer.period), .period: length])
        default:
            return text(.priceOnceForPeriod, [.price: offer.displayPrice, .period: length])
        }
    }
}

extension StoreSubscriptionPeriod {
    /// The period in weeks if it has a whole number of weeks in days: StoreKit returns a week in both forms.
    fileprivate var inWeeks: StoreSubscriptionPeriod {
        guard unit == .day, value > 0, value.isMultiple(of: 7) else { return self }
        return StoreSubscriptionPeriod(value: value / 7, unit: .week)
    }
}

extension StoreSubscriptionPeriod.Unit {
    /// The text of a number of these units.
    var customerText: CustomerText {
        switch self {
        case .day: .periodDays
        case .week: .periodWeeks
        case .month: .periodMonths
        case .year: .periodYears
        }
    }
}
