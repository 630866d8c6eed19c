import AppReceipt
import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation
import TestHarness
import Testing

@Suite(.bounded) struct PurchaseAccountTests {
    private let appStore = SimulatedAppStore(products: [
        .nonConsumable("pro", price: 10), .nonConsumable("news", price: 5), .nonConsumable("maps", price: 5),
    ])
    private static let ann = UUID()

    @Test func `tokens are the same in upper and lower case, and other names aren't`() {
        let token = PurchaseAccount.token(Self.ann)
        for same in [token, .username(Self.ann.uuidString), .username(Self.ann.uuidString.lowercased())] {
            #expect(token.isSame(same) && same.isSame(token))
        }
        #expect(!token.isSame(.token(UUID())) && !token.isSame(.username("ann")))
        #expect(PurchaseAccount.username("ann").isSame(.username("ann")))
        #expect(!PurchaseAccount.username("ann").isSame(.username("Ann")))
    }

    @Test func `the account of signed data leaves out the identifier of a context`() {
        var facts = PurchaseFacts(productID: "pro", transactionID: "1", purchaseDate: Date(timeIntervalSince1970: 0))
        expectEqual(facts.accountID, nil)
        facts.appAccountToken = Self.ann
        expectEqual(facts.accountID, Self.ann)
        facts.appAccountToken = ContextIdentifier.make()
        expectEqual(facts.accountID, nil)
    }

    @Test(arguments: [StoreEngine.storeKit1, .storeKit2])
    func `a restore for an account leaves out purchases that are known to name another one or none`(
        engine: StoreEngine
    ) async throws {
        let store = PurchaseStore(simulating: appStore, engine: engine)
        try await store.purchase("pro", options: [.appAccountToken(Self.ann)]) { _ in }
        try await store.purchase("news", options: [.context("a gift")]) { _ in }
        try await store.purchase("maps", options: []) { _ in }
        try await store.settled()
        let lowercased = PurchaseAccount.username(Self.ann.uuidString.lowercased())
        for account in [PurchaseAccount.token(Self.ann), lowercased] {
            expectEqual(try await store.restore(account: account) { _ in }.purchases.map(\.productID), ["pro"])
        }
        for account in [nil, PurchaseAccount.username("")] {
            expectEqual(
                Set(try await store.restore(account: account) { _ in }.purchases.map(\.productID)),
                ["pro", "news", "maps"])
        }
        expectEqual(try await store.restore(account: .token(UUID())) { _ in }.purchases, [])
        // Nothing that was left out waits in the queue.
        try await store.settled()
        expectEqual(await store.unfinishedTransactions, [])
        let next = try await appStore.relaunch(engine: engine).restore(account: .token(Self.ann))
        expectEqual(
            Set(next.purchases.map(\.productID)), engine == .storeKit2 ? ["pro"] : ["pro", "news", "maps"],
            "StoreKit 1 restores everything, and doesn't say who paid in an earlier launch")
    }

    @Test(arguments: [StoreEngine.storeKit1, .storeKit2])
    func `StoreKit 2 can't restore for a user name, and never says that nothing is owned`(
        engine: StoreEngine
    ) async throws {
        let store = PurchaseStore(simulating: appStore, engine: engine)
        try await store.purchase("pro", options: [.appAccountToken(Self.ann)]) { _ in }
        let code: StoreError.Code?
        do throws(StoreError) {
            expectEqual(try await store.restore(account: .username("joe")).purchases, [])
            code = nil
        } catch {
            code = error.code
        }
        expectEqual(code, engine == .storeKit2 ? .invalidAccount : nil)
    }

    @Test func `over StoreKit 1, a restore for an account brings a purchase that waits in the queue for it`()
        async throws
    {
        let first = PurchaseStore(simulating: appStore, engine: .storeKit1)
        _ = try await first.purchase("pro", options: [.appAccountToken(Self.ann)])
        _ = try await first.purchase("news", options: [.appAccountToken(UUID())])
        try await first.settled()
        let store = appStore.relaunch(engine: .storeKit1)
        try await store.settled()
        let account = PurchaseAccount.username(Self.ann.uuidString.lowercased())
        expectEqual(try await store.restore(account: account).purchases.map(\.productID), ["pro"])
        expectEqual(await store.unfinishedTransactions.map(\.productID), ["pro", "news"])
    }

    @Test func `over StoreKit 1, a row that may answer a payment is never left out of a restore`() async throws {
        let store = PurchaseStore(simulating: appStore, engine: .storeKit1)
        try await store.purchase("pro", options: [.appAccountToken(UUID())]) { _ in }
        async let restored = store.restore(account: .token(Self.ann))
        let outcome = try await store.purchase("pro", options: [.appAccountToken(Self.ann)])
        guard case .success(let purchase) = outcome else { throw StoreError(.unknown, "\(outcome)") }
        expectEqual(purchase.productID, "pro")
        _ = try await restored
    }
}
