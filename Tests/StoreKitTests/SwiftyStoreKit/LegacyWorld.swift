import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Dispatch
import Foundation
import StoreKit
import Support
import SwiftyStoreKit
import Testing

/// What the old API runs over.
enum Engine: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case storeKit1 = "StoreKit 1"
    case storeKit2 = "StoreKit 2"

    var testDescription: String { rawValue }

    /// Whether transactions are StoreKit's own objects.
    var hasObjects: Bool { self == .storeKit1 }

    /// StoreKit 1 alone, for what cannot be over StoreKit 2, as the guide says.
    static func storeKit1(because exception: StoreKit2Exception) -> [Engine] { [.storeKit1] }
}

/// A simulated App Store, and the old API over launches of an app on it.
struct LegacyWorld: Sendable {
    /// What the old API runs over in a task: StoreKit 1, unless a test says otherwise.
    @TaskLocal static var engine = Engine.storeKit1

    static let coins = BehaviorWorld.coins
    static let pro = BehaviorWorld.pro
    static let news = BehaviorWorld.news
    static let maps = BehaviorWorld.maps
    static let weekly = BehaviorWorld.weekly

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
    private let engine: Engine

    init(
        _ engine: Engine = LegacyWorld.engine, catalog: SimulatedCatalog = BehaviorWorld.catalog,
        pacing: SimulatedAppStore.Pacing = .automatic, thread: SimulatorBehavior.DeliveryThread = .background
    ) {
        self.engine = engine
        appStore = SimulatedAppStore(catalog: catalog, pacing: pacing)
        appStore.behavior.signsReceipts = false
        appStore.behavior.deliveryThread = thread
        // A listing that lags behind what was bought a moment ago is for entitlements to bear with.
        appStore.behavior.listingLag = 0
    }

    /// How long a payment may be silent before the next one starts, in seconds.
    var paymentResponseTimeout: TimeInterval { engine == .storeKit2 ? 300 : 30 }

    func launch(_ configuration: StoreConfiguration? = nil) -> LegacyStore {
        self.launch(appStore.launch(), configuration)
    }

    /// - Parameter backendClock: The clock of StoreKit 2's backend.
    func launch(
        _ launch: SimulatedLaunch, _ configuration: StoreConfiguration? = nil, backendClock: any StoreClock = SystemStoreClock()
    ) -> LegacyStore {
        let configuration = configuration ?? StoreConfiguration(clock: clock)
        let backend = StoreKit1Backend(environment: StoreKit1Environment(launch: launch))
        switch engine {
        case .storeKit1: return LegacyStore(backend: backend, configuration: configuration)
        case .storeKit2:
            let store = PurchaseStore(
                over: StoreKit2Backend(environment: StoreKit2Environment(launch: launch, clock: backendClock)),
                configuration: configuration.workingOnCallersThread())
            return LegacyStore(store: store, requestsFrom: backend)
        }
    }

    /// Returns when everything that has happened so far has come to the old API, and what it did about it to the queue.
    func settle(_ legacy: LegacyStore) async throws {
        let store = legacy.store
        try await withDeadline("everything that happened to come to the old API") { [appStore] in
            for _ in 0..<4 {
                await appStore.waitUntilIdle()
                _ = try? await store.diagnostics
                try await MainQueue.drain()
            }
        }
    }

    /// The entries of the queue, in order.
    func queue(of legacy: LegacyStore) async throws -> [StoreTransaction] {
        try await settle(legacy)
        return await legacy.store.unfinishedTransactions
    }

    /// A launch of an app whose customer has bought these before, and to whom they are delivered.
    func owning(_ products: [String]) async throws -> LegacyStore {
        for product in products { try appStore.buyProduct(productID: product) }
        let legacy = launch()
        legacy.completeTransactions { _ in }
        #expect(try await queue(of: legacy).isEmpty)
        return launch()
    }

    func product(_ id: String, of legacy: LegacyStore) async throws -> SKProduct {
        let answers = Answers<RetrieveResults>()
        _ = legacy.retrieveProductsInfo([id], completion: answers.completion())
        return try #require(await answers.next().retrievedProducts.first)
    }

    func buy(_ id: String, atomically: Bool = true, of legacy: LegacyStore) async throws -> PurchaseResult {
        let answers = Answers<PurchaseResult>()
        _ = legacy.purchaseProduct(id, atomically: atomically, completion: answers.completion())
        return try await answers.next()
    }

    func restore(atomically: Bool = true, of legacy: LegacyStore) async throws -> RestoreResults {
        let answers = Answers<RestoreResults>()
        legacy.restorePurchases(atomically: atomically, completion: answers.completion())
        return try await answers.next()
    }

    /// The entry of the account's history in this state.
    func entry(_ state: SimulatedHistoryRecord.State) throws -> SimulatedTransaction.ID {
        try #require(appStore.allTransactions().first { $0.state == state }?.id)
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
