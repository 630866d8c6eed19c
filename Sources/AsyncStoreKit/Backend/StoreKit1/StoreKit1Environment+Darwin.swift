#if canImport(Darwin)
    package import Foundation
    package import StoreKit

    extension StoreKit1Environment {
        /// The device's App Store, and the receipt in the app's bundle.
        package static var process: StoreKit1Environment {
            StoreKit1Environment(
                queue: .default(),
                canMakePayments: { SKPaymentQueue.canMakePayments() },
                productsRequest: { SKProductsRequest(productIdentifiers: $0) },
                receipt: .process,
                trust: { HistoryTrust(.current) })
        }
    }

    extension DeviceReceipt {
        static var process: DeviceReceipt {
            DeviceReceipt(
                request: { SKReceiptRefreshRequest() },
                read: { Bundle.main.appStoreReceiptURL.flatMap { try? Data(contentsOf: $0) } })
        }
    }

    // Apple's headers declare these properties as nonnull, but they have been nil. Swift would trap on such a nil.
    // Key-value coding returns an optional.

    extension SKPaymentTransaction {
        var paymentOrNil: SKPayment? { value(forKey: "payment") as? SKPayment }
    }

    extension SKPayment {
        var productIdentifierOrNil: String? { value(forKey: "productIdentifier") as? String }
    }

    extension SKProduct {
        package var presentPriceLocale: Locale { value(forKey: "priceLocale") as? Locale ?? .current }
    }

    extension SKProductDiscount {
        package var presentPriceLocale: Locale { value(forKey: "priceLocale") as? Locale ?? .current }
    }
#endif
