#if canImport(Darwin)
    import Foundation
    import StoreKit

    extension StoreKit1Environment {
        /// The device's App Store, and the receipt in the app's bundle.
        package static var process: StoreKit1Environment {
            StoreKit1Environment(
                queue: .default(),
                canMakePayments: { SKPaymentQueue.canMakePayments() },
                productsRequest: { SKProductsRequest(productIdentifiers: $0) },
                receiptRequest: { SKReceiptRefreshRequest() },
                receipt: { Bundle.main.appStoreReceiptURL.flatMap { try? Data(contentsOf: $0) } })
        }
    }
#endif
