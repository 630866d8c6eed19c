#if canImport(Darwin)
    import Foundation
    import StoreKit

    extension StoreKitEnvironment {
        /// The device's App Store, and the receipt in the app's bundle.
        package static var process: StoreKitEnvironment {
            StoreKitEnvironment(
                queue: .default(),
                canMakePayments: { SKPaymentQueue.canMakePayments() },
                productsRequest: { SKProductsRequest(productIdentifiers: $0) },
                receiptRequest: { SKReceiptRefreshRequest() },
                receipt: { Bundle.main.appStoreReceiptURL.flatMap { try? Data(contentsOf: $0) } })
        }
    }
#endif
