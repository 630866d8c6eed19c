import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Dispatch
import Support
import Testing

@Suite("Handlers of events")
struct StoreEventCallbacksTests {
    private let world = BehaviorWorld(behavior: SimulatorBehavior()) { SimulatedBackend(launch: $0) }

    @Test("a handler is told what nobody waited for, unfinished transactions first, in order and on the main queue")
    func transactions() async throws {
        try world.appStore.buyProduct(productID: BehaviorWorld.pro)
        let store = world.launch()
        let told = Recorder<String>()
        let call = store.callbacks.onTransaction { update in
            dispatchPrecondition(condition: .onQueue(.main))
            told.record(update.transaction.productID)
            store.callbacks.finish(update.transaction)
        }
        #expect(await told.first(1) == [BehaviorWorld.pro])
        try world.appStore.buyProduct(productID: BehaviorWorld.coins)
        try world.appStore.buyProduct(productID: BehaviorWorld.news)
        #expect(await told.first(3) == [BehaviorWorld.pro, BehaviorWorld.coins, BehaviorWorld.news])
        try await world.expectFinished(store)
        call.cancel()
        try world.appStore.buyProduct(productID: BehaviorWorld.maps)
        try await world.settle(store)
        await Self.mainQueue()
        #expect(told.elements.count == 3)
        #expect(await store.unfinishedTransactions.map(\.productID) == [BehaviorWorld.maps])
    }

    @Test("nothing is told after the handler is called off on the main queue, even what was on its way")
    func cancelledOnMain() async throws {
        let store = world.launch()
        let told = Recorder<String>()
        let call = store.callbacks.onTransaction { told.record($0.transaction.productID) }
        try await world.settle(store)
        await Self.mainQueue {
            // The main queue is busy here: what comes now can only have its turn after the cancellation.
            try? world.appStore.buyProduct(productID: BehaviorWorld.pro)
            call.cancel()
        }
        try await world.settle(store)
        await Self.mainQueue()
        #expect(told.elements.isEmpty)
    }

    @Test("failures, revocations, promoted purchases, storefronts and downloads have their handlers")
    func others() async throws {
        let store = world.launch()
        let told = Recorder<String>()
        store.callbacks.onFailure { told.record("failure \($0.error.code)") }
        store.callbacks.onRevocation { told.record("revoked \($0.productIDs)") }
        store.callbacks.onStorefrontChange { told.record("storefront \($0?.countryCode ?? "unknown")") }
        store.callbacks.onDownload { if $0.state == .finished { told.record("downloaded \($0.contentID)") } }
        store.callbacks.onPurchaseIntent { told.record("promoted \($0.product.id)") }

        world.appStore.nextPurchase(is: .deferred)
        guard case .pending = try await store.purchase(BehaviorWorld.coins) else { throw StoreError(.unknown, "it was not deferred") }
        let deferred = try #require(world.appStore.allTransactions().first { $0.state == .deferred }?.id)
        try world.appStore.declineAskToBuyTransaction(id: deferred)
        #expect(await told.first { $0.hasPrefix("failure") } != nil)

        try await store.purchase(BehaviorWorld.maps) { purchase in
            for try await _ in store.content(of: purchase) { world.appStore.advance(by: 1) }
        }
        #expect(await told.first { $0 == "downloaded roads" } != nil)
        try world.appStore.refund(BehaviorWorld.maps)
        #expect(await told.first { $0.hasPrefix("revoked") } == "revoked [\"maps\"]")
        try world.appStore.promotePurchase(of: BehaviorWorld.pro)
        #expect(await told.first { $0.hasPrefix("promoted") } == "promoted pro")
        world.appStore.storefront = .init(countryCode: "DEU", id: "143443")
        #expect(await told.first { $0.hasPrefix("storefront") } == "storefront DEU")
    }

    private static func mainQueue(_ body: @escaping @Sendable () -> Void = {}) async {
        await withCheckedContinuation { continuation in
            DispatchQueue.main.async {
                body()
                continuation.resume()
            }
        }
    }
}
