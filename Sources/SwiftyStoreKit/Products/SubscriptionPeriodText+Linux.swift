#if !canImport(Darwin)
    import AsyncStoreKit
    import Foundation
    import StoreKit

    extension SKProductSubscriptionPeriod {
        /// The period in English, such as "3 months": Foundation has no `DateComponentsFormatter` here.
        var legacyText: String { StoreSubscriptionPeriod(self).formatted(in: .current) }
    }
#endif
