#if !canImport(Darwin)
    public import Foundation

    extension StoreSubscriptionPeriod {
        /// The period in words, such as "3 months". In English, whatever the locale: Foundation on Linux has no
        /// `DateComponentsFormatter`.
        public func formatted(in locale: Locale) -> String {
            "\(value) \(unit)\(value == 1 ? "" : "s")"
        }
    }
#endif
