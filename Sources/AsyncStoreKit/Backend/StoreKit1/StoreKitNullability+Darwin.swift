#if canImport(Darwin)
    package import Foundation
    package import StoreKit

    // Apple's headers declare these as never nil, and they have been seen nil. Swift would trap on what it takes for an
    // object; key-value coding asks without that belief.

    extension SKPaymentTransaction {
        var presentPayment: SKPayment? { value(forKey: "payment") as? SKPayment }
    }

    extension SKPayment {
        var presentProductIdentifier: String? { value(forKey: "productIdentifier") as? String }
    }

    extension SKProduct {
        package var presentPriceLocale: Locale { value(forKey: "priceLocale") as? Locale ?? .current }
    }

    extension SKProductDiscount {
        package var presentPriceLocale: Locale { value(forKey: "priceLocale") as? Locale ?? .current }
    }
#endif
