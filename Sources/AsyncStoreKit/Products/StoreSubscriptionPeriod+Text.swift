#if canImport(Darwin)
    public import Foundation

    extension StoreSubscriptionPeriod {
        /// The period as customers of the locale read it, such as "3 months".
        public func formatted(in locale: Locale) -> String {
            var calendar = Calendar(identifier: .gregorian)
            calendar.locale = locale
            let formatter = DateComponentsFormatter()
            formatter.calendar = calendar
            formatter.unitsStyle = .full
            var components = DateComponents()
            switch unit {
            case .day:
                formatter.allowedUnits = .day
                components.day = value
            case .week:
                formatter.allowedUnits = .weekOfMonth
                components.weekOfMonth = value
            case .month:
                formatter.allowedUnits = .month
                components.month = value
            case .year:
                formatter.allowedUnits = .year
                components.year = value
            }
            return formatter.string(from: components) ?? "\(value) \(unit)"
        }
    }
#else
    public import Foundation

    extension StoreSubscriptionPeriod {
        /// The period as customers of the locale read it, such as "3 months". Foundation on Linux has no
        /// `DateComponentsFormatter`, so the period is in one of the languages of ``CustomerTexts``.
        public func formatted(in locale: Locale) -> String {
            CustomerTexts(languages: [locale.identifier]).text(unit.customerText, count: value)
        }
    }
#endif
