import AppStoreSimulator
import AsyncStoreKit
import Foundation

extension DemoScene {
    static let delivered = DemoScene(title: "A purchase, delivered in a closure") { stage in
        let productID = "darkroom.pro"
        stage.say(.customer, "buys \(stage.name(of: productID))")
        let outcome = try await stage.store.purchase(productID) { purchase in
            stage.say(.app, "delivers \(stage.describe(purchase))")
        }
        guard case .success = outcome else { throw Unexpected(outcome: outcome) }
        stage.say(.app, "success: the closure returned, and the transaction is finished")
        try await stage.sayEntitlement(to: productID)
        try await stage.sayUnfinished()
    }

    static let canceled = DemoScene(title: "A canceled purchase") { stage in
        let productID = "darkroom.credits.10"
        stage.appStore.setNextPurchaseOutcome(.userCancelled, for: productID)
        stage.say(.customer, "sees the price of \(stage.name(of: productID)), and closes the sheet")
        let outcome = try await stage.store.purchase(productID) { _ in
            stage.say(.app, "delivers an unpaid purchase", .bad)
        }
        guard outcome == .userCancelled else { throw Unexpected(outcome: outcome) }
        stage.say(.app, "userCancelled: there is nothing to deliver")
        try await stage.sayUnfinished()
    }

    static let askToBuy = DemoScene(title: "Ask to Buy, approved later") { stage in
        let productID = "darkroom.credits.100"
        stage.say(.customer, "a child, asks for 3 × \(stage.name(of: productID))")
        let options = PurchaseOptions(quantity: 3, simulatesAskToBuy: true)
        let outcome = try await stage.store.purchase(productID, options: options)
        guard case .pending(let pending) = outcome else { throw Unexpected(outcome: outcome) }
        stage.say(.app, "pending: a parent has to approve, and the app continues")
        try await stage.settle()
        stage.say(.parent, "approves the purchase later")
        try stage.appStore.approvePurchase(of: productID)
        let purchase = try await stage.nextPurchase()
        let match = purchase.pendingPurchase == pending
        stage.say(
            .stream, "\(stage.describe(purchase)), \(match ? "the pending purchase" : "an unknown purchase")",
            match ? .plain : .bad)
        await purchase.finish()
        stage.say(.app, "delivers the purchase, then finishes the transaction")
        try await stage.sayUnfinished()
    }

    static let interrupted = DemoScene(title: "An interrupted purchase") { stage in
        let productID = "darkroom.season"
        stage.appStore.setNextPurchaseOutcome(.interrupted, for: productID)
        stage.say(.customer, "buys \(stage.name(of: productID)); the bank asks for a confirmation")
        do throws(StoreError) {
            let outcome = try await stage.store.purchase(productID) { _ in
                stage.say(.app, "delivers an unpaid purchase", .bad)
            }
            throw StoreError(.unknown, "\(Unexpected(outcome: outcome))")
        } catch {
            stage.say(.app, "throws \(error)")
            stage.say(.app, "shows: \(error.localizedDescription)")
        }
        try await stage.settle()
        stage.say(.customer, "confirms the payment in the bank's app")
        try stage.appStore.resolvePurchase(of: productID)
        try await stage.receivePurchase()
        try await stage.sayUnfinished()
    }
}
