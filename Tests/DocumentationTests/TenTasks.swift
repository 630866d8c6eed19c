import AppReceipt
import AppStoreServer
import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation
import TestHarness
import Testing

/// Ten tasks of an app with purchases, one function for each.
private struct Tasks {
    let store: PurchaseStore
    let server: Server

    func listenAtLaunch() -> Task<Void, Never> {
        Task {
            for await purchase in store.transactions {
                do {
                    try await server.deliver(purchase, receipt: store.receipt.data())
                    await purchase.finish()
                } catch {
                    await purchase.retryDelivery()
                }
            }
        }
    }

    func prices() async throws -> [String] {
        try await store.products(for: ["pro", "monthly", "coins"]).map(\.displayPrice)
    }

    func buyCoins() async throws {
        try await store.purchase("coins") { purchase in
            try await server.deliver(purchase, receipt: store.receipt.data())
        }
    }

    func buyPro() async throws -> Bool {
        try await store.purchase("pro") { _ in }
        return try await store.receipt.verify(using: .simulated()).owns("pro", at: .now)
    }

    func askToBuy() async throws -> Bool {
        if case .pending = try await store.purchase("pro", deliver: { _ in }) { return true }
        return false
    }

    func firstApproval() async -> String? {
        for await purchase in store.transactions {
            await purchase.finish()
            return purchase.productID
        }
        return nil
    }

    func firstRefusal() async -> StoreError? {
        for await failure in store.purchaseFailures { return failure.error }
        return nil
    }

    func restore() async throws -> Set<String> {
        try await store.restore { _ in }.productIDs
    }

    func mayUsePro() async throws -> Bool {
        try await store.receipt.verify(using: .simulated()).owns("pro", at: .now)
    }

    func membership(_ verifier: AppleServerReceiptVerifier) async throws -> (grace: Bool, renews: Bool?) {
        let status = try await store.receipt.verify(using: verifier, refreshing: .always).subscriptionStatus(
            of: "monthly", at: .now)
        return (status.state == .inGracePeriod, status.renewal?.willAutoRenew)
    }

    func continuePromotedPurchase() async throws {
        for await intent in store.purchaseIntents {
            try await intent.purchase { purchase in try await server.deliver(purchase, receipt: store.receipt.data()) }
            return
        }
    }

    func firstRefund() async -> Set<String> {
        for await revocation in store.revocations { return Set(revocation.productIDs) }
        return []
    }
}

@Suite(.bounded) struct TenTasks {
    private let appStore = SimulatedAppStore(products: [
        .consumable("coins", price: 1), .nonConsumable("pro", price: 10),
        .autoRenewable("monthly", price: 5, period: .month(1), group: "club"),
    ])
    private let server = Server()
    private let tasks: Tasks

    init() {
        tasks = Tasks(store: PurchaseStore(backend: SimulatedBackend(appStore)), server: server)
    }

    @Test func `one: a listener at launch`() async throws {
        let listener = tasks.listenAtLaunch()
        defer { listener.cancel() }
        try appStore.buyProduct(productID: "coins")
        await server.until { $0.coins == 1 }
    }

    @Test func `two: products in the app's order`() async throws {
        #expect(try await tasks.prices() == ["$10.00", "$5.00", "$1.00"])
    }

    @Test func `three: a consumable with a server that may fail`() async throws {
        await server.become(.down)
        await #expect(throws: StoreError.self) { try await tasks.buyCoins() }
        await server.become(.up)
        let listener = tasks.listenAtLaunch()
        defer { listener.cancel() }
        await server.until { $0.coins == 1 }
    }

    @Test func `four: a non-consumable`() async throws {
        #expect(try await tasks.buyPro())
    }

    @Test func `five: Ask to Buy, and both answers`() async throws {
        // Only StoreKit 1 reports that a parent has declined.
        let tasks = Tasks(
            store: PurchaseStore(backend: SimulatedBackend(appStore, engine: .storeKit1)), server: server)
        appStore.behavior.askToBuyEnabled = true
        #expect(try await tasks.askToBuy())
        try appStore.declinePurchase(of: "pro")
        #expect(await tasks.firstRefusal()?.code == .approvalDeclined)
        #expect(try await tasks.askToBuy())
        try appStore.approvePurchase(of: "pro")
        #expect(await tasks.firstApproval() == "pro")
    }

    @Test func `six: restore`() async throws {
        #expect(try await tasks.buyPro())
        #expect(try await Tasks(store: appStore.relaunch(), server: server).restore() == ["pro"])
    }

    @Test func `seven: access at launch, offline`() async throws {
        #expect(try await tasks.buyPro())
        appStore.behavior.isOffline = true
        #expect(try await Tasks(store: appStore.relaunch(), server: server).mayUsePro())
    }

    @Test func `eight: a subscription's grace period, and whether it renews`() async throws {
        let verifier = AppleServerReceiptVerifier(
            bundleID: .any, environment: .sandbox, transport: appStore.verifyReceiptTransport)
        try await tasks.store.purchase("monthly") { _ in }
        #expect(try await tasks.membership(verifier) == (false, true))
        appStore.behavior.shouldEnterBillingRetryOnRenewal = true
        appStore.behavior.billingGracePeriodIsEnabled = true
        appStore.advance(by: .months(1))
        appStore.advance(by: .days(1))
        #expect(try await tasks.membership(verifier).grace)
        try appStore.disableAutoRenew(of: "monthly")
        #expect(try await tasks.membership(verifier).renews == false)
    }

    @Test func `nine: a promoted purchase, and its refund`() async throws {
        try appStore.promotePurchase(of: "coins")
        try await tasks.continuePromotedPurchase()
        #expect(await server.coins == 1)
        try appStore.refund("coins")
        #expect(await tasks.firstRefund() == ["coins"])
    }

    @Test func `ten: time, a crash, an interrupted purchase`() async throws {
        appStore.behavior.interruptedPurchasesEnabled = true
        await #expect(throws: StoreError.self) { try await tasks.store.purchase("monthly") { _ in } }
        try appStore.resolvePurchase(of: "monthly")
        let store = appStore.relaunch()
        var transactions = store.transactions.makeAsyncIterator()
        let purchase = try #require(await transactions.next())
        await purchase.finish()
        #expect(try await store.receipt.verify(using: .simulated(), refreshing: .always).owns("monthly", at: .now))
        try appStore.disableAutoRenew(of: "monthly")
        appStore.advance(by: .months(2))
        #expect(try await !store.receipt.verify(using: .simulated(), refreshing: .always).owns("monthly", at: .now))
    }
}
