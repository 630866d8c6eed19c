import AppStoreSimulator
import AsyncStoreKit

extension DemoScene {
    private static let monthly = "darkroom.cloud.monthly"

    static let renewal = DemoScene(title: "A subscription and its renewal") { stage in
        let name = stage.name(of: monthly)
        stage.say(.customer, "subscribes to \(name)")
        let outcome = try await stage.store.purchase(monthly) { purchase in
            stage.say(.app, "delivers \(stage.describe(purchase))")
        }
        guard case .success = outcome else { throw Unexpected(outcome: outcome) }
        try await stage.sayEntitlement(to: monthly)
        try await stage.advance("a month", by: .months(1))
        try await stage.receivePurchase()
        try await stage.sayEntitlement(to: monthly)
        try await stage.sayUnfinished()
    }

    static let gracePeriod = DemoScene(title: "A declined payment and a grace period") { stage in
        stage.appStore.behavior.billingGracePeriodIsEnabled = true
        stage.appStore.behavior.shouldEnterBillingRetryOnRenewal = true
        try await stage.advance("a month", by: .months(1))
        stage.say(.appStore, "can't charge the customer, and tries again")
        try await stage.advance("two days", by: .days(2))
        try await stage.sayEntitlement(to: monthly)
        stage.say(.customer, "enters a new payment method")
        stage.appStore.behavior = SimulatorBehavior()
        try stage.appStore.resolveBillingIssue(of: monthly)
        try await stage.receivePurchase()
        try await stage.sayEntitlement(to: monthly)
        try await stage.sayUnfinished()
    }

    static let lapse = DemoScene(title: "A subscription that lapses") { stage in
        stage.say(.customer, "cancels \(stage.name(of: monthly))")
        try stage.appStore.disableAutoRenew(of: monthly)
        try await stage.sayEntitlement(to: monthly)
        try await stage.advance("five weeks", by: .weeks(5))
        try await stage.sayEntitlement(to: monthly)
        try await stage.sayUnfinished()
    }

    static let refund = DemoScene(title: "A refund, and all entitlements") { stage in
        try await stage.sayAllEntitlements()
        stage.say(.customer, "requests a refund for \(stage.name(of: "darkroom.pro"))")
        try stage.appStore.refund("darkroom.pro")
        stage.say(.appStore, "refunds the purchase")
        try await stage.sayAllEntitlements()
        try await stage.sayUnfinished()
    }
}

extension DemoStage {
    /// Prints the entitlements to all products.
    fileprivate func sayAllEntitlements() async throws {
        try await settle()
        say(.app, "store.entitlements:")
        for entitlement in await store.entitlements.refresh().all {
            let style: Console.Style = entitlement.isEntitled ? .good : .quiet
            let line = "     \(name(of: entitlement.productID)): \(entitlement.words)"
            console.line([.init(String(repeating: " ", count: 11) + line, style)])
        }
    }

    /// Receives a purchase from the stream, delivers it, and finishes it.
    func receivePurchase() async throws {
        let purchase = try await nextPurchase()
        say(.stream, describe(purchase))
        await purchase.finish()
        say(.app, "delivers the purchase, then finishes the transaction")
    }

    /// Returns a purchase in a few words.
    func describe(_ purchase: StorePurchase) -> String {
        let name = name(of: purchase.productID)
        let product = purchase.quantity == 1 ? name : "\(purchase.quantity) × \(name)"
        return "\(product), transaction \(purchase.transaction.id ?? "without an identifier")"
    }
}
