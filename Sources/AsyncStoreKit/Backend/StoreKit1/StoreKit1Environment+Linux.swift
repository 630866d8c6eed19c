#if !canImport(Darwin)
    package import AppStoreSimulator
    import StoreKit

    extension StoreKit1Environment {
        /// The simulated App Store of the process.
        package static var process: StoreKit1Environment {
            StoreKit1Environment(
                queue: .default(),
                canMakePayments: { SKPaymentQueue.canMakePayments() },
                productsRequest: { SKProductsRequest(productIdentifiers: $0) },
                receiptRequest: { SKReceiptRefreshRequest() },
                receipt: { StoreKitSimulation.receiptData() })
        }

        /// One launch of an app over a simulated App Store.
        package init(launch: SimulatedLaunch) {
            self.init(
                queue: SKPaymentQueue(launch: launch),
                canMakePayments: { launch.canMakePayments },
                productsRequest: { SKProductsRequest(productIdentifiers: $0, launch: launch) },
                receiptRequest: { SKReceiptRefreshRequest(launch: launch) },
                receipt: { launch.receipt })
        }
    }
#endif
