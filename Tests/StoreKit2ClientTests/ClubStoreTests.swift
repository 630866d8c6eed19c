import AppStoreSimulator
import StoreKit
import TestHarness
import Testing

/// Tests an app's StoreKit 2 code on Linux.
@Suite(.bounded) @MainActor struct ClubStoreTests {
    private let appStore = SimulatedAppStore(
        catalog: SimulatedCatalog(
            products: [
                .nonConsumable("dark.mode", price: 4.99, name: "Dark mode"),
                .autoRenewable(
                    "club.yearly", price: 29.99, period: .year(1), group: "club", level: 1,
                    introductoryOffer: .freeTrial(.week(2))),
                .autoRenewable("club.monthly", price: 2.99, period: .month(1), group: "club", level: 2),
            ]))

    /// The updates that the store's listener handled, in order.
    @MainActor private final class Updates {
        private let continuation: AsyncStream<String>.Continuation
        private let stream: AsyncStream<String>

        init() {
            (stream, continuation) = AsyncStream.makeStream()
        }

        func record(_ productID: String) {
            continuation.yield(productID)
        }

        func next() async -> String? {
            for await productID in stream { return productID }
            return nil
        }
    }

    /// Runs a closure in a newly launched app.
    private func launched(_ body: @MainActor (ClubStore, Updates) async throws -> Void) async throws {
        let launch = appStore.launch()
        try await StoreKitSimulation.withLaunch(launch) {
            let updates = Updates()
            let store = ClubStore { updates.record($0.productID) }
            try await store.begin()
            try await body(store, updates)
        }
    }

    @Test func `texts are formatted with StoreKit alone imported`() async throws {
        try await launched { store, _ in
            let texts = store.subscriptions.map(ClubTexts.init)
            #expect(texts.map(\.terms) == ["$2.99 for one month", "$29.99 for one year"])
            #expect(texts.map(\.pricePerUnit) == ["$2.99/month", "$29.99/year"])
            #expect(texts.map(\.badge) == Array(repeating: "Auto-Renewable Subscription", count: 2))
            let day = ClubTexts(product: store.subscriptions[0]).renewalDay(after: .init(timeIntervalSince1970: 0))
            #expect(day == "1970-02-01")
            #expect(store.features.map { ClubTexts(product: $0).terms } == [nil])
        }
    }

    @Test func `an approval reaches the listener, even in a later launch`() async throws {
        try await launched { store, _ in
            appStore.behavior.askToBuyEnabled = true
            let answer = try await store.buy(store.features[0])
            #expect(answer == nil)
        }
        try appStore.approvePurchase(of: "dark.mode")
        try await launched { store, updates in
            #expect(await updates.next() == "dark.mode")
            try await store.restore()
            #expect(store.owned == store.features)
        }
    }

    @Test func `a subscription begins, is changed, renews and ends`() async throws {
        try await launched { store, updates in
            let monthly = try #require(store.subscriptions.first)
            let yearly = try #require(store.subscriptions.last)
            #expect(store.subscriptionState == nil)
            #expect(try await store.buy(monthly)?.productID == "club.monthly")
            #expect(store.subscriptionState == .subscribed && store.owned == [monthly])
            #expect(try await store.buy(yearly)?.offer?.paymentMode == .freeTrial)
            #expect(store.owned == [yearly])
            // A lower level begins at the renewal.
            #expect(try await store.buy(monthly)?.productID == "club.yearly")
            appStore.advance(by: .weeks(2))
            #expect(await updates.next() == "club.monthly")
            #expect(store.owned == [monthly])
            try appStore.disableAutoRenew(of: "club.monthly")
            appStore.advance(by: .months(1))
            await store.updateOwned()
            #expect(store.subscriptionState == .expired && store.owned.isEmpty)
        }
    }
}
