// swift-format-ignore-file
// The code is laid out as in the document it comes from.

import Foundation
import StoreKit
import SwiftyStoreKit

// The receipt half of the README of 2020.
@available(*, deprecated)
extension Readme2020 {
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
                let productId = "com.musevisions.SwiftyStoreKit.Purchase1"
                // Verify the purchase of Consumable or NonConsumable
                let purchaseResult = SwiftyStoreKit.verifyPurchase(
                    productId: productId,
                    inReceipt: receipt)

                switch purchaseResult {
                case .purchased(let receiptItem):
                    print("\(productId) is purchased: \(receiptItem)")
                case .notPurchased:
                    print("The user has never purchased \(productId)")
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
                let productId = "com.musevisions.SwiftyStoreKit.Subscription"
                // Verify the purchase of a Subscription
                let purchaseResult = SwiftyStoreKit.verifySubscription(
                    ofType: .autoRenewable, // or .nonRenewing (see below)
                    productId: productId,
                    inReceipt: receipt)

                switch purchaseResult {
                case .purchased(let expiryDate, let items):
                    print("\(productId) is valid until \(expiryDate)\n\(items)\n")
                case .expired(let expiryDate, let items):
                    print("\(productId) is expired since \(expiryDate)\n\(items)\n")
                case .notPurchased:
                    print("The user has never purchased \(productId)")
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

    func subscriptionGroup() {
        let appleValidator = AppleReceiptValidator(service: .production, sharedSecret: "your-shared-secret")
        SwiftyStoreKit.verifyReceipt(using: appleValidator) { result in
            switch result {
            case .success(let receipt):
                let productIds = Set([ "com.musevisions.SwiftyStoreKit.Weekly",
                                       "com.musevisions.SwiftyStoreKit.Monthly",
                                       "com.musevisions.SwiftyStoreKit.Yearly" ])
                let purchaseResult = SwiftyStoreKit.verifySubscriptions(productIds: productIds, inReceipt: receipt)
                switch purchaseResult {
                case .purchased(let expiryDate, let items):
                    print("\(productIds) are valid until \(expiryDate)\n\(items)\n")
                case .expired(let expiryDate, let items):
                    print("\(productIds) are expired since \(expiryDate)\n\(items)\n")
                case .notPurchased:
                    print("The user has never purchased \(productIds)")
                }
            case .error(let error):
                print("Receipt verification failed: \(error)")
            }
        }
    }

    func distinctPurchaseIds() {
        let appleValidator = AppleReceiptValidator(service: .production, sharedSecret: "your-shared-secret")
        SwiftyStoreKit.verifyReceipt(using: appleValidator) { result in
            switch result {
            case .success(let receipt):
                // REPAIR: `inReceipt receipt: ReceiptInfo`, and the result is optional.
                let productIds = SwiftyStoreKit.getDistinctPurchaseIds(inReceipt: receipt) ?? []
                let purchaseResult = SwiftyStoreKit.verifySubscriptions(productIds: productIds, inReceipt: receipt)
                switch purchaseResult {
                case .purchased(let expiryDate, let items):
                    print("\(productIds) are valid until \(expiryDate)\n\(items)\n")
                case .expired(let expiryDate, let items):
                    print("\(productIds) are expired since \(expiryDate)\n\(items)\n")
                case .notPurchased:
                    print("The user has never purchased \(productIds)")
                }
            case .error(let error):
                print("Receipt verification failed: \(error)")
            }
        }
    }
}
