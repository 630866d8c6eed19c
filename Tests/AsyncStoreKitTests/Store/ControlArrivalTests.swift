import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation
import Support
import TestHarness
import Testing

/// Every control of the App Store reaches an app that runs: its loop over the entitlements, `latest`, `current` and
/// `events`.
@Suite(.bounded) struct ControlArrivalTests {
    /// A customer whose app has read the entitlements before.
    final class Scene: Sendable {
        let appStore = SimulatedAppStore(
            catalog: SimulatedCatalog(
                products: [
                    .consumable("coins", price: 1), .nonConsumable("pro", price: 10, isFamilyShareable: true),
                    .autoRenewable(
                        "news", price: 3, period: .month(1), group: "news",
                        codeOffers: [.freeTrial(.week(1), id: "gift")]),
                    .autoRenewable("maps", price: 3, period: .month(1), group: "maps"),
                    .bundle("all", of: ["news", "maps"], price: 5, period: .month(1), group: "all"),
                    .autoRenewable("yearly", price: 30, period: .year(1), group: "archive", monthlyPlan: .monthly(3)),
                ], storefront: SimulatedStorefront(countryCode: "DEU", id: "143443")))
        let store: PurchaseStore

        init(_ engine: StoreEngine) async throws {
            store = PurchaseStore(simulating: appStore, engine: engine)
            _ = try await store.products(for: ["coins", "pro", "news", "maps", "all", "yearly"])
        }

        func buy(_ productID: String, _ options: PurchaseOptions = []) async throws {
            try await store.purchase(productID, options: options) { _ in }
            try await store.settled()
        }

        func ask() async throws {
            appStore.behavior.askToBuyEnabled = true
            _ = try await store.purchase("pro")
        }

        func interrupt() async throws {
            appStore.setNextPurchaseOutcome(.interrupted)
            await #expect(throws: StoreError.self) { try await store.purchase("pro") }
        }
    }

    /// Where the effect of a control is seen.
    enum Effect: Sendable {
        /// The entitlements change, with these events.
        case changes([StoreEvent.Kind])
        /// Only events follow, if any.
        case events([StoreEvent.Kind])
        /// StoreKit reports nothing: the next read of the device has the change.
        case silent
        /// The engine has no such control.
        case unsupported
    }

    struct Control: Sendable, CustomTestStringConvertible {
        /// The function, and the case.
        let name: String
        let storeKit2: Effect
        let storeKit1: Effect
        /// What a device does, and who says so.
        let device: String
        let prepare: @Sendable (Scene) async throws -> Void
        let act: @Sendable (SimulatedAppStore) throws -> Void

        init(
            _ name: String, _ storeKit2: Effect, _ storeKit1: Effect, _ device: String,
            after prepare: @escaping @Sendable (Scene) async throws -> Void = { _ in },
            _ act: @escaping @Sendable (SimulatedAppStore) throws -> Void
        ) {
            (self.name, self.storeKit2, self.storeKit1, self.device) = (name, storeKit2, storeKit1, device)
            (self.prepare, self.act) = (prepare, act)
        }

        var function: Substring { name.prefix { $0 != "," } }
        var testDescription: String { name }
    }

    @Test(arguments: controls, [StoreEngine.storeKit2, .storeKit1])
    func `a control reaches the loop, latest, current and events`(_ control: Control, engine: StoreEngine) async throws
    {
        let effect = engine == .storeKit1 ? control.storeKit1 : control.storeKit2
        if case .unsupported = effect { return }
        let scene = try await Scene(engine)
        let (appStore, store) = (scene.appStore, scene.store)
        try await control.prepare(scene)
        let (seen, events) = (Recorder<StoreEntitlements>(), StreamListener(store.events))
        let loop = Task { for await value in store.entitlements { seen.record(value) } }
        defer { loop.cancel() }
        try await store.settled()
        let (before, count) = (await store.entitlements.refresh(), events.waiting.count)
        try await store.settled()

        try control.act(appStore)
        try await store.settled()
        let (latest, current) = (store.entitlements.latest, await store.entitlements.current)
        try await store.settled()
        let looped = seen.elements.last
        let kinds = events.waiting.dropFirst(count).map(\.kind)
        let now = await store.entitlements.refresh()

        switch effect {
        case .changes(let expected):
            #expect(now.all != before.all, "\(control.device)")
            #expect(latest.all == now.all && current.all == now.all && looped?.all == now.all, "\(control.device)")
            expectEqual(kinds, expected)
        case .events(let expected):
            #expect(now.all == before.all && latest.all == now.all && looped?.all == now.all, "\(control.device)")
            expectEqual(kinds, expected)
        case .silent:
            #expect(now.all != before.all && latest.all == before.all && kinds.isEmpty, "\(control.device)")
        case .unsupported: break
        }
    }

    @Test func `the table has every control`() throws {
        // These change what the next call, the next read or the next launch gets.
        let later = [
            "setNextPurchaseOutcome", "setNextListingFault", "setNextOfferCode", "releaseListings", "moveToNewDevice",
            "resetToDefaultState", "failDownload",
        ]
        // These only answer.
        let questions = ["allTransactions", "transaction", "allRenewals", "allSubscriptionStatuses"]
        let files = try SourceTree.sources.get().files.filter { file in
            ["Controls", "StoreKit2Controls", "Subscriptions"].contains { part in
                file.path == "AppStoreSimulator/SimulatedAppStore+\(part).swift"
            }
        }
        let functions = files.flatMap(\.lines).compactMap { line in
            line.firstMatch(of: #/public func (\w+)\(/#).map { String($0.1) }
        }
        let table = Set(Self.controls.map { String($0.function) })
        #expect(functions.count > 35)
        expectEqual(Set(functions), table.union(later).union(questions))
    }
}
