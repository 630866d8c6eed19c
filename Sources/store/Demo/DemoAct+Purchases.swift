import AppStoreSimulator
import AsyncStoreKit

extension DemoAct {
    static let delivered = DemoAct(title: "A purchase, delivered in a closure") { stage in
        let product = try stage.cast([.nonConsumable, .autoRenewableSubscription, .nonRenewingSubscription, .consumable])
        let name = stage.name(of: product.productID)
        stage.say(.customer, "buys \(name)")
        let outcome = try await stage.store.purchase(product.productID) { purchase in
            try await stage.fetchContent(of: purchase.transaction)
            stage.say(.app, "delivers \(name), transaction \(purchase.transaction.id ?? "without a number")")
        }
        guard case .success = outcome else { throw Unexpected(outcome: outcome) }
        stage.own(product)
        stage.say(.app, "success: the closure has returned, the transaction is finished", .good)
        try await stage.sayUnfinished()
    }

    static let cancelled = DemoAct(title: "A purchase, cancelled") { stage in
        let product = try stage.cast([.consumable, .nonRenewingSubscription, .nonConsumable, .autoRenewableSubscription])
        stage.appStore.setNextPurchaseOutcome(.userCancelled, for: product.productID)
        stage.say(.customer, "is shown the price of \(stage.name(of: product.productID)), and closes the sheet")
        let outcome = try await stage.store.purchase(product.productID) { _ in
            stage.say(.app, "delivers what nobody has paid for", .bad)
        }
        guard outcome == .userCancelled else { throw Unexpected(outcome: outcome) }
        stage.say(.app, "userCancelled: nothing was bought, nothing is delivered")
        try await stage.sayUnfinished()
    }

    static let askToBuy = DemoAct(title: "Ask to Buy, approved later") { stage in
        let product = try stage.cast([.consumable, .nonConsumable, .nonRenewingSubscription, .autoRenewableSubscription])
        let name = stage.name(of: product.productID)
        let quantity = product.kind == .consumable ? 3 : 1
        stage.say(.customer, "a child, asks for \(quantity == 1 ? name : "\(quantity) × \(name)")")
        let options = PurchaseOptions(quantity: quantity, simulatesAskToBuy: true)
        let outcome = try await stage.store.purchase(product.productID, options: options)
        guard case .pending(let pending) = outcome else { throw Unexpected(outcome: outcome) }
        stage.say(.app, "pending: nothing to deliver yet, and the app continues")
        try await stage.settle()
        stage.say(.parent, "approves, some time later")
        try stage.appStore.approvePurchase(of: product.productID)
        let update = try await stage.nextUpdate()
        stage.own(product)
        let match = update.pendingPurchase == pending ? "the purchase that was pending" : "of which the app knew nothing"
        stage.say(.stream, "\(stage.describe(update.transaction)), \(match)")
        try await stage.deliver(update)
    }

    static let interrupted = DemoAct(title: "A purchase, interrupted and resolved later") { stage in
        let product = try stage.cast([.autoRenewableSubscription, .nonConsumable, .consumable, .nonRenewingSubscription])
        stage.appStore.setNextPurchaseOutcome(.interrupted, for: product.productID)
        stage.say(.customer, "buys \(stage.name(of: product.productID)); the bank wants to hear from them first")
        do throws(StoreError) {
            let outcome = try await stage.store.purchase(product.productID) { _ in
                stage.say(.app, "delivers what nobody has paid for", .bad)
            }
            throw StoreError(.unknown, "\(Unexpected(outcome: outcome))")
        } catch {
            stage.say(.app, "throws \(error)")
        }
        try await stage.settle()
        stage.say(.customer, "has confirmed it with the bank")
        try stage.appStore.resolvePurchase(of: product.productID)
        let update = try await stage.nextUpdate()
        stage.own(product)
        stage.say(.stream, stage.describe(update.transaction))
        try await stage.deliver(update)
    }
}

extension DemoAct {
    /// A purchase ended otherwise than the act was written for.
    struct Unexpected: Error, CustomStringConvertible {
        let outcome: PurchaseOutcome

        var description: String {
            switch outcome {
            case .success(let purchase): "the purchase of \"\(purchase.productID)\" succeeded"
            case .pending(let pending): "the purchase of \"\(pending.productID)\" is pending"
            case .userCancelled: "the purchase was cancelled"
            }
        }
    }
}

extension DemoStage {
    /// Delivers what arrived on the stream, and finishes it.
    func deliver(_ update: StorePurchase) async throws {
        try await fetchContent(of: update.transaction)
        await update.finish()
        say(.app, "delivers it, then finishes it", .good)
        try await sayUnfinished()
    }

    /// A transaction in a few words.
    func describe(_ transaction: StoreTransaction) -> String {
        let name = name(of: transaction.productID)
        let what = transaction.quantity == 1 ? name : "\(transaction.quantity) × \(name)"
        return "\(transaction.state) \(what), transaction \(transaction.id ?? "without a number")"
    }
}
