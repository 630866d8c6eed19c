import Foundation
import SwiftyStoreKit

@available(*, deprecated)
extension LegacyApp {
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

    func verifySubscription(receipt: ReceiptInfo) {
        switch SwiftyStoreKit.verifySubscription(
            ofType: .autoRenewable, productId: "com.example.weekly", inReceipt: receipt)
        {
        case .purchased: unlock("com.example.weekly")
        case .expired, .notPurchased: lock("com.example.weekly")
        }
    }
}
