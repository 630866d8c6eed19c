import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting

extension DemoScene {
    static let promoted = DemoScene(title: "A purchase that begins in the App Store") { stage in
        let productID = "darkroom.credits.10"
        let name = stage.name(of: productID)
        let asked = Locked<[String]>([])
        stage.store.setPolicies(
            PaymentQueuePolicies(
                promotedPurchase: .decide { product in
                    asked.withLock { $0.append(product.id) }
                    return .hold
                }))
        let before = stage.appStore.allTransactions().count
        stage.say(.customer, "taps Buy for \(name) on the app's page in the App Store")
        try stage.appStore.promotePurchase(of: productID)
        try await stage.settle()
        for id in asked.withLock({ $0 }) {
            stage.say(.appStore, "asks the app whether to continue with \(stage.name(of: id))")
        }
        stage.say(.app, "shows its introduction first, and holds the purchase")
        let isHeld = stage.appStore.allTransactions().count == before
        if !isHeld { stage.say(.appStore, "has charged the customer too early", .bad) }

        let intents = StreamListener(stage.store.purchaseIntents)
        stage.say(.app, "is ready, and reads store.purchaseIntents")
        guard let intent = try await intents.next() else {
            throw StoreError(.storeClosed, "store.purchaseIntents ended.")
        }
        stage.say(.stream, "\(stage.name(of: intent.product.id)), to continue with purchase()")
        let outcome = try await intent.purchase { purchase in
            stage.say(.app, "continues, and delivers \(stage.describe(purchase))")
        }
        guard case .success = outcome else { throw Unexpected(outcome: outcome) }
        do throws(StoreError) {
            let second = try await intent.purchase()
            stage.say(.app, "continues the purchase twice: \(second)", .bad)
        } catch {
            stage.say(.app, "calls purchase() again, which throws \(error)")
        }
        try await stage.sayUnfinished()
    }
}
