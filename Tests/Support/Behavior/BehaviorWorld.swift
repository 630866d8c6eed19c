package import AppStoreSimulator
package import AsyncStoreKit
package import AsyncStoreKitTesting
import Foundation

/// A simulated App Store with some products, with the functions that scenarios need.
package struct BehaviorWorld: Sendable {
    package static let coins = "coins"
    package static let pro = "pro"
    package static let news = "news"
    package static let weekly = "weekly"
    /// A product with two hosted files of 1000 and 2000 bytes.
    package static let maps = "maps"

    package let appStore: SimulatedAppStore
    package let clock: SimulatedClock
    private let launched = Locked<[LaunchedStore]>([])
    private let makeBackend: @Sendable (SimulatedLaunch) -> any StoreBackend

    package init(
        behavior: SimulatorBehavior = SimulatorBehavior(), signsReceipts: Bool = false,
        makeBackend: @escaping @Sendable (SimulatedLaunch) -> any StoreBackend
    ) {
        self.makeBackend = makeBackend
        appStore = SimulatedAppStore(catalog: Self.catalog)
        clock = SimulatedClock(appStore)
        appStore.behavior = behavior
        appStore.behavior.signsReceipts = signsReceipts
    }

    package static var catalog: SimulatedCatalog {
        let weekly = SimulatedSubscription(groupID: "magazine", period: .init(1, .week))
        return SimulatedCatalog(products: [
            SimulatedProduct(productID: coins, kind: .consumable, price: 0.99),
            SimulatedProduct(productID: pro, kind: .nonConsumable, price: 4.99),
            SimulatedProduct(
                productID: maps, kind: .nonConsumable, price: 3.99,
                hostedContent: [
                    SimulatedHostedContent(contentID: "roads", contentLength: 1000),
                    SimulatedHostedContent(contentID: "trails", contentLength: 2000),
                ]),
            SimulatedProduct(productID: news, kind: .nonConsumable, price: 1.99),
            SimulatedProduct(
                productID: Self.weekly, kind: .autoRenewableSubscription, price: 2.99, subscription: weekly),
        ])
    }

    /// Launches the app and returns its store.
    package func launch(mode: StoreMode = .finishing) -> PurchaseStore {
        let store = PurchaseStore(
            over: makeBackend(appStore.launch()), configuration: StoreConfiguration(mode: mode, clock: clock))
        launched.withLock { $0.append(LaunchedStore(store: store)) }
        return store
    }

    /// Returns the state of the App Store and of all launched stores, for the message of an expired wait.
    func report() async -> String {
        var parts = ["The App Store has \(appStore.allTransactions())."]
        for (number, store) in launched.withLock({ $0 }).map(\.store).enumerated() {
            guard let store else { continue }
            let diagnostics = try? await withDeadline("diagnostics", within: 1) { try await store.diagnostics() }
            parts.append("Launch \(number + 1): \(diagnostics.map { "\($0)" } ?? "no diagnostics after a second").")
        }
        return parts.joined(separator: " ")
    }

    /// Waits until all events have reached the store, and all resulting calls of the store have reached the App Store.
    package func settle(_ store: PurchaseStore) async throws {
        try await withDeadline("all events to be processed") { [appStore] in
            for _ in 0..<3 {
                await appStore.waitUntilIdle()
                _ = try await store.diagnostics()
            }
        }
    }

    /// Waits until a store is in a state.
    package func until(
        _ event: String, _ store: PurchaseStore, _ isExpected: @escaping @Sendable (StoreDiagnostics) -> Bool
    ) async throws {
        _ = try await withDeadline(event) { try await store.core.diagnostics(isExpected) }
    }

    package func expect(_ condition: Bool, _ message: @autoclosure () -> String, line: UInt = #line) throws {
        guard condition else { throw BehaviorViolation(description: message(), line: line) }
    }

    package func expect<Value: Equatable>(_ value: Value, is expected: Value, _ name: String, line: UInt = #line) throws
    {
        try expect(value == expected, "\(name): \(value) instead of \(expected)", line: line)
    }

    package func expectError(
        _ code: StoreError.Code, line: UInt = #line, _ body: () async throws -> Void
    ) async throws {
        do {
            try await body()
        } catch let error as StoreError {
            return try expect(error.code, is: code, "the code of \"\(error.message)\"", line: line)
        }
        throw BehaviorViolation(description: "no error instead of \(code)", line: line)
    }

    package func success(_ outcome: PurchaseOutcome, line: UInt = #line) throws -> StorePurchase {
        guard case .success(let purchase) = outcome else {
            throw BehaviorViolation(description: "\(outcome) instead of success", line: line)
        }
        return purchase
    }

    /// Waits for the next element, and throws if the stream ends.
    package func next<Element>(of listener: StreamListener<Element>, line: UInt = #line) async throws -> Element {
        guard let element = try await listener.next() else {
            throw BehaviorViolation(description: "the stream ended", line: line)
        }
        return element
    }

    package func expectFinished(_ store: PurchaseStore, line: UInt = #line) async throws {
        try await until("the running deliveries to end", store) { !$0.held.contains { $0.reason == .delivering } }
        try await settle(store)
        // Not `unfinishedTransactions`, which waits two seconds of the clock for StoreKit 1's first report.
        let unfinished = try await store.diagnostics().held
        try expect(unfinished.isEmpty, "unfinished: \(unfinished)", line: line)
    }
}

/// A weak reference to a store.
private struct LaunchedStore: Sendable {
    weak var store: PurchaseStore?
}
