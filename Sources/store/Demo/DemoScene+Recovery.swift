import AppStoreSimulator
import AsyncStoreKit

extension DemoScene {
    static let restores = DemoScene(title: "Two restores at once") { stage in
        stage.say(.customer, "opens the app on a new phone, and taps Restore twice")
        stage.relaunch()
        let (store, hold) = (stage.store, stage.restores)
        hold.holdRestores()
        async let first = store.restore()
        await hold.waitForRestore()
        stage.say(.app, "store.restore(): running")
        do throws(StoreError) {
            let outcome = try await store.restore()
            stage.say(.app, "the second restore returns \(outcome.purchases.count) purchases", .bad)
        } catch {
            stage.say(.app, "store.restore() again: throws \(error)")
        }
        hold.releaseRestores()
        let outcome = try await first
        let count = outcome.purchases.count
        stage.say(.app, "the first restore returns \(count) \(count == 1 ? "purchase" : "purchases")", .good)
        for purchase in outcome.purchases {
            let original = purchase.transaction.originalID ?? "unknown"
            stage.say(.app, "delivers \(stage.name(of: purchase.productID)), original transaction \(original)")
            await purchase.finish()
        }
        try await stage.sayUnfinished()
    }

    static let crash = DemoScene(title: "A crash before delivery") { stage in
        let productID = "darkroom.credits.10"
        stage.say(.customer, "buys \(stage.name(of: productID))")
        let outcome = try await stage.store.purchase(productID)
        guard case .success(let purchase) = outcome else { throw Unexpected(outcome: outcome) }
        stage.say(.app, "success: \(stage.describe(purchase))")
        stage.say(.app, "crashes before it delivers the purchase", .bad)
        stage.relaunch()
        stage.say(.app, "launches again, and reads store.transactions")
        try await stage.receivePurchase()
        stage.relaunch()
        stage.say(.app, "launches again")
        try await stage.sayUnfinished()
    }
}
