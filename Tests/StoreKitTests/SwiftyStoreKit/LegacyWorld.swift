import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Dispatch
import Foundation
import StoreKit
import Support
import SwiftyStoreKit
import Testing

/// The engine of the block API.
enum Engine: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case storeKit1 = "StoreKit 1"
    case storeKit2 = "StoreKit 2"

    var testDescription: String { rawValue }

    /// Whether transactions are StoreKit's objects.
    var hasObjects: Bool { self == .storeKit1 }

    /// Returns StoreKit 1, for a documented exception of StoreKit 2.
    static func storeKit1(because exception: StoreKit2Exception) -> Engine { .storeKit1 }
}

/// A simulated App Store, and the block API over launches of an app and the `StoreKit` of Linux: products, payments and
/// transactions are its objects. Tests that need only an App Store are in `SwiftyStoreKitTests`, and run on a Mac, too.
struct LegacyWorld: Sendable {
    /// The engine of the block API in a task. The default is StoreKit 1.
    @TaskLocal static var engine = Engine.storeKit1

    static let coins = StoreWorld.coins
    static let pro = StoreWorld.pro
    static let news = StoreWorld.news
    static let maps = StoreWorld.maps
    static let weekly = StoreWorld.weekly

    /// A subscription, "monthly", with the promotional offer "half".
    static let catalogWithOffer = SimulatedCatalog(products: [
        SimulatedProduct(
            productID: "monthly", kind: .autoRenewableSubscription, price: 9,
            subscription: SimulatedSubscription(
                groupID: "g", period: .init(1, .month),
                promotionalOffers: [.init(id: "half", paymentMode: .payAsYouGo, price: 4, period: .init(1, .month))]))
    ])
    static let discount = SKPaymentDiscount(
        identifier: "half", keyIdentifier: "key", nonce: UUID(), signature: "c2lnbmVk", timestamp: 1_700_000_000_000)

    let appStore: SimulatedAppStore
    let clock = SimulatedClock()
    /// The requests that the App Store has received: "products" and "receipt".
    let requests = Recorder<String>()
    private let engine: Engine

    init(
        _ engine: Engine = LegacyWorld.engine, catalog: SimulatedCatalog = SimulatedCatalog.shop,
        pacing: SimulatedAppStore.Pacing = .automatic, thread: SimulatorBehavior.DeliveryThread = .background
    ) {
        self.engine = engine
        appStore = SimulatedAppStore(catalog: catalog, pacing: pacing)
        appStore.behavior.signsReceipts = false
        appStore.behavior.deliveryThread = thread
        // Tests of entitlements cover the lag of lists.
        appStore.behavior.listingLag = 0
    }

    /// Returns a world and the block API in its first launch.
    static func launched(
        _ engine: Engine = LegacyWorld.engine, catalog: SimulatedCatalog = SimulatedCatalog.shop,
        thread: SimulatorBehavior.DeliveryThread = .background
    ) -> (LegacyWorld, LegacyStore) {
        let world = LegacyWorld(engine, catalog: catalog, thread: thread)
        return (world, world.launch())
    }

    /// The time after which the next payment starts behind an unanswered one, in seconds.
    var paymentResponseTimeout: TimeInterval { engine == .storeKit2 ? 300 : 30 }

    func launch(_ configuration: StoreConfiguration? = nil) -> LegacyStore {
        self.launch(appStore.launch(), configuration)
    }

    /// - Parameter backendClock: The clock of StoreKit 2's backend.
    func launch(
        _ launch: SimulatedLaunch, _ configuration: StoreConfiguration? = nil,
        backendClock: any StoreClock = SystemStoreClock()
    ) -> LegacyStore {
        let configuration = configuration ?? StoreConfiguration(clock: clock)
        let backend = StoreKit1Backend(environment: .recording(launch, requests))
        switch engine {
        case .storeKit1: return LegacyStore(backend: backend, configuration: configuration)
        case .storeKit2:
            let store = PurchaseStore(
                over: StoreKit2Backend(
                    environment: RecordingRequests(
                        next: SystemStoreKit2(launch: launch, clock: backendClock), requests: requests)),
                configuration: configuration)
            return LegacyStore(store: store, requestsFrom: backend)
        }
    }

    /// Waits until all events have reached the block API, and its resulting calls have reached the queue.
    func settle(_ legacy: LegacyStore) async throws {
        let store = legacy.store
        try await withDeadline("all events to reach the block API") { [appStore] in
            // The tasks of the store that call StoreKit aren't counted here. On a busy machine they start late.
            for _ in 0..<32 {
                await appStore.waitUntilIdle()
                _ = try? await store.diagnostics()
                try await MainQueue.drain()
            }
        }
    }

    /// The entries of the queue, in order.
    func queue(of legacy: LegacyStore) async throws -> [StoreTransaction] {
        try await settle(legacy)
        return await legacy.store.unfinishedTransactions
    }

    /// Returns a launch of an app whose customer owns delivered products.
    func owning(_ products: [String]) async throws -> LegacyStore {
        for product in products { try appStore.buyProduct(productID: product) }
        let legacy = launch()
        legacy.completeTransactions { _ in }
        #expect(try await queue(of: legacy).isEmpty)
        // The App Store offers transactions that it doesn't know as finished to the next launch.
        try await untilFinished()
        return launch()
    }

    /// Waits until the App Store has finished every purchase. Over StoreKit 2, a transaction leaves the store's list
    /// before StoreKit has finished it.
    func untilFinished() async throws {
        try await withDeadline("the App Store to finish every purchase") { [appStore] in
            while appStore.allTransactions().contains(where: { $0.state == .purchased && !$0.isFinished }) {
                await appStore.waitUntilIdle()
                await Task.yield()
            }
        }
    }

    func product(_ id: String, of legacy: LegacyStore) async throws -> SKProduct {
        try #require(await legacy.retrieving([id]).next().retrievedProducts.first)
    }

    /// Returns the entry of the account's history in a state.
    func entry(_ state: SimulatedHistoryRecord.State) throws -> SimulatedTransaction.ID {
        try #require(appStore.allTransactions().first { $0.state == state }?.id)
    }
}

extension LegacyStore {
    /// Starts a purchase, and returns its answers.
    func buying(
        _ id: String, quantity: Int = 1, atomically: Bool = true, applicationUsername: String = "",
        simulatesAskToBuyInSandbox: Bool = false
    ) -> Answers<PurchaseResult> {
        let answers = Answers<PurchaseResult>()
        _ = purchaseProduct(
            id, quantity: quantity, atomically: atomically, applicationUsername: applicationUsername,
            simulatesAskToBuyInSandbox: simulatesAskToBuyInSandbox, completion: answers.completion())
        return answers
    }

    /// Starts a purchase of a loaded product, and returns its answers.
    func buying(_ product: SKProduct, paymentDiscount: PaymentDiscount? = nil) -> Answers<PurchaseResult> {
        let answers = Answers<PurchaseResult>()
        purchaseProduct(product, paymentDiscount: paymentDiscount, completion: answers.completion())
        return answers
    }

    /// Requests products, and returns the answers.
    func retrieving(_ ids: Set<String>) -> Answers<RetrieveResults> {
        let answers = Answers<RetrieveResults>()
        _ = retrieveProductsInfo(ids, completion: answers.completion())
        return answers
    }
}

extension PurchaseResult {
    var success: PurchaseDetails? {
        if case .success(let purchase) = self { purchase } else { nil }
    }

    var deferred: PurchaseDetails? {
        if case .deferred(let purchase) = self { purchase } else { nil }
    }

    var error: SKError? {
        if case .error(let error) = self { error } else { nil }
    }
}
