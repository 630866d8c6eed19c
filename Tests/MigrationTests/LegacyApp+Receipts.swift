import Foundation
import SwiftyStoreKit

@available(*, deprecated)
extension LegacyApp {
    func localReceipt() {
        let receiptData = SwiftyStoreKit.localReceiptData
        let receiptString = receiptData?.base64EncodedString(options: [])
        _ = receiptString
    }

    func fetchReceipt() {
        SwiftyStoreKit.fetchReceipt(forceRefresh: true) { result in
            switch result {
            case .success(let receiptData): print("\(receiptData.count) bytes")
            case .error(let error): print("Fetch receipt failed: \(error)")
            }
        }
    }

    func checkSubscription() {
        let validator = AppleReceiptValidator(sharedSecret: "0123456789abcdef")
        SwiftyStoreKit.verifyReceipt(using: validator) { answer in
            guard case .success(let receipt) = answer else { return }
            switch SwiftyStoreKit.verifySubscription(
                ofType: .autoRenewable, productId: "com.example.weekly", inReceipt: receipt)
            {
            case .purchased: self.unlock("com.example.weekly")
            case .expired, .notPurchased: self.lock("com.example.weekly")
            }
        }
    }

    func verifyReceipt() {
        let validator = AppleReceiptValidator(sharedSecret: "0123456789abcdef")
        SwiftyStoreKit.verifyReceipt(using: validator) { answer in
            switch answer {
            case .success(let receipt): print("\(receipt.count) fields")
            case .error(let reason): print("No valid receipt: \(reason)")
            }
        }
    }

    func verifyPurchase(receipt: ReceiptInfo) {
        let result = SwiftyStoreKit.verifyPurchase(
            productId: "com.example.pro", inReceipt: receipt)
        switch result {
        case .purchased(let item): print("Bought on \(item.originalPurchaseDate)")
        case .notPurchased: print("Never bought")
        }
    }

    func verifySubscription(receipt: ReceiptInfo) {
        switch SwiftyStoreKit.verifySubscription(
            ofType: .autoRenewable, productId: "com.example.weekly", inReceipt: receipt)
        {
        case .purchased: unlock("com.example.weekly")
        case .expired, .notPurchased: lock("com.example.weekly")
        }
    }

    func verifyNonRenewing(receipt: ReceiptInfo) {
        let result = SwiftyStoreKit.verifySubscription(
            ofType: .nonRenewing(validDuration: 3600 * 24 * 30),
            productId: "com.example.pass", inReceipt: receipt)
        if case .purchased = result { unlock("com.example.pass") }
    }

    func buySubscription(validator: any ReceiptValidator) {
        SwiftyStoreKit.purchaseProduct("com.example.weekly", atomically: true) { result in
            guard case .success(let purchase) = result else { return }
            SwiftyStoreKit.verifyReceipt(using: validator, forceRefresh: true) { result in
                guard case .success(let receipt) = result else { return }
                if case .purchased(let end, _) = SwiftyStoreKit.verifySubscription(
                    ofType: .autoRenewable, productId: purchase.productId, inReceipt: receipt)
                {
                    self.show("Yours until \(end)")
                }
            }
        }
    }

    func verifyGroup(receipt: ReceiptInfo) {
        let result = SwiftyStoreKit.verifySubscriptions(
            productIds: ["com.example.weekly", "com.example.yearly"],
            inReceipt: receipt)
        if case .purchased = result { unlock("magazine") }
    }

    func distinctIDs(receipt: ReceiptInfo) {
        let productIds = SwiftyStoreKit.getDistinctPurchaseIds(inReceipt: receipt) ?? []
        _ = productIds
    }
}
