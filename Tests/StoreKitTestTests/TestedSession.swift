import AppStoreSimulator
import Foundation
import StoreKitTest

/// Calls of an app, and a session over an App Store of its own, so that tests run in parallel.
enum TestedSession {
    static let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
        "Resources/Session.storekit")

    nonisolated(nonsending) static func run(
        _ body: nonisolated(nonsending) (SKTestSession) async throws -> Void
    ) async throws {
        let appStore = SimulatedAppStore(products: [])
        try await StoreKitSimulation.withLaunch(appStore.launch()) {
            try await body(try SKTestSession(contentsOf: file))
        }
    }

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

    /// Returns the newest transaction of a product.
    func latest(_ productID: String) throws -> SKTestTransaction {
        let transactions = allTransactions().filter { $0.productIdentifier == productID }
        guard let latest = transactions.max(by: { $0.identifier < $1.identifier }) else {
            throw SKTestMissing(productID)
        }
        return latest
    }
}
