import AppStoreSimulator
import AsyncStoreKitTesting
import Foundation
import Support
import TestHarness
import Testing

@testable import AsyncStoreKit

@Suite(.bounded) struct StoreSheetTests {
    /// A substitute for a window.
    private final class Window: Sendable {}

    /// An environment that records the anchor of each purchase and each sheet.
    private struct RecordingAnchors: RelayEnvironment {
        let next: any StoreKit2Environment
        let anchors: Recorder<PresentationAnchor?>

        func products(_ ids: Set<String>) async throws(StoreError) -> [StoreKit2Product] {
            try await next.products(ids).map { product in
                StoreKit2Product(value: product.value) { (payment, policy) throws(StoreError) in
                    let purchase = try product.prepare(payment, policy).get()
                    return StoreFunction { (anchor) async throws(StoreError) in
                        anchors.record(anchor)
                        return try await purchase(anchor)
                    }
                }
            }
        }

        func present(
            _ sheet: StoreSheet, in anchor: PresentationAnchor?
        ) async throws(StoreError) -> StoreKit2SignedTransaction? {
            anchors.record(anchor)
            return try await next.present(sheet, in: anchor)
        }
    }

    /// An app in front of a customer: its store, and the anchors of purchases and sheets.
    private struct App {
        let appStore: SimulatedAppStore
        let launch: SimulatedLaunch
        let store: PurchaseStore
        let anchors: Recorder<PresentationAnchor?>

        init(_ appStore: SimulatedAppStore) {
            self.appStore = appStore
            let launch = appStore.launch()
            let anchors = Recorder<PresentationAnchor?>()
            self.launch = launch
            self.anchors = anchors
            store = PurchaseStore(
                over: StoreKit2Backend(
                    environment: RecordingAnchors(next: SimulatedStoreKit2(launch), anchors: anchors)))
        }
    }

    private let appStore = SimulatedAppStore(
        catalog: SimulatedCatalog(products: [
            .consumable("coins", price: 2), .nonConsumable("pro", price: 10, isFamilyShareable: true),
            .autoRenewable(
                "basic", price: 3, period: .month(1), group: "club", codeOffers: [.freeTrial(.month(1), id: "gift")]),
        ]))

