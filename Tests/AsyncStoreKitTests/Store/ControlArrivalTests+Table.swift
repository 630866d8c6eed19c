import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation
import Testing

extension ControlArrivalTests {
    static let controls = approvals + money + renewals + sharing + others

    private static func id(
        _ state: SimulatedHistoryRecord.State, in appStore: SimulatedAppStore
    ) throws -> SimulatedTransaction.ID {
        try #require(appStore.allTransactions().first { $0.state == state }).id
    }

    private static let approvals: [Control] = [
        Control(
            "approvePurchase", .changes([.purchased]), .changes([.purchased]),
            "The transaction arrives on `updates` (measured), or as `.purchased` (Apple's documentation).",
            after: { try await $0.ask() }, { try $0.approvePurchase(of: "pro") }),
        Control(
            "approveAskToBuyTransaction", .changes([.purchased]), .changes([.purchased]), "The same.",
            after: { try await $0.ask() }, { try $0.approveAskToBuyTransaction(id: id(.deferred, in: $0)) }),
        Control(
            "declinePurchase", .events([]), .events([.failed]),
            "StoreKit 2 reports nothing (measured), StoreKit 1 reports `.failed` (Apple's documentation).",
            after: { try await $0.ask() }, { try $0.declinePurchase(of: "pro") }),
        Control(
            "declineAskToBuyTransaction", .events([]), .events([.failed]), "The same.",
            after: { try await $0.ask() }, { try $0.declineAskToBuyTransaction(id: id(.deferred, in: $0)) }),
        Control(
            "resolvePurchase", .changes([.purchased]), .changes([.purchased]),
            "A second transaction arrives (Apple's developer forums, thread 6431).",
            after: { try await $0.interrupt() }, { try $0.resolvePurchase(of: "pro") }),
        Control(
            "resolveIssueForTransaction", .changes([.purchased]), .changes([.purchased]), "The same.",
            after: { try await $0.interrupt() },
            { try $0.resolveIssueForTransaction(id: id(.interrupted, in: $0)) }),
    ]

    private static let money: [Control] = [
        Control(
            "refund", .changes([.refunded]), .changes([.revoked]),
            "The revoked transaction arrives on `updates`, StoreKit 1 names the product (Apple's documentation).",
            after: { try await $0.buy("pro") }, { try $0.refund("pro") }),
        Control(
            "refund, of a part", .changes([.refunded]), .changes([.revoked]), "The same.",
            after: { try await $0.buy("pro") }, { try $0.refund("pro", percentage: 30) }),
        Control(
            "refund, of a subscription", .changes([.refunded]), .changes([.revoked]), "The same, and a status.",
            after: { try await $0.buy("news") }, { try $0.refund("news") }),
        Control(
            "refundTransaction", .changes([.refunded]), .changes([.revoked]), "The same.",
            after: { try await $0.buy("pro") }, { try $0.refundTransaction(id: id(.purchased, in: $0)) }),
        Control(
            "reverseRefund", .changes([]), .silent,
            "The transaction arrives on `updates` without a revocation (Apple's documentation). StoreKit 1 has no report.",
            after: { scene in
                try await scene.buy("pro")
                try scene.appStore.refund("pro")
                try await scene.store.advance(by: .day(1))
            }, { try $0.reverseRefund(of: "pro") }),
        Control(
            "raisePrice", .changes([]), .events([]),
            "The status has the pending increase (measured). A receipt has no renewal.",
            after: { try await $0.buy("news") }, { try $0.raisePrice(of: "news", to: 4) }),
        Control(
            "consentToPriceIncrease", .changes([]), .events([]), "The same.",
            after: { scene in
                try await scene.buy("news")
                try scene.appStore.raisePrice(of: "news", to: 4)
            }, { try $0.consentToPriceIncrease(of: "news") }),
        Control(
            "declinePriceIncrease", .changes([]), .events([]), "The renewal is turned off: see `disableAutoRenew`.",
            after: { scene in
                try await scene.buy("news")
                try scene.appStore.raisePrice(of: "news", to: 4)
            }, { try $0.declinePriceIncrease(of: "news") }),
    ]

