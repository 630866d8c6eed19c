#if canImport(Darwin)
    import Foundation
    import StoreKit

    extension SKProductSubscriptionPeriod {
        /// The period in the language of the device, abbreviated, such as "3 mths".
        var shortText: String { text(.short) }

        /// The period in the language of the device, in full, such as "3 months".
        var fullText: String { text(.full) }

        private func text(_ style: DateComponentsFormatter.UnitsStyle) -> String {
            var components = DateComponents()
            switch unit {
            case .day: components.day = numberOfUnits
            case .week: components.weekOfMonth = numberOfUnits
            case .month: components.month = numberOfUnits
            case .year: components.year = numberOfUnits
            @unknown default: return ""
            }
            return DateComponentsFormatter.localizedString(from: components, unitsStyle: style) ?? ""
        }
    }
#else
    import AsyncStoreKit
    import Foundation
    import StoreKit

    // The text is English, because Foundation on Linux has no `DateComponentsFormatter`.
    extension SKProductSubscriptionPeriod {
        /// The abbreviated period, such as "3 mths".
        var shortText: String {
            let name =
                switch unit {
                case .day: "day"
                case .week: "wk"
                case .month: "mth"
                case .year: "yr"
                @unknown default: ""
                }
            return "\(numberOfUnits) \(name)\(numberOfUnits == 1 ? "" : "s")"
        }

        /// The period in full, such as "3 months".
        var fullText: String { StoreSubscriptionPeriod(self).formatted(in: .current) }
    }
#endif
