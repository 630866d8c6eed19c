import AppStoreSimulator
import Foundation
import StoreKit
import Support
import Testing

@testable import AsyncStoreKit
@testable import SwiftyStoreKit

/// An App Store and an app for a scenario, whose outcome is a text.
struct QueueStage: Sendable {
    let world: LegacyWorld
    let legacy: LegacyStore

    init(thread: SimulatorBehavior.DeliveryThread = .background, owning products: [String] = []) async throws {
        world = LegacyWorld(thread: thread)
        legacy = products.isEmpty ? world.launch() : try await world.owning(products)
    }

    var appStore: SimulatedAppStore { world.appStore }

    /// StoreKit 1's queue in the app.
    var paymentQueue: SKPaymentQueue {
        guard let backend = legacy.backend ?? legacy.requests?.backend else { return .default() }
        return backend.environment.queue
    }

    /// Returns the next launch of the app with the same App Store.
    func relaunched() -> QueueStage { QueueStage(world: world, legacy: world.launch()) }

    private init(world: LegacyWorld, legacy: LegacyStore) {
        self.world = world
        self.legacy = legacy
    }

    func buy(
        _ product: String, _ outcome: SimulatedOutcome = .purchased, quantity: Int = 1, atomically: Bool = true,
        username: String = ""
    ) async throws -> PurchaseResult {
        if outcome != .purchased { appStore.setNextPurchaseOutcome(outcome) }
        return try await legacy.buying(
            product, quantity: quantity, atomically: atomically, applicationUsername: username
        ).next()
    }

    func bought(_ product: String, _ outcome: SimulatedOutcome = .purchased, atomically: Bool = true) async throws
        -> String
    {
        try await Self.word(buy(product, outcome, atomically: atomically))
    }

    func restored(atomically: Bool = true) async throws -> String {
        try await Self.word(legacy.restoring(atomically: atomically).next())
    }

    func retrieved(_ products: Set<String>) async throws -> String {
        try await Self.word(legacy.retrieving(products).next())
    }

    /// Returns the events of a listener after all events have arrived.
    func told(_ answers: Answers<[Purchase]>) async throws -> String {
        try await world.settle(legacy)
        return answers.all.map { batch in batch.map(Self.word).joined(separator: ", ") }.joined(separator: "; ")
    }

    /// The remaining transactions of the queue.
    var queue: String {
        get async throws {
            let entries = try await world.queue(of: legacy).map(\.productID)
            return entries.isEmpty ? "queue empty" : "queue \(entries.joined(separator: ", "))"
        }
    }

    /// Returns the results of a completion after all events have arrived; "…" without a result.
    func heard<Value>(_ answers: Answers<Value>, _ word: (Value) -> String) async throws -> String {
        try await world.settle(legacy)
        return answers.count == 0 ? "…" : answers.all.map(word).joined(separator: "; ")
    }

    static func word(_ result: PurchaseResult) -> String {
        switch result {
        case .success(let purchase): "bought \(word(purchase))"
        case .deferred(let purchase): "deferred \(word(purchase))"
        case .error(let error): "error \(word(error._nsError))"
        }
    }

    static func word(_ purchase: PurchaseDetails) -> String {
        word(purchase.productId, purchase.quantity, purchase.transaction, purchase.needsFinishTransaction)
    }

    static func word(_ purchase: Purchase) -> String {
        word(purchase.productId, purchase.quantity, purchase.transaction, purchase.needsFinishTransaction)
    }

    private static func word(
        _ product: String, _ quantity: Int, _ transaction: any PaymentTransaction, _ needsFinish: Bool
    ) -> String {
        "\(product)×\(quantity) \(transaction.transactionState.debugDescription)\(needsFinish ? " to finish" : "")"
    }

    static func word(_ results: RestoreResults) -> String {
        let rows = results.restoredPurchases.map(word).joined(separator: ", ")
        let failures = results.restoreFailedPurchases.map { "error \(word($0.0._nsError))" }.joined(separator: ", ")
        return [rows, failures].filter { !$0.isEmpty }.joined(separator: "; ")
    }

    static func word(_ results: RetrieveResults) -> String {
        if let error = results.error { return "error \(word(error as NSError))" }
        let found = results.retrievedProducts.map(\.productIdentifier).sorted().joined(separator: ", ")
        let invalid = results.invalidProductIDs.sorted().joined(separator: ", ")
        return "found \(found)\(invalid.isEmpty ? "" : ", invalid \(invalid)")"
    }

    static func word(_ error: NSError) -> String { "\(error.domain) \(error.code)" }
}