    private static let renewals: [Control] = [
        Control(
            "disableAutoRenew", .changes([]), .events([]),
            "A status arrives (measured on macOS 26; not yet verified on a device). A receipt has no renewal.",
            after: { try await $0.buy("news") }, { try $0.disableAutoRenew(of: "news") }),
        Control(
            "enableAutoRenew", .changes([]), .events([]), "The same. The simulator of iOS sends none (measured).",
            after: { scene in
                try await scene.buy("news")
                try scene.appStore.disableAutoRenew(of: "news")
            }, { try $0.enableAutoRenew(of: "news") }),
        Control(
            "forceRenewalOfSubscription", .changes([.renewed]), .changes([.purchased]),
            "The transaction arrives (Apple's documentation). StoreKit 1 doesn't say that it's a renewal.",
            after: { try await $0.buy("news") }, { try $0.forceRenewalOfSubscription(productID: "news") }),
        Control(
            "expireSubscription", .changes([]), .changes([]),
            "A status arrives (measured). Over StoreKit 1, the app reads the receipt when it becomes active.",
            after: { try await $0.buy("news") }, { try $0.expireSubscription(productID: "news") }),
        Control(
            "resolveBillingIssue", .changes([.renewed]), .changes([.purchased]),
            "The renewal arrives (Apple's documentation), over StoreKit 1 as a purchase.",
            after: { scene in
                try await scene.buy("news")
                scene.appStore.behavior.shouldEnterBillingRetryOnRenewal = true
                try await scene.store.advance(by: .days(40))
            }, { try $0.resolveBillingIssue(of: "news") }),
        Control(
            "changeBillingPlan", .changes([]), .unsupported,
            "A status arrives, as for every change of the plan (measured).",
            after: { try await $0.buy("yearly", [.billingPlan(.monthly)]) },
            { try $0.changeBillingPlan(of: "yearly", to: .upFront) }),
        Control(
            "leaveBundle", .changes([]), .events([]), "A status arrives (assumed, as for every change of the renewal).",
            after: { try await $0.buy("all") }, { try $0.leaveBundle("news") }),
    ]

    private static let sharing: [Control] = [
        Control(
            "shareInFamily", .changes([.purchased]), .changes([.purchased]),
            "The transaction arrives (Apple's documentation).", { try $0.shareInFamily("pro") }),
        Control(
            "revokeFamilySharing", .changes([.revoked]), .changes([.revoked]), "As for a refund.",
            after: { scene in
                try scene.appStore.shareInFamily("pro")
                try await scene.store.settled()
            }, { try $0.revokeFamilySharing(of: "pro") }),
        Control(
            "assignSeat", .changes([.purchased]), .changes([.purchased]),
            "The transaction arrives (Apple's documentation).", { try $0.assignSeat(of: "news") }),
        Control(
            "unassignSeat", .changes([.revoked]), .changes([.revoked]), "As for a refund.",
            after: { scene in
                try scene.appStore.assignSeat(of: "news")
                try await scene.store.settled()
            }, { try $0.unassignSeat(of: "news") }),
    ]

    private static let others: [Control] = [
        Control(
            "buyProduct", .changes([.purchased]), .changes([.purchased]),
            "The transaction arrives (Apple's documentation).", { try $0.buyProduct(productID: "pro") }),
        Control(
            "redeemOfferCode", .changes([.offerRedeemed]), .changes([.purchased]), "The same.",
            { try $0.redeemOfferCode("gift", for: "news") }),
        Control(
            "promotePurchase", .events([]), .events([]),
            "StoreKit 2 sends an intent, which the app continues. StoreKit 1 asks the app (Apple's documentation).",
            { try $0.promotePurchase(of: "pro") }),
        Control(
            "purchaseInProductView, with an update", .changes([.purchased]), .unsupported,
            "On macOS, the transaction arrives on `updates` (measured).",
            { try $0.purchaseInProductView("pro", sendsUpdate: true) }),
        Control(
            "purchaseInProductView", .silent, .unsupported,
            "On iOS, nothing arrives (measured): pass the view's result to `adopt(_:)`.",
            { try $0.purchaseInProductView("pro") }),
        Control(
            "setSignatureIsValid", .events([]), .events([]),
            "StoreKit reports no change of a signature, and a signature that doesn't verify ends no access.",
            after: { try await $0.buy("pro") },
            { appStore in
                let id = try #require(appStore.allTransactions().last?.transactionID)
                try appStore.setSignatureIsValid(false, forTransactionID: id)
            }),
        Control(
            "showMessage", .events([]), .unsupported, "A message arrives on `messages` (Apple's documentation).",
            { $0.showMessage(.billingIssue) }),
        Control(
            "finishFromAnotherObserver", .events([]), .events([]),
            "The transaction leaves the queue (purchases-ios, 2415).",
            after: { scene in
                _ = try await scene.store.purchase("pro")
                try await scene.store.settled()
            }, { try $0.finishFromAnotherObserver(id(.purchased, in: $0)) }),
        Control(
            "redeliver", .events([]), .events([]),
            "A transaction that is reported twice is delivered once (RMStore, 150).",
            after: { try await $0.buy("pro") }, { try $0.redeliver(id(.purchased, in: $0)) }),
        Control(
            "clearTransactions", .events([]), .events([]),
            "A device never loses its history. An empty list ends no access; launch the app again.",
            after: { try await $0.buy("pro") }, { $0.clearTransactions() }),
    ]
}
