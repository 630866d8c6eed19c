import AppReceipt
import AppStoreSimulator
import AsyncStoreKitTesting
import Foundation
import Support
import TestHarness
import Testing

@testable import AsyncStoreKit

@Suite(.bounded) struct TransactionHistoryTests {
    private let appStore = SimulatedAppStore(
        catalog: SimulatedCatalog(products: [
            .consumable("coins", price: 2), .nonConsumable("pro", price: 10),
            .autoRenewable("basic", price: 3, period: .month(1), group: "club"),
        ]))

    private func store(_ engine: StoreEngine = .storeKit2) -> PurchaseStore {
        PurchaseStore(over: SimulatedBackend(appStore, engine: engine))
    }

    private func ids(_ transactions: [VerifiedTransaction]) -> [String] { transactions.map(\.productID) }

    @Test func `the history has every purchase and renewal, newest first, even after a relaunch`() async throws {
        let first = store()
        _ = try await first.purchase("pro") { _ in }
        appStore.advance(by: 60)
        _ = try await first.purchase("basic") { _ in }
        appStore.advance(by: 40 * 86_400)
        let store = store()
        let history = try await store.transactionHistory()
        expectEqual(ids(history), ["basic", "basic", "pro"])
        expectEqual(Set(history.map(\.id)).count, 3)
        expectEqual(history.map(\.purchaseDate), history.map(\.purchaseDate).sorted(by: >))
        expectEqual(history[0].originalID, history[1].id)
        #expect(history[0].expirationDate != nil && history[2].price == 10)
        for transaction in history { expectEqual(transaction.jws?.split(separator: ".").count, 3) }
    }

    @Test func `the history of a product has only its transactions, newest first`() async throws {
        let store = store()
        _ = try await store.purchase("pro") { _ in }
        _ = try await store.purchase("basic") { _ in }
        appStore.advance(by: 40 * 86_400)
        expectEqual(ids(try await store.transactionHistory(for: "basic")), ["basic", "basic"])
        expectEqual(ids(try await store.transactionHistory(for: ["pro", "coins"])), ["pro"])
        let latest = try #require(try await store.latestTransaction(for: "basic"))
        expectEqual(latest, try await store.transactionHistory().first)
        expectEqual(try await store.latestTransaction(for: "coins"), nil)
    }

    @Test func `a refunded purchase stays in the history`() async throws {
        let store = store()
        _ = try await store.purchase("pro") { _ in }
        try appStore.refund("pro")
        let latest = try #require(try await store.latestTransaction(for: "pro"))
        #expect(latest.revocationDate != nil && latest.isRevoked)
    }

    @Test func `over StoreKit 1 the history is the receipt, without signed texts`() async throws {
        let store = store(.storeKit1)
        _ = try await store.purchase("pro") { _ in }
        let history = try await store.transactionHistory()
        expectEqual(ids(history), ["pro"])
        expectEqual(history.first?.jws, nil)
    }

    @Test func `over StoreKit 1 a missing receipt is an error`() async throws {
        await expectError(\StoreError.code, .receiptUnavailable) { try await store(.storeKit1).transactionHistory() }
    }

    @Test func `a group's status can be read without loaded products`() async throws {
        _ = try await store().purchase("basic") { _ in }
        try appStore.expireSubscription(productID: "basic")
        appStore.advance(by: 86_400)
        let status = await store().subscriptionStatus(inGroup: "club")
        expectEqual(status.state, .expired)
        expectEqual(status.productID, "basic")
        #expect(status.jws != nil && status.renewalJWS != nil && status.expirationReason == .autoRenewDisabled)
        expectEqual(await store().subscriptionStatus(inGroup: "press").groupID, "press")
    }

    @Test func `a group's status is current at the call`() async throws {
        let store = store()
        _ = try await store.purchase("basic") { _ in }
        expectEqual(await store.subscriptionStatus(inGroup: "club").state, .subscribed)
        try appStore.refund("basic")
        try appStore.expireSubscription(productID: "basic")
        expectEqual(await store.subscriptionStatus(inGroup: "club").isEntitled, false)
    }
}
