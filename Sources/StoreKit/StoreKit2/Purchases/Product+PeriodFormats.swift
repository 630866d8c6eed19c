public import Foundation

extension Product {
    /// The style for subscription periods of the product, as in "three months".
    ///
    /// In Apple's StoreKit the type is `Date.ComponentsFormatStyle`. Foundation on Linux declares that type without
    /// initializers and without `format(_:)`, so this module has its own style with the same input and output.
    ///
    /// ```swift
    /// let style = product.subscriptionPeriodFormatStyle
    /// let period = product.subscription?.subscriptionPeriod.formatted(style)
    /// ```
    public var subscriptionPeriodFormatStyle: Product.SubscriptionPeriod.ComponentsFormatStyle {
        SubscriptionPeriod.ComponentsFormatStyle(locale: priceFormatStyle.locale)
    }

    /// The style for units of subscription periods of the product, as in "month".
    public var subscriptionPeriodUnitFormatStyle: Product.SubscriptionPeriod.Unit.FormatStyle {
        SubscriptionPeriod.Unit.FormatStyle(locale: priceFormatStyle.locale)
    }
}

extension Product.SubscriptionPeriod {
    /// A style that writes the length of a date range in calendar units, with the numbers spelled out: "one week",
    /// "three months".
    ///
    /// It takes the place of `Date.ComponentsFormatStyle`, which Foundation on Linux declares without initializers and
    /// without `format(_:)`. The text is English in every locale: Foundation on Linux can't localize years and months.
    /// Units shorter than a day are left out.
    public struct ComponentsFormatStyle: Foundation.FormatStyle, Sendable {
        /// The locale that was asked for. The text doesn't depend on it.
        public var locale: Locale

        init(locale: Locale) {
            self.locale = locale
        }

        /// Returns the length of a range as a text.
        public func format(_ value: Range<Date>) -> String {
            let components = Product.SubscriptionPeriod.calendar.dateComponents(
                [.year, .month, .day], from: value.lowerBound, to: value.upperBound)
            let days = components.day ?? 0
            let counts: [(Int, Unit)] = [
                (components.year ?? 0, .year), (components.month ?? 0, .month), (days / 7, .week), (days % 7, .day),
            ]
            let texts = counts.filter { $0.0 > 0 }.map { Self.text(of: $0.0, $0.1) }
            return texts.isEmpty ? Self.text(of: 0, .day) : texts.joined(separator: ", ")
        }

        /// Returns the style with another locale.
        public func locale(_ locale: Locale) -> Product.SubscriptionPeriod.ComponentsFormatStyle {
            ComponentsFormatStyle(locale: locale)
        }

        private static func text(of count: Int, _ unit: Unit) -> String {
            let formatter = NumberFormatter()
            formatter.locale = Locale(identifier: "en_US")
            formatter.numberStyle = .spellOut
            let number = formatter.string(from: NSNumber(value: count)) ?? "\(count)"
            return "\(number) \(unit.word)\(count == 1 ? "" : "s")"
        }
    }

    /// Returns the period as text, in a style that takes a date range.
    ///
    /// - Parameters:
    ///   - format: The style.
    ///   - referenceDate: The beginning of the range.
    public func formatted<S>(
        _ format: S, referenceDate: Date = .now
    ) -> S.FormatOutput where S: Foundation.FormatStyle, S.FormatInput == Range<Date> {
        format.format(dateRange(referenceDate: referenceDate))
    }

    /// Returns the period as text, in a style that takes a duration.
    ///
    /// - Parameters:
    ///   - format: The style.
    ///   - referenceDate: The beginning of the period. Months and years differ in length.
    public func formatted<S>(
        _ format: S, referenceDate: Date = .now
    ) -> S.FormatOutput where S: Foundation.FormatStyle, S.FormatInput == Duration {
        let range = dateRange(referenceDate: referenceDate)
        return format.format(.seconds(range.upperBound.timeIntervalSince(range.lowerBound)))
    }
}

extension Product.SubscriptionPeriod.Unit {
    /// A style that writes the unit in a sentence: "month".
    ///
    /// The text is English in every locale.
    public struct FormatStyle: Foundation.FormatStyle, Sendable {
        /// The type that is formatted.
        public typealias FormatInput = Product.SubscriptionPeriod.Unit
        /// The type of the text.
        public typealias FormatOutput = String

        private let locale: Locale

        init(locale: Locale) {
            self.locale = locale
        }

        /// Returns the name of a unit.
        public func format(_ value: Product.SubscriptionPeriod.Unit) -> String {
            value.word
        }

        /// Returns the style with another locale.
        public func locale(_ locale: Locale) -> Product.SubscriptionPeriod.Unit.FormatStyle {
            FormatStyle(locale: locale)
        }
    }

    /// Returns the unit as text.
    public func formatted<S>(
        _ format: S
    ) -> S.FormatOutput where S: Foundation.FormatStyle, S.FormatInput == Product.SubscriptionPeriod.Unit {
        format.format(self)
    }
}
