import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting

extension DemoAct {
    static let promoted = DemoAct(title: "A promoted purchase, held and continued later") { stage in
        let product = try stage.cast([.nonConsumable, .consumable, .nonRenewingSubscription, .autoRenewableSubscription])
        let name = stage.name(of: product.productID)
        let asked = Locked<[String]>([])
        stage.store.setPolicies(
            StorePolicies(
                promotedPurchase: .decide { product in
                    asked.withLock { $0.append(product.id) }
                    return .hold
                }))
        let before = stage.appStore.allTransactions().count
        stage.say(.customer, "finds \(name) on the app's page in the App Store, and taps Buy there")
        try stage.appStore.promotePurchase(of: product.productID)
        try await stage.settle()
        for id in asked.withLock({ $0 }) { stage.say(.appStore, "asks the app whether to continue with \(stage.name(of: id))") }
        stage.say(.app, "is busy with its introduction, and holds it")
        let bought = stage.appStore.allTransactions().count - before
        stage.say(.appStore, bought == 0 ? "has sold nothing yet" : "has continued all the same", bought == 0 ? .plain : .bad)

        let promotions = StreamListener(stage.store.purchaseIntents)
        stage.say(.app, "is done, and listens to store.purchaseIntents")
        guard let promoted = try await promotions.next() else {
            throw StoreError(.storeClosed, "store.purchaseIntents ended.")
        }
        stage.say(.stream, "\(stage.name(of: promoted.product.id)), begun in the App Store, waits for purchase()")
        let outcome = try await promoted.purchase { purchase in
            try await stage.fetchContent(of: purchase.transaction)
            stage.say(.app, "continues, and delivers \(stage.describe(purchase.transaction))")
        }
        guard case .success = outcome else { throw Unexpected(outcome: outcome) }
        stage.own(product)
        do throws(StoreError) {
            let second = try await promoted.purchase()
            stage.say(.app, "continues once more: \(second)", .bad)
        } catch {
            stage.say(.app, "purchase() once more throws \(error)")
        }
        try await stage.sayUnfinished()
    }
}
