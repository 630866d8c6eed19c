#if canImport(Darwin)
    import Foundation
    import StoreKit

    extension SKProductSubscriptionPeriod {
        /// The period in the language of the device, such as "3 mths".
        var legacyText: String {
            var components = DateComponents()
            switch unit {
            case .day: components.day = numberOfUnits
            case .week: components.weekOfMonth = numberOfUnits
            case .month: components.month = numberOfUnits
            case .year: components.year = numberOfUnits
            @unknown default: return ""
            }
            return DateComponentsFormatter.localizedString(from: components, unitsStyle: .short) ?? ""
        }
    }
#else
    import AsyncStoreKit
    import Foundation
    import StoreKit

    extension SKProductSubscriptionPeriod {
        /// The period in English, such as "3 months": Foundation has no `DateComponentsFormatter` here.
        var legacyText: String { StoreSubscriptionPeriod(self).formatted(in: .current) }
    }
#endif
