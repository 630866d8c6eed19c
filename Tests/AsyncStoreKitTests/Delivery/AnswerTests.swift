import AppStoreSimulator
import AsyncStoreKitTesting
import Foundation
import Support
import TestHarness
import Testing

@testable import AsyncStoreKit

/// An app may be terminated right after any answer. What the answer reports as delivered isn't delivered again by the
/// next launch, even without a delivery ledger.
@Suite(.bounded) struct AnswerTests {
    enum Way: CaseIterable {
        /// `purchase` with a closure, and without one for an installed delivery or for `finish()`.
        case closure, installedDelivery, finish
        /// `restore` with a closure, and with an installed delivery.
        case restoreClosure, restoreInstalledDelivery

        var isRestore: Bool { self == .restoreClosure || self == .restoreInstalledDelivery }
    }

    /// Answers of one customer, one in each launch.
    struct Answers: Sendable, CustomTestStringConvertible {
        let engine: StoreEngine
        let count: Int

        var testDescription: String { "\(count) over \(engine)" }

        /// The answers of each way. `ANSWERS` sets their number over each engine.
        static let all: [Answers] = {
            let count = ProcessInfo.processInfo.environment["ANSWERS"].flatMap(Int.init) ?? 100
            return [StoreEngine.storeKit1, .storeKit2].flatMap { engine in
                stride(from: 0, to: count, by: 50).map { Answers(engine: engine, count: min(50, count - $0)) }
            }
        }()
    }

    @Test(arguments: Way.allCases, Answers.all)
    func `nothing is delivered twice when the app is terminated right after an answer`(way: Way, answers: Answers)
        async throws
    {
        let (appStore, engine) = (SimulatedAppStore(catalog: .shop), answers.engine)
        appStore.behavior.signsReceipts = false
        if way.isRestore {
            _ = try await PurchaseStore(over: SimulatedBackend(appStore, engine: engine)).purchase(StoreWorld.pro) {
                _ in
            }
        }
        var deliveredTwice = 0
        for _ in 0..<answers.count {
            let delivered = Locked<Set<String>>([])
            let store = launch(way, engine, appStore, delivered)
            try await act(way, store, delivered)
            let next = appStore.launch()
            let offered =
                engine == .storeKit1
                ? next.transactions.compactMap(\.transactionID)
                : next.transactions(.unfinished).compactMap(\.record.transactionID)
            let keys = delivered.withLock { $0 }
            #expect(!keys.isEmpty)
            deliveredTwice += offered.count { keys.contains($0) }
        }
        expectEqual(deliveredTwice, 0)
    }

    private func launch(
        _ way: Way, _ engine: StoreEngine, _ appStore: SimulatedAppStore, _ delivered: Locked<Set<String>>
    ) -> PurchaseStore {
        let store = PurchaseStore(over: SimulatedBackend(appStore, engine: engine))
        if way == .installedDelivery || way == .restoreInstalledDelivery {
            store.setDelivery { request in
                for purchase in request.purchases {
                    delivered.withLock { _ = $0.insert(purchase.transactionID ?? "") }
                }
                return .accepted
            }
        }
        return store
    }

    private func act(_ way: Way, _ store: PurchaseStore, _ delivered: Locked<Set<String>>) async throws {
        let deliver = { @Sendable (purchase: StorePurchase) in
            delivered.withLock { _ = $0.insert(purchase.transactionID ?? "") }
        }
        switch way {
        case .closure: try await store.purchase(StoreWorld.coins) { deliver($0) }
        case .installedDelivery: _ = try await store.purchase(StoreWorld.coins)
        case .finish:
            guard case .success(let purchase) = try await store.purchase(StoreWorld.coins) else { return }
            deliver(purchase)
            await purchase.finish()
        case .restoreClosure: try await store.restore { deliver($0) }
        case .restoreInstalledDelivery: _ = try await store.restore()
        }
    }
}
