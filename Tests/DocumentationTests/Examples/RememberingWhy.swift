import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation
import Support
import TestHarness
import Testing

/// The code of the article about contexts.
private struct GiftExamples {
    let store: PurchaseStore
    let notes = Recorder<String>()

    init(_ store: PurchaseStore) {
        self.store = store
    }

    func send(flowersTo friend: String, for key: String) async throws { notes.record("flowers for \(friend)") }
    func askForFriend(for key: String) async throws { notes.record("a question") }

    struct Gift: Codable, Sendable {
        var friend: String
        var screen: String
    }

    func buyGift(for friend: String) async throws {
        let gift = Gift(friend: friend, screen: "birthdays")
        try await store.purchase("com.example.flowers", options: [.context(gift)]) { purchase in
            try await deliver(purchase)
        }
    }

    func deliver(_ purchase: StorePurchase) async throws {
        if let gift = purchase.context(as: Gift.self) {
            try await send(flowersTo: gift.friend, for: purchase.deliveryKey)
        } else {
            try await askForFriend(for: purchase.deliveryKey)
        }
    }

    func friend(of purchase: StorePurchase) -> String? {
        if let gift = purchase.context(as: Gift.self) { return gift.friend }
        let friends = Set(purchase.contextCandidates.compactMap { $0.value(as: Gift.self)?.friend })
        return friends.count == 1 ? friends.first : nil
    }
}

@Suite(.bounded) struct RememberingWhyTests {
    private let appStore = SimulatedAppStore(
        catalog: SimulatedCatalog(products: [
            SimulatedProduct(productID: "com.example.flowers", kind: .consumable, price: 9)
        ]))

    @Test func `flowers go to the friend, and a purchase without a context asks`() async throws {
        let store = PurchaseStore(simulating: appStore)
        let examples = GiftExamples(store)
        try await examples.buyGift(for: "Ada")
        try await store.purchase("com.example.flowers") { try await examples.deliver($0) }
        expectEqual(examples.notes.elements, ["flowers for Ada", "a question"])
    }

    @Test func `the only candidate is the friend of an approved purchase with an account`() async throws {
        let store = PurchaseStore(simulating: appStore)
        let examples = GiftExamples(store)
        appStore.setNextPurchaseOutcome(.deferred)
        let gift = GiftExamples.Gift(friend: "Grace", screen: "search")
        _ = try await store.purchase("com.example.flowers", options: [.context(gift), .appAccountToken(UUID())])
        let friends = Recorder<String?>()
        store.setDelivery { request in
            friends.record(examples.friend(of: request.purchases[0]))
            return .accepted
        }
        for record in appStore.allTransactions() { try appStore.approveAskToBuyTransaction(id: record.id) }
        try await store.settled()
        expectEqual(friends.elements, ["Grace"])
    }
}
