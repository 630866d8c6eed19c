import AppStoreSimulator
import AsyncStoreKitTesting
import Foundation
import TestHarness
import Testing

@testable import AsyncStoreKit

/// The events for analytics and logs.
@Suite(.bounded) struct StoreEventTests {
    private static let catalog = SimulatedCatalog(products: [
        .consumable("coins", price: 2), .nonConsumable("pro", price: 10, isFamilyShareable: true),
        .autoRenewable(
            "basic", price: 3, period: .month(1), group: "club", level: 2,
            codeOffers: [.freeTrial(.week(1), id: "spring")]),
        .autoRenewable("premium", price: 5, period: .month(1), group: "club", level: 1),
    ])
    private let appStore = SimulatedAppStore(catalog: Self.catalog)

    private func launch(_ engine: StoreEngine = .storeKit2) -> PurchaseStore {
        PurchaseStore(over: SimulatedBackend(appStore, engine: engine))
    }

    /// Everything that a store has reported, as text.
    private func events(of store: PurchaseStore, _ act: () async throws -> Void) async throws -> [String] {
        let listener = StreamListener(store.events)
        try await act()
        try await store.settled()
        return listener.waiting.map { "\($0.kind) \($0.productID)" + ($0.price.map { " \($0)" } ?? "") }
    }

    @Test(arguments: [StoreEngine.storeKit2, .storeKit1])
    func `a purchase is an event when it starts and when it's paid, with any way of delivery`(engine: StoreEngine)
        async throws
    {
        let store = launch(engine)
        let price = engine == .storeKit2 ? " 2" : ""
        let events = try await events(of: store) {
            try await store.purchase("coins") { _ in }
            if case .success(let purchase) = try await store.purchase("coins") { await purchase.finish() }
            store.setDelivery { _ in .accepted }
            _ = try await store.purchase("coins")
        }
        expectEqual(events, Array(repeating: ["started coins", "purchased coins\(price)"], count: 3).flatMap(\.self))
    }

    @Test func `a cancellation, a failure and a request for approval are events`() async throws {
        let store = launch()
        let events = try await events(of: store) {
            appStore.setNextPurchaseOutcome(.userCancelled)
            _ = try await store.purchase("coins")
            appStore.setNextPurchaseOutcome(.failed(.storeProductNotAvailable))
            _ = try? await store.purchase("coins")
            appStore.setNextPurchaseOutcome(.deferred)
            _ = try await store.purchase("coins")
            try appStore.approvePurchase(of: "coins")
        }
        expectEqual(
            events,
            [
                "started coins", "cancelled coins", "started coins", "failed coins", "started coins", "pending coins",
                "purchased coins 2",
            ])
    }

    @Test func `renewals, refunds and their reversal are events, without duplicates`() async throws {
        let store = launch()
        let updates = StreamListener(store.transactions)
        let events = try await events(of: store) {
            try await store.purchase("basic") { _ in }
            try await store.advance(by: .month(1))
            try appStore.refund("basic")
            try await store.settled()
            store.core.refreshPendingState()
            try await store.settled()
        }
        expectEqual(events, ["started basic", "purchased basic 3", "renewed basic 3", "refunded basic 3"])
        _ = updates
    }

    @Test func `a restore is an event for each purchase, once in a launch`() async throws {
        let first = launch()
        try await first.purchase("pro") { _ in }
        let store = launch()
        let events = try await events(of: store) {
            try await store.restore { _ in }
            try await store.restore { _ in }
        }
        expectEqual(events, ["restored pro 10"])
    }

    @Test func `a family member's purchase has no price, and its end is no refund`() async throws {
        let store = launch()
        let events = try await events(of: store) {
            try appStore.shareInFamily("pro")
            try await store.settled()
            try appStore.revokeFamilySharing(of: "pro")
        }
        expectEqual(events, ["purchased pro", "revoked pro"])
    }

    @Test func `the last hundred events wait for the first loop, and a loop delivers nothing`() async throws {
        let store = launch()
        for _ in 1...60 { try await store.purchase("coins") { _ in } }
        try appStore.buyProduct(productID: "coins")
        try await store.settled()
        let events = try await events(of: store) {}
        expectEqual(events.count, 100)
        expectEqual(events.last, "purchased coins 2")
        expectEqual(await store.unfinishedTransactions.count, 1)
    }

    @Test func `an offer code that is redeemed elsewhere is an event of its own`() async throws {
        let store = launch()
        let events = try await events(of: store) { try appStore.redeemOfferCode("spring", for: "basic") }
        expectEqual(events, ["offerRedeemed basic 0"])
    }

    @Test func `over StoreKit 1, a revocation names the product`() async throws {
        let store = launch(.storeKit1)
        let events = try await events(of: store) {
            try await store.purchase("pro") { _ in }
            try appStore.refund("pro")
        }
        expectEqual(events, ["started pro", "purchased pro", "revoked pro"])
    }

    @Test func `an event describes itself`() async throws {
        let store = launch()
        let listener = StreamListener(store.events)
        try await store.purchase("coins") { _ in }
        expectEqual(try await listener.next()?.description, "started coins")
        let paid = try #require(try await listener.next())
        let id = try #require(paid.transaction?.id)
        expectEqual(paid.description, "purchased coins (2 USD, transaction \(id))")
        expectEqual(paid.quantity, 1)
        expectEqual(paid.signedInfo?.facts.transactionID, id)
    }

    @Test func `an upgraded transaction is an event, and one that moved to a bundle`() throws {
        var machine = StoreStateMachine()
        let transaction = StoreTransaction(token: .none, state: .purchased, productID: "basic", id: "1")
        for _ in 1...2 { machine.recordUpgrade(transaction) }
        expectEqual(machine.events.map(\.kind), [.upgraded])
    }

    @Test func `the newest thousand facts are remembered, and no more`() {
        var machine = StoreStateMachine()
        func upgrade(_ serial: Int) -> [StoreEvent] {
            let transaction = StoreTransaction(token: .none, state: .purchased, productID: "basic", id: "\(serial)")
            machine.recordUpgrade(transaction)
            defer { machine.events = [] }
            return machine.events
        }
        for serial in 1...3_000 { expectEqual(upgrade(serial).count, 1) }
        #expect(remembered(by: machine) < 4 * UnfinishedTransactions.limit + 100)
        expectEqual(upgrade(2_001).count, 0)
        expectEqual(upgrade(3_000).count, 0)
        expectEqual(upgrade(1).count, 1)
    }

    @Test func `callbacks receive the same events`() async throws {
        let store = launch()
        let (stream, continuation) = AsyncStream.makeStream(of: String.self)
        let call = store.callbacks.onEvent { continuation.yield($0.kind.description) }
        try await store.purchase("coins") { _ in }
        var kinds = stream.makeAsyncIterator()
        expectEqual(await kinds.next(), "started")
        expectEqual(await kinds.next(), "purchased")
        call.cancel()
    }
}
