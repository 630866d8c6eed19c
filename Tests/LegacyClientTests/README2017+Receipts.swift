// swift-format-ignore-file
// The code is laid out as in the document it comes from.

import Foundation
import StoreKit
import SwiftyStoreKit

// The receipt half of the README of 2017. There `verifySubscription` has `type:`; in 0.16.4 it is `ofType:`, here too: REPAIR each time.
@available(*, deprecated)
extension Readme2017 {
    func localReceiptData() {
        let receiptData = SwiftyStoreKit.localReceiptData
        let receiptString = receiptData?.base64EncodedString(options: [])  // REPAIR: `?`
        // do your receipt validation here
        _ = receiptString
    }

    func fetchReceipt() {
        SwiftyStoreKit.fetchReceipt(forceRefresh: true) { result in
            switch result {
            case .success(let receiptData):
                let encryptedReceipt = receiptData.base64EncodedString(options: [])
                print("Fetch receipt success:\n\(encryptedReceipt)")
            case .error(let error):
                print("Fetch receipt failed: \(error)")
            }
        }
    }

    func verifyReceipt() {
        let appleValidator = AppleReceiptValidator(service: .production, sharedSecret: "your-shared-secret")
        SwiftyStoreKit.verifyReceipt(using: appleValidator, forceRefresh: false) { result in
            switch result {
            case .success(let receipt):
                print("Verify receipt success: \(receipt)")
            case .error(let error):
                print("Verify receipt failed: \(error)")
            }
        }
    }

    func verifyPurchase() {
        let appleValidator = AppleReceiptValidator(service: .production, sharedSecret: "your-shared-secret")
        SwiftyStoreKit.verifyReceipt(using: appleValidator) { result in
            switch result {
            case .success(let receipt):
                // Verify the purchase of Consumable or NonConsumable
                let purchaseResult = SwiftyStoreKit.verifyPurchase(
                    productId: "com.musevisions.SwiftyStoreKit.Purchase1",
                    inReceipt: receipt)

                switch purchaseResult {
                case .purchased(let receiptItem):
                    print("Product is purchased: \(receiptItem)")
                case .notPurchased:
                    print("The user has never purchased this product")
                }
            case .error(let error):
                print("Receipt verification failed: \(error)")
            }
        }
    }

    func verifySubscription() {
        let appleValidator = AppleReceiptValidator(service: .production, sharedSecret: "your-shared-secret")
        SwiftyStoreKit.verifyReceipt(using: appleValidator) { result in
            switch result {
            case .success(let receipt):
                // Verify the purchase of a Subscription
                let purchaseResult = SwiftyStoreKit.verifySubscription(
                    ofType: .autoRenewable, // or .nonRenewing (see below)
                    productId: "com.musevisions.SwiftyStoreKit.Subscription",
                    inReceipt: receipt)

                switch purchaseResult {
                case .purchased(let expiryDate, let receiptItems):
                    _ = receiptItems
                    print("Product is valid until \(expiryDate)")
                case .expired(let expiryDate, let receiptItems):
                    _ = receiptItems
                    print("Product is expired since \(expiryDate)")
                case .notPurchased:
                    print("The user has never purchased this product")
                }

            case .error(let error):
                print("Receipt verification failed: \(error)")
            }
        }
    }

    func autoRenewable(receipt: ReceiptInfo) {
        let purchaseResult = SwiftyStoreKit.verifySubscription(
                    ofType: .autoRenewable,
                    productId: "com.musevisions.SwiftyStoreKit.Subscription",
                    inReceipt: receipt)
        _ = purchaseResult
    }

    func nonRenewing(receipt: ReceiptInfo) {
        // validDuration: time interval in seconds
        let purchaseResult = SwiftyStoreKit.verifySubscription(
                    ofType: .nonRenewing(validDuration: 3600 * 24 * 30),
                    productId: "com.musevisions.SwiftyStoreKit.Subscription",
                    inReceipt: receipt)
        _ = purchaseResult
    }

    func purchaseAndVerifySubscription() {
        let productId = "your-product-id"
        SwiftyStoreKit.purchaseProduct(productId, atomically: true) { result in

            if case .success(let purchase) = result {
                // Deliver content from server, then:
                if purchase.needsFinishTransaction {
                    SwiftyStoreKit.finishTransaction(purchase.transaction)
                }

                let appleValidator = AppleReceiptValidator(service: .production, sharedSecret: "your-shared-secret")
                SwiftyStoreKit.verifyReceipt(using: appleValidator) { result in

                    if case .success(let receipt) = result {
                        let purchaseResult = SwiftyStoreKit.verifySubscription(
                            ofType: .autoRenewable,
                            productId: productId,
                            inReceipt: receipt)

                        switch purchaseResult {
                        case .purchased(let expiryDate, let receiptItems):
                            _ = receiptItems
                            print("Product is valid until \(expiryDate)")
                        case .expired(let expiryDate, let receiptItems):
                            _ = receiptItems
                            print("Product is expired since \(expiryDate)")
                        case .notPurchased:
                            print("This product has never been purchased")
                        }

                    } else {
                        // receipt verification error
                    }
                }
            } else {
                // purchase error
            }
        }
    }
}

/// The delegate method that the document quotes from Apple's header, as an observer implements it.
class Readme2017Observer: NSObject, SKPaymentTransactionObserver {
    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {}

    func paymentQueue(_ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct) -> Bool { false }
}
