package import AppStoreSimulator
package import AsyncStoreKit
import Foundation

/// A simulated App Store with a few products, and what a scenario needs to play over it.
package struct BehaviorWorld: Sendable {
    package static let coins = "coins"
    package static let pro = "pro"
    package static let news = "news"
    package static let weekly = "weekly"
    /// Has two files of 1000 and 2000 bytes that the App Store hosts.
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
            SimulatedProduct(productID: Self.weekly, kind: .autoRenewableSubscription, price: 2.99, subscription: weekly),
        ])
    }

    /// Launches the app.
    package func launch(mode: StoreMode = .finishing) -> PurchaseStore {
        let store = PurchaseStore(
            over: makeBackend(appStore.launch()), configuration: StoreConfiguration(mode: mode, clock: clock))
        launched.withLock { $0.append(LaunchedStore(store: store)) }
        return store
    }

    /// What the App Store and the stores launched so far have to say, for the message of a wait that was in vain.
    func account() async -> String {
        var accounts = ["The App Store has \(appStore.allTransactions())."]
        for (number, store) in launched.withLock({ $0 }).map(\.store).enumerated() {
            guard let store else { continue }
            let diagnostics = try? await withDeadline("diagnostics", within: 1) { try await store.diagnostics }
            accounts.append("Launch \(number + 1): \(diagnostics.map { "\($0)" } ?? "it does not say what it waits for").")
        }
        return accounts.joined(separator: " ")
    }

    /// Returns when all that has happened so far has reached the store, and all that the store did about it the queue.
    package func settle(_ store: PurchaseStore) async throws {
        try await withDeadline("everything that happened to take effect") { [appStore] in
            for _ in 0..<3 {
                await appStore.waitUntilIdle()
                _ = try await store.diagnostics
            }
        }
    }

    /// Returns as soon as a store is in a certain state.
    package func until(
        _ what: String, _ store: PurchaseStore, _ isWanted: @escaping @Sendable (StoreDiagnostics) -> Bool
    ) async throws {
        _ = try await withDeadline(what) { try await store.core.diagnostics(isWanted) }
    }

    package func expect(_ condition: Bool, _ message: @autoclosure () -> String, line: UInt = #line) throws {
        guard condition else { throw BehaviorViolation(description: message(), line: line) }
    }

    package func expect<Value: Equatable>(_ value: Value, is expected: Value, _ what: String, line: UInt = #line) throws {
        try expect(value == expected, "\(what): \(value) instead of \(expected)", line: line)
    }

    package func expectError(
        _ code: StoreError.Code, line: UInt = #line, _ body: () async throws -> Void
    ) async throws {
        do {
            try await body()
        } catch let error as StoreError {
            return try expect(error.code, is: code, "the code of \"\(error.message)\"", line: line)
        }
        throw BehaviorViolation(description: "nothing was thrown instead of \(code)", line: line)
    }

    package func success(_ outcome: PurchaseOutcome, line: UInt = #line) throws -> StorePurchase {
        guard case .success(let purchase) = outcome else {
            throw BehaviorViolation(description: "\(outcome) instead of success", line: line)
        }
        return purchase
    }

    /// The next element; there must be one.
    package func next<Element>(of listener: StreamListener<Element>, line: UInt = #line) async throws -> Element {
        guard let element = try await listener.next() else {
            throw BehaviorViolation(description: "the stream ended", line: line)
        }
        return element
    }

    package func expectFinished(_ store: PurchaseStore, line: UInt = #line) async throws {
        try await until("the deliveries under way to end", store) { !$0.held.contains { $0.reason == .delivering } }
        try await settle(store)
        let unfinished = await store.unfinishedTransactions
        try expect(unfinished.isEmpty, "unfinished: \(unfinished.map(\.productID))", line: line)
    }
}

/// Does not keep a store from going away.
private struct LaunchedStore: Sendable {
    weak var store: PurchaseStore?
}
