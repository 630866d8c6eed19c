#if !canImport(Darwin)
    import Foundation
    import StoreKit

    // This package's own StoreKit keeps the promises that Apple's headers make.

    extension SKPaymentTransaction {
        var presentPayment: SKPayment? { payment }
    }

    extension SKPayment {
        var presentProductIdentifier: String? { productIdentifier }
    }

    extension SKProduct {
        var presentPriceLocale: Locale { priceLocale }
    }
#endif
