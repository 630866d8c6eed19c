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
        /// The app's own.
        static var process: DeviceReceipt {
            DeviceReceipt(
                request: { SKReceiptRefreshRequest() },
                read: { Bundle.main.appStoreReceiptURL.flatMap { try? Data(contentsOf: $0) } })
        }
    }

    // Apple's headers declare these as never nil, and they have been seen nil. Swift would trap on what it takes for an
    // object; key-value coding asks without that belief.

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
