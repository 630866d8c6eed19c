import AppStoreSimulator
import AsyncStoreKit

extension DemoAct {
    static let restores = DemoAct(title: "Two restores at once") { stage in
        if !stage.ownsRestorable {
            let product = try stage.cast(SimulatedProduct.Kind.restorable)
            stage.say(.customer, "buys \(stage.name(of: product.productID)) first, to have something to restore")
            try await stage.store.purchase(product.productID) { try await stage.fetchContent(of: $0.transaction) }
            stage.own(product)
        }
        stage.say(.customer, "opens the app on a new phone, and taps Restore twice")
        stage.relaunch()
        let store = stage.store
        let hold = stage.restores
        hold.hold()
        async let first = store.restore()
        await hold.untilBegun()
        stage.say(.app, "store.restore(): running")
        do throws(StoreError) {
            let outcome = try await store.restore()
            stage.say(.app, "the second restore brought \(outcome.purchases.count) purchases", .bad)
        } catch {
            stage.say(.app, "store.restore() once more throws \(error)")
        }
        hold.letGo()
        let outcome = try await first
        let count = outcome.purchases.count
        stage.say(.app, "the first restore brings \(count) \(count == 1 ? "purchase" : "purchases")", .good)
        for purchase in outcome.purchases {
            try await stage.fetchContent(of: purchase.transaction)
            let original = purchase.transaction.originalID ?? "without a number"
            stage.say(.app, "delivers \(stage.name(of: purchase.productID)), first bought as transaction \(original)")
            await purchase.finish()
        }
        try await stage.sayUnfinished()
    }

    static let crash = DemoAct(title: "A crash before delivery, and a relaunch") { stage in
        let product = try stage.cast([.nonRenewingSubscription, .consumable, .nonConsumable, .autoRenewableSubscription])
        stage.say(.customer, "buys \(stage.name(of: product.productID))")
        let outcome = try await stage.store.purchase(product.productID)
        guard case .success(let purchase) = outcome else { throw Unexpected(outcome: outcome) }
        stage.own(product)
        stage.say(.app, "success: \(stage.describe(purchase.transaction)), about to deliver it …")
        stage.say(.app, "crashes", .bad)
        stage.relaunch()
        stage.say(.app, "is launched again, and listens to store.transactions")
        let update = try await stage.nextUpdate()
        stage.say(.stream, stage.describe(update.transaction))
        try await stage.deliver(update)
        stage.relaunch()
        stage.say(.app, "is launched once more")
        try await stage.sayUnfinished()
    }
}
