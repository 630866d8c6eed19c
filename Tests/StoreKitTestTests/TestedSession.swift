import AppStoreSimulator
import Foundation
import StoreKitTest
import Testing

/// Runs every test of a suite over an App Store of its own, so that tests run in parallel.
struct OwnAppStore: SuiteTrait, TestTrait, TestScoping {
    var isRecursive: Bool { true }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await StoreKitSimulation.withLaunch(SimulatedAppStore(products: []).launch(), operation: function)
    }
}

extension Trait where Self == OwnAppStore {
    static var ownAppStore: Self { Self() }
}

/// Calls of an app.
enum TestedSession {
    static let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
        "Resources/Session.storekit")

    static func product(_ id: String) async throws -> Product {
        guard let product = try await Product.products(for: [id]).first else { throw SKTestMissing(id) }
        return product
    }

    /// Purchases in the app, without finishing.
    static func purchase(
        _ id: String, options: Set<Product.PurchaseOption> = []
    ) async throws -> Product.PurchaseResult {
        try await product(id).purchase(options: options)
    }

    /// Purchases in the app, and returns the verified transaction.
    static func bought(_ id: String, options: Set<Product.PurchaseOption> = []) async throws -> Transaction {
        guard case .success(.verified(let transaction)) = try await purchase(id, options: options) else {
            throw SKTestMissing(id)
        }
        return transaction
    }

    /// The products of the verified current entitlements.
    static func owned() async -> [String] { await products(Transaction.currentEntitlements) }

    /// The products of the verified unfinished transactions.
    static func unfinished() async -> [String] { await products(Transaction.unfinished) }

    private static func products(_ list: Transaction.Transactions) async -> [String] {
        var products: [String] = []
        for await case .verified(let transaction) in list { products.append(transaction.productID) }
        return products.sorted()
    }

    static func status() async throws -> Product.SubscriptionInfo.Status {
        guard let status = try await Product.SubscriptionInfo.status(for: "club").first else {
            throw SKTestMissing("club")
        }
        return status
    }

    static func renewal() async throws -> Product.SubscriptionInfo.RenewalInfo {
        try await status().renewalInfo.payloadValue
    }
}

/// A product, a transaction or a status that a test expects to exist.
struct SKTestMissing: Error {
    let name: String

    init(_ name: String) {
        self.name = name
    }
}

extension SKTestSession {
    /// Returns the only transaction of a product.
    func transaction(of productID: String) throws -> SKTestTransaction {
        let transactions = allTransactions().filter { $0.productIdentifier == productID }
        guard transactions.count == 1 else { throw SKTestMissing("\(transactions.count) of \(productID)") }
        return transactions[0]
    }
}
