import AppStoreSimulator
import AsyncStoreKit

extension DemoAct {
    static let delivered = DemoAct(title: "A purchase, delivered in a closure") { stage in
        let product = try stage.cast([.nonConsumable, .autoRenewableSubscription, .nonRenewingSubscription, .consumable])
        let name = stage.name(of: product.productIdentifier)
        stage.say(.customer, "buys \(name)")
        let outcome = try await stage.store.purchase(product.productIdentifier) { purchase in
            try await stage.fetchContent(of: purchase.transaction)
            stage.say(.app, "delivers \(name), transaction \(purchase.transaction.transactionID ?? "without a number")")
        }
        guard case .success = outcome else { throw Unexpected(outcome: outcome) }
        stage.own(product)
        stage.say(.app, "success: the closure has returned, the transaction is finished", .good)
        try await stage.sayUnfinished()
    }

    static let cancelled = DemoAct(title: "A purchase, cancelled") { stage in
        let product = try stage.cast([.consumable, .nonRenewingSubscription, .nonConsumable, .autoRenewableSubscription])
        stage.appStore.enqueue(.failed(.paymentCancelled), for: product.productIdentifier)
        stage.say(.customer, "is shown the price of \(stage.name(of: product.productIdentifier)), and closes the sheet")
        let outcome = try await stage.store.purchase(product.productIdentifier) { _ in
            stage.say(.app, "delivers what nobody has paid for", .bad)
        }
        guard outcome == .userCancelled else { throw Unexpected(outcome: outcome) }
        stage.say(.app, "userCancelled: nothing was bought, nothing is delivered")
        try await stage.sayUnfinished()
    }

    static let askToBuy = DemoAct(title: "Ask to Buy, approved later") { stage in
        let product = try stage.cast([.consumable, .nonConsumable, .nonRenewingSubscription, .autoRenewableSubscription])
        let name = stage.name(of: product.productIdentifier)
        let quantity = product.kind == .consumable ? 3 : 1
        stage.say(.customer, "a child, asks for \(quantity == 1 ? name : "\(quantity) × \(name)")")
        let options = PurchaseOptions(quantity: quantity, simulatesAskToBuy: true)
        let outcome = try await stage.store.purchase(product.productIdentifier, options: options)
        guard case .pending(let pending) = outcome else { throw Unexpected(outcome: outcome) }
        stage.say(.app, "pending: nothing to deliver yet, and the app goes on")
        try await stage.settle()
        stage.say(.parent, "approves, some time later")
        try stage.appStore.approveAskToBuyTransaction(identifier: try stage.entry(.deferred))
        let update = try await stage.nextUpdate()
        stage.own(product)
        let match = update.pendingPurchase == pending ? "the purchase that was pending" : "of which the app knew nothing"
        stage.say(.stream, "\(stage.describe(update.transaction)), \(match)")
        try await stage.deliver(update)
    }

    static let interrupted = DemoAct(title: "A purchase, interrupted and resolved later") { stage in
        let product = try stage.cast([.autoRenewableSubscription, .nonConsumable, .consumable, .nonRenewingSubscription])
        stage.appStore.enqueue(.interrupted, for: product.productIdentifier)
        stage.say(.customer, "buys \(stage.name(of: product.productIdentifier)); the bank wants to hear from them first")
        do throws(StoreError) {
            let outcome = try await stage.store.purchase(product.productIdentifier) { _ in
                stage.say(.app, "delivers what nobody has paid for", .bad)
            }
            throw StoreError(.unknown, "\(Unexpected(outcome: outcome))")
        } catch {
            stage.say(.app, "throws \(error)")
        }
        try await stage.settle()
        stage.say(.customer, "has confirmed it with the bank")
        try stage.appStore.resolveIssueForTransaction(identifier: try stage.entry(.interrupted))
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
    /// Delivers what arrived unasked, and finishes it.
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
        return "\(transaction.state) \(what), transaction \(transaction.transactionID ?? "without a number")"
    }

    /// The transaction in the account's history that stands so.
    func entry(_ state: SimulatedHistoryRecord.State) throws -> SimulatedTransaction.ID {
        guard let record = appStore.allTransactions().last(where: { $0.state == state }) else {
            throw SimulatorError(.unknownTransaction, "\(state)")
        }
        return record.entry
    }
}
