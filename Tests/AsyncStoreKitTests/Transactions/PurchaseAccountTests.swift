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
    func `a restore for an account that StoreKit 2 can't answer for throws, and never says that nothing is owned`(
        engine: StoreEngine
    ) async throws {
        let store = PurchaseStore(simulating: appStore, engine: engine)
        try await store.purchase("pro", options: [.appAccountToken(Self.ann)]) { _ in }
        try await store.purchase("news", options: [.context("a gift")]) { _ in }
        try await store.purchase("maps", options: []) { _ in }
        try await store.settled()
        let lowercased = PurchaseAccount.username(Self.ann.uuidString.lowercased())
        for account in [PurchaseAccount.token(Self.ann), lowercased] where engine == .storeKit2 {
            expectEqual(try await store.restore(account: account).purchases.map(\.productID), ["pro"])
        }
        for account in [nil, PurchaseAccount.username("")] {
            expectEqual(
                Set(try await store.restore(account: account).purchases.map(\.productID)), ["pro", "news", "maps"])
        }
        let code: StoreError.Code?
        do throws(StoreError) {
            _ = try await store.restore(account: .username("joe"))
            code = nil
        } catch {
            code = error.code
        }
        expectEqual(code, engine == .storeKit2 ? .invalidAccount : nil)
    }
}