    @Test func `a refund can be requested for every value of a settings screen`() async throws {
        let first = App(appStore)
        var bought: [StorePurchase] = []
        for product in ["pro", "coins"] {
            guard case .success(let purchase) = try await first.store.purchase(product) else { continue }
            bought.append(purchase)
        }
        let (pro, coins) = (try #require(bought.first), try #require(bought.last))
        await pro.finish()
        let app = App(appStore)
        let entitlement = try #require(await app.store.entitlements.refresh()["pro"])
        let past = try #require(try await app.store.latestTransaction(for: "pro"))
        let consumable = try #require(try await app.store.consumablePurchases().first)
        let proID = try #require(pro.transaction.id)
        let coinsID = try #require(coins.transaction.id)
        expectEqual(try await app.store.requestRefund(for: entitlement.transaction), .submitted)
        try await app.store.requestRefund(for: past)
        try await app.store.requestRefund(for: proID)
        try await app.store.requestRefund(for: consumable)
        try await app.store.requestRefund(for: coinsID)
        expectEqual(
            app.launch.presentedSheets,
            [proID, proID, proID, coinsID, coinsID].map { .refundRequest(transactionID: $0) })
    }

    @Test func `closing a refund request is an outcome, and a refused request is an error`() async throws {
        let app = App(appStore)
        appStore.behavior.refundRequestEnding = .userCancelled
        expectEqual(try await app.store.requestRefund(for: "1"), .userCancelled)
        let codes: [(SimulatorBehavior.RefundRequestEnding, StoreError.Code)] = [
            (.duplicateRequest, .refundDuplicate), (.ineligible, .refundIneligible), (.failed, .refundFailed),
        ]
        for (ending, code) in codes {
            appStore.behavior.refundRequestEnding = ending
            await expectError(\StoreError.code, code) { try await app.store.requestRefund(for: "1") }
        }
        await expectError(\StoreError.code, .unknownTransaction) { try await app.store.requestRefund(for: "one") }
    }

    @Test func `a purchase that a family member has paid can't be refunded, and no sheet is presented`() async throws {
        try appStore.shareInFamily("pro")
        let app = App(appStore)
        let entitlement = try #require(await app.store.entitlements.refresh()["pro"])
        await expectError(\StoreError.code, .refundIneligible) {
            try await app.store.requestRefund(for: entitlement.transaction)
        }
        expectEqual(app.launch.presentedSheets, [])
    }

    @Test func `subscriptions are managed for one group or for all`() async throws {
        let app = App(appStore)
        try await app.store.manageSubscriptions()
        try await app.store.manageSubscriptions(inGroup: "club")
        expectEqual(
            app.launch.presentedSheets,
            [.subscriptionManagement(groupID: nil), .subscriptionManagement(groupID: "club")])
    }

    @Test func `the sheet for offer codes returns the result, on systems that report it`() async throws {
        let app = App(appStore)
        appStore.behavior.offerCodeSheetReturnsTransaction = false
        expectEqual(try await app.store.redeemOfferCode(), .unknown)
        appStore.behavior.offerCodeSheetReturnsTransaction = true
        expectEqual(try await app.store.redeemOfferCode(), .userCancelled)
        try appStore.setNextOfferCode("gift", for: "basic")
        guard case .redeemed(let transaction) = try await app.store.redeemOfferCode() else {
            throw StoreWorld.Unexpected(result: "no transaction")
        }
        expectEqual(transaction.productID, "basic")
    }

    @Test func `StoreKit 1 has the sheets for offer codes and price consent, and no others`() async throws {
        let store = PurchaseStore(over: SimulatedBackend(appStore, engine: .storeKit1))
        expectEqual(try await store.redeemOfferCode(), .unknown)
        try await store.showPriceConsent()
        await expectError(\StoreError.code, .unsupported) { try await store.requestRefund(for: "1") }
        await expectError(\StoreError.code, .unsupported) { try await store.manageSubscriptions() }
        await expectError(\StoreError.code, .unsupported) { try await App(appStore).store.showPriceConsent() }
    }

    @Test func `a message is shown at the app's anchor`() async throws {
        let app = App(appStore)
        appStore.showMessage(.billingIssue)
        let message = try #require(try await StreamListener(app.store.messages).next())
        try await app.store.show(message)
        expectEqual(app.launch.presentedSheets, [.message(reason: "billingIssue")])
    }

    @Test func `purchases and sheets are presented at the store's anchor, which is read each time`() async throws {
        let app = App(appStore)
        let windows = [Window(), Window()]
        let current = Locked(0)
        app.store.setPresentationAnchor { PresentationAnchor(object: windows[current.withLock { $0 }]) }
        _ = try await app.store.purchase("pro") { _ in }
        current.withLock { $0 = 1 }
        try await app.store.manageSubscriptions()
        app.store.setPresentationAnchor(nil)
        try await app.store.manageSubscriptions()
        expectEqual(app.anchors.elements, windows.map { PresentationAnchor(object: $0) } + [nil])
    }

    @Test func `an anchor of a call takes precedence over the store's, unless its object was deallocated`() async throws
    {
        let app = App(appStore)
        let (own, stores) = (Window(), Window())
        app.store.setPresentationAnchor { PresentationAnchor(object: stores) }
        let anchor = PresentationAnchor(object: own)
        _ = try await app.store.purchase("pro", options: [.anchor(anchor)]) { _ in }
        try await app.store.manageSubscriptions(in: anchor)
        try await app.store.manageSubscriptions(in: PresentationAnchor(object: Window()))
        expectEqual(app.anchors.elements, [anchor, anchor, PresentationAnchor(object: stores)])
    }

    @Test func `other policies keep the anchor of the store`() async throws {
        let app = App(appStore)
        let window = Window()
        app.store.setPresentationAnchor { PresentationAnchor(object: window) }
        app.store.setPolicies(PaymentQueuePolicies(promotedPurchase: .continue))
        _ = try await app.store.purchase("pro") { _ in }
        expectEqual(app.anchors.elements, [PresentationAnchor(object: window)])
    }

    @Test func `the error of a purchase without an anchor names the missing anchor`() {
        let unknown = StoreError(.purchaseInterrupted, "It failed.", underlying: URLError(.unknown)).namingMissingAnchor
        #expect(unknown.message.contains("setPresentationAnchor") && unknown.underlying is URLError)
    }

    @Test(arguments: ["management", "code", "refund"])
    func `the store reads the entitlements after a sheet, however the customer closes it`(sheet: String) async throws {
        // Otherwise, a status arrives.
        appStore.behavior.sendsAutoRenewChanges = false
        let store = PurchaseStore(simulating: appStore)
        try await store.purchase("basic") { _ in }
        try await store.settled()
        try appStore.disableAutoRenew(of: "basic")
        try await store.settled()
        expectEqual(store.entitlements.latest["basic"]?.renewal?.willRenew, true)
        switch sheet {
        case "management": try await store.manageSubscriptions()
        case "code": _ = try await store.redeemOfferCode()
        default:
            appStore.behavior.refundRequestEnding = .userCancelled
            let transaction = try #require(store.entitlements.latest["basic"]?.transaction)
            expectEqual(try await store.requestRefund(for: transaction), .userCancelled)
        }
        try await store.settled()
        expectEqual(store.entitlements.latest["basic"]?.renewal?.willRenew, false)
    }
}
