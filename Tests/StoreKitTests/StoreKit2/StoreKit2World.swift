import AppReceipt
import AppStoreSimulator
import Foundation
import StoreKit
import Support
import Testing

/// A world with the values of StoreKit 2.
struct StoreKit2World {
    static let products = SimulatedCatalog.club.products

    private let world: StoreWorld

    var appStore: SimulatedAppStore { world.appStore }
    var launch: SimulatedLaunch { world.device }

    init(_ behavior: SimulatorBehavior = SimulatorBehavior(), pacing: SimulatedAppStore.Pacing = .automatic) {
        world = StoreWorld(behavior, signs: behavior.signsReceipts, pacing: pacing)
    }

    private init(_ world: StoreWorld) {
        self.world = world
    }

    /// The same account in another launch of the app.
    func relaunched() -> StoreKit2World { StoreKit2World(world.relaunched()) }

    /// A verifier of the account's texts on this device.
    var verifier: SignedTransactionVerifier {
        get throws {
            SignedTransactionVerifier(
                bundleID: "com.example.app", environment: .sandbox, deviceVerificationID: launch.deviceVerificationID,
                trustAnchors: [try .certificate(SimulatedJWSIssuer.rootCertificate)])
        }
    }

    /// Returns the next elements in order.
    func updates() -> StoreKit.Transaction.Transactions.AsyncIterator {
        Transaction.updates(of: launch).makeAsyncIterator()
    }

    func product(_ id: String) async throws -> Product {
        try #require(try await Product.products(for: [id], launch: launch).first)
    }

    /// Buys a product and expects a verified transaction.
    @discardableResult
    func buy(_ id: String, _ options: Set<Product.PurchaseOption> = []) async throws -> StoreKit.Transaction {
        let result = try await product(id).purchase(with: options)
        guard case .success(.verified(let transaction)) = result else {
            throw Unexpected(result: "\(result)")
        }
        return transaction
    }

    /// Buys a product and finishes the transaction.
    @discardableResult
    func own(_ id: String, _ options: Set<Product.PurchaseOption> = []) async throws -> StoreKit.Transaction {
        let transaction = try await buy(id, options)
        await transaction.finish()
        return transaction
    }

    /// Returns the products of a list.
    func ids(_ transactions: StoreKit.Transaction.Transactions) async -> [String] {
        var ids: [String] = []
        for await result in transactions { ids.append(result.unsafePayloadValue.productID) }
        return ids
    }

    var all: [String] { get async { await ids(Transaction.all(of: launch)) } }
    var unfinished: [String] { get async { await ids(Transaction.unfinished(of: launch)) } }
    var entitlements: [String] { get async { await ids(Transaction.currentEntitlements(of: launch)) } }

    /// Returns the status of the only subscription of a group.
    func status(_ group: String = "club") throws -> Product.SubscriptionInfo.Status {
        let statuses = try Product.SubscriptionInfo.status(for: group, launch: launch)
        try #require(statuses.count == 1)
        return statuses[0]
    }

    func renewalInfo(_ group: String = "club") throws -> Product.SubscriptionInfo.RenewalInfo {
        try status(group).renewalInfo.payloadValue
    }

    struct Unexpected: Error {
        let result: String
    }
}

extension Product.PurchaseResult {
    /// The name of the case, and the product of a success.
    var summary: String {
        switch self {
        case .success(.verified(let transaction)): "success \(transaction.productID)"
        case .success(.unverified(let transaction, _)): "unverified \(transaction.productID)"
        case .pending: "pending"
        case .userCancelled: "cancelled"
        }
    }
}
