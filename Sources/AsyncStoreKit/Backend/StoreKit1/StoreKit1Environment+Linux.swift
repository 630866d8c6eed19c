#if !canImport(Darwin)
    import AppReceipt
    package import AppStoreSimulator
    package import Foundation
    package import StoreKit

    extension StoreKit1Environment {
        package static var process: StoreKit1Environment {
            StoreKit1Environment(
                queue: .default(),
                canMakePayments: { SKPaymentQueue.canMakePayments() },
                productsRequest: { SKProductsRequest(productIdentifiers: $0) },
                receipt: DeviceReceipt(launch: StoreKitSimulation.launch),
                trust: { .process })
        }

        /// One launch of an app over a simulated App Store.
        package init(launch: SimulatedLaunch) {
            self.init(
                queue: SKPaymentQueue(launch: launch),
                canMakePayments: { launch.canMakePayments },
                productsRequest: { SKProductsRequest(productIdentifiers: $0, launch: launch) },
                receipt: DeviceReceipt(launch: launch),
                trust: { HistoryTrust(launch) })
        }
    }

    extension DeviceReceipt {
        /// The receipt of one launch's simulated device.
        init(launch: SimulatedLaunch) {
            self.init(request: { SKReceiptRefreshRequest(launch: launch) }, read: { launch.receipt })
        }
    }

    extension HistoryTrust {
        /// The trust in the simulator's certificates, for the simulated App Store of the process.
        package static var process: HistoryTrust { HistoryTrust(StoreKitSimulation.launch) }

        /// Creates the trust in the simulator's certificates, for the app and the device of a launch.
        init(_ launch: SimulatedLaunch) {
            self.init(
                bundleID: launch.store.bundleID,
                environment: ReceiptEnvironment(rawValue: launch.store.behavior.environment.rawValue),
                deviceVerificationID: launch.deviceVerificationID,
                receiptAnchors: Self.simulatedReceiptAnchors, signatureAnchors: Self.simulatedSignatureAnchors)
        }

        // Parsed once, because every read of the device needs the anchors.
        private static let simulatedReceiptAnchors = anchors(SimulatedReceiptIssuer.rootCertificate)
        private static let simulatedSignatureAnchors = anchors(SimulatedJWSIssuer.rootCertificate)
    }

    // These properties are never nil in this package's own StoreKit.

    extension SKPaymentTransaction {
        var paymentOrNil: SKPayment? { payment }
    }

    extension SKPayment {
        var productIdentifierOrNil: String? { productIdentifier }
    }

    extension SKProduct {
        package var presentPriceLocale: Locale { priceLocale }
    }

    extension SKProductDiscount {
        package var presentPriceLocale: Locale { priceLocale }
    }
#endif
