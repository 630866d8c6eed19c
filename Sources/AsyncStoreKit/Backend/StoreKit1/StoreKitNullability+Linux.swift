#if !canImport(Darwin)
    package import Foundation
    package import StoreKit

    // This package's own StoreKit keeps the promises that Apple's headers make.

    extension SKPaymentTransaction {
        var presentPayment: SKPayment? { payment }
    }

    extension SKPayment {
        var presentProductIdentifier: String? { productIdentifier }
    }

    extension SKProduct {
        package var presentPriceLocale: Locale { priceLocale }
    }

    extension SKProductDiscount {
        package var presentPriceLocale: Locale { priceLocale }
    }
#endif
