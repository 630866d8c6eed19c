import AppReceipt
import AsyncStoreKit
import Foundation

/// Uses every replacement that a deprecation message of the module `SwiftyStoreKit` names, with all argument labels.
/// The tests only compile it. `DeprecationTests` looks up each name here.
struct DeprecationReplacements {
    let store: PurchaseStore
    let purchase: StorePurchase
    let receipt: Receipt
    var policies: PaymentQueuePolicies

    func stateAndEvents() async throws {
        _ = store.canMakePayments
        _ = (store.transactions, store.purchaseFailures, store.revocations, store.purchaseIntents, store.entitlements)
        _ = policies.promotedPurchase
        await purchase.finish()
    }

    func purchases() async throws {
        _ = try await store.products(for: ["pro"])
        _ = try await store.purchase("pro", options: PurchaseOptions(), deliver: { _ in })
        _ = try await store.restore(account: nil, deliver: { _ in })
    }

    func receipts(_ verifier: LocalReceiptVerifier) async throws {
        _ = try store.receipt.data()
        _ = try await store.receipt.data(refreshing: .always)
        _ = try await store.receipt.verify(using: verifier, refreshing: .always)
        _ = receipt.latestValidTransaction(of: "pro")
        _ = receipt.subscriptionStatus(of: "pro", at: .now)
        _ = (receipt.distinctProductIDs, receipt.subscriptionProductIDs)
    }

    func hostedContent(_ downloads: [StoreDownload]) async throws {
        _ = store.hostedContent.changes
        try await store.hostedContent.start(downloads)
        try await store.hostedContent.pause(downloads)
        try await store.hostedContent.resume(downloads)
        try await store.hostedContent.cancel(downloads)
    }
}
