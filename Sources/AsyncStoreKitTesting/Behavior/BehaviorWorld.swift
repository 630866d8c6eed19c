import AppStoreSimulator
import AsyncStoreKit
import Foundation

/// A simulated App Store with a few products, and what a scenario needs to play over it.
struct BehaviorWorld: Sendable {
    static let coins = "coins"
    static let pro = "pro"
    static let news = "news"
    static let weekly = "weekly"

    let appStore: SimulatedAppStore
    let clock = ManualClock()
    private let makeBackend: @Sendable (SimulatedLaunch) -> any StoreBackend

    init(behavior: SimulatorBehavior, makeBackend: @escaping @Sendable (SimulatedLaunch) -> any StoreBackend) {
        self.makeBackend = makeBackend
        appStore = SimulatedAppStore(catalog: Self.catalog)
        appStore.behavior = behavior
    }

    static var catalog: Catalog {
        let weekly = SimulatedSubscription(groupIdentifier: "magazine", period: .init(1, .week))
        return Catalog(products: [
            SimulatedProduct(productIdentifier: coins, kind: .consumable, price: 0.99),
            SimulatedProduct(productIdentifier: pro, kind: .nonConsumable, price: 4.99),
            SimulatedProduct(productIdentifier: news, kind: .nonConsumable, price: 1.99),
            SimulatedProduct(productIdentifier: Self.weekly, kind: .autoRenewableSubscription, price: 2.99, subscription: weekly),
        ])
    }

    /// Launches the app.
    func launch(mode: StoreMode = .finishing) -> Store {
        Store(
            backend: makeBackend(appStore.launch()),
            configuration: StoreConfiguration(mode: mode, clock: clock))
    }

    /// Returns when all that has happened so far has reached the store, and all that the store did about it the queue.
    func settle(_ store: Store) async throws {
        for _ in 0..<3 {
            await appStore.waitUntilIdle()
            _ = try await store.diagnostics
        }
    }

    func expect(_ condition: Bool, _ message: @autoclosure () -> String, line: UInt = #line) throws {
        guard condition else { throw BehaviorViolation(description: message(), line: line) }
    }

    func expect<Value: Equatable>(_ value: Value, is expected: Value, _ what: String, line: UInt = #line) throws {
        try expect(value == expected, "\(what): \(value) instead of \(expected)", line: line)
    }

    func expectError(
        _ code: StoreError.Code, line: UInt = #line, _ body: () async throws -> Void
    ) async throws {
        do {
            try await body()
        } catch let error as StoreError {
            return try expect(error.code, is: code, "the code of \"\(error.message)\"", line: line)
        }
        throw BehaviorViolation(description: "nothing was thrown instead of \(code)", line: line)
    }

    func success(_ outcome: PurchaseOutcome, line: UInt = #line) throws -> StorePurchase {
        guard case .success(let purchase) = outcome else {
            throw BehaviorViolation(description: "\(outcome) instead of success", line: line)
        }
        return purchase
    }

    /// The next element; there must be one.
    func next<Element>(of listener: StreamListener<Element>, line: UInt = #line) async throws -> Element {
        guard let element = await listener.next() else {
            throw BehaviorViolation(description: "the stream ended", line: line)
        }
        return element
    }

    func expectFinished(_ store: Store, line: UInt = #line) async throws {
        try await settle(store)
        let unfinished = await store.unfinishedTransactions
        try expect(unfinished.isEmpty, "unfinished: \(unfinished.map(\.productID))", line: line)
    }
}
