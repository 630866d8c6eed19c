import AsyncStoreKit
import Foundation
import StoreKit
import SwiftyStoreKit

/// The same app before the migration. The tests only compile it. It's deprecated so that it can call deprecated
/// functions.
@available(*, deprecated)
@MainActor final class LegacyApp {
    func launchOverStoreKit2() {
        SwiftyStoreKit.engine = .storeKit2
    }

    func unlock(_ productID: String) {}
    func lock(_ productID: String) {}
    func show(_ text: String) {}
    func keep(_ files: [URL]) {}
    func deliver(_ purchase: PurchaseDetails, done: @escaping () -> Void) {}

    func completeTransactions() {
        SwiftyStoreKit.completeTransactions(atomically: true) { [self] finished in
            let paid: [SKPaymentTransactionState] = [.purchased, .restored]
            for purchase in finished where paid.contains(purchase.transaction.transactionState) {
                unlock(purchase.productId)
            }
        }
    }

    func retrieveProducts() {
        SwiftyStoreKit.retrieveProductsInfo(["com.example.pro", "com.example.coins"]) { result in
            for product in result.retrievedProducts {
                print("\(product.localizedTitle): \(product.localizedPrice ?? "")")
            }
            for id in result.invalidProductIDs { print("Not for sale: \(id)") }
            if let error = result.error { print("Error: \(error)") }
        }
    }

    func purchase() {
        SwiftyStoreKit.purchaseProduct("com.example.pro", atomically: true) { result in
            switch result {
            case .success(let purchase): self.unlock(purchase.productId)
            case .deferred: self.show("Waits for approval")
            case .error(let error):
                if error.code != .paymentCancelled { self.show(error.localizedDescription) }
            }
        }
    }

    func purchaseWithServer() {
        SwiftyStoreKit.purchaseProduct("com.example.coins", quantity: 3, atomically: false) { result in
            guard case .success(let purchase) = result else { return }
            self.deliver(purchase) {
                if purchase.needsFinishTransaction { SwiftyStoreKit.finishTransaction(purchase.transaction) }
            }
        }
    }

    func purchaseWithOffer(_ product: SKProduct, _ signed: SKPaymentDiscount) {
        SwiftyStoreKit.purchaseProduct(product, paymentDiscount: PaymentDiscount(discount: signed)) { result in
            if case .success(let purchase) = result { self.unlock(purchase.productId) }
        }
    }

    func restore() {
        SwiftyStoreKit.restorePurchases(atomically: true) { results in
            if results.restoreFailedPurchases.count > 0 {
                self.show("Restore failed: \(results.restoreFailedPurchases)")
            } else if results.restoredPurchases.isEmpty {
                self.show("Nothing to restore")
            } else {
                for purchase in results.restoredPurchases { self.unlock(purchase.productId) }
            }
        }
    }

    func restoreWithServer(_ deliver: @escaping (Purchase, @escaping () -> Void) -> Void) {
        SwiftyStoreKit.restorePurchases(atomically: false) { results in
            for purchase in results.restoredPurchases where purchase.needsFinishTransaction {
                deliver(purchase) { SwiftyStoreKit.finishTransaction(purchase.transaction) }
            }
        }
    }

    func downloadContent() {
        SwiftyStoreKit.purchaseProduct("com.example.maps", atomically: false) { result in
            if case .success(let purchase) = result { SwiftyStoreKit.start(purchase.transaction.downloads) }
        }
        SwiftyStoreKit.updatedDownloadsHandler = { downloads in
            let files = downloads.compactMap { $0.contentURL }
            guard files.count == downloads.count else { return }
            self.keep(files)
            SwiftyStoreKit.finishTransaction(downloads[0].transaction)
        }
    }

    func sideBySide() {
        let store = SwiftyStoreKit.store
        _ = store
    }
}
