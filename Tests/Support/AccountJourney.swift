package import AppStoreSimulator
package import AsyncStoreKit
import AsyncStoreKitHTTP
import AsyncStoreKitTesting
package import Foundation

/// Purchases of two accounts that share a device, with every option, delivered to a server that begins with a wrong
/// configuration and without its catalog. Meanwhile, one account signs out, the other one signs in, and restores.
package struct AccountJourney: Sendable {
    /// Why the server can't deliver.
    package enum Fault: Sendable {
        case configuration, catalog
    }

    package static let coins = "com.example.coins"
    private static let monthly = "com.example.monthly"

    package let appStore = SimulatedAppStore(products: [
        .consumable(coins, price: 1), .nonConsumable(monthly, price: 1),
    ])
    package let ann = UUID()
    package let bob = UUID()
    private let engine: StoreEngine
    private let session = Locked<HTTPDeliverySession?>(nil)

    package init(engine: StoreEngine) {
        self.engine = engine
    }

    private func signIn(_ id: UUID?, as account: PurchaseAccount? = nil) {
        let session = id.map {
            HTTPDeliverySession(account: account ?? .token($0), headers: ["Authorization": "Bearer \($0.uuidString)"])
        }
        self.session.withLock { $0 = session }
    }

    /// The options of Ann's purchases, each with the number of coins, and whether they name her.
    private var purchases: [(options: PurchaseOptions, coins: Int, namesAnn: Bool)] {
        let named: [PurchaseOptions] = [
            [.appAccountToken(ann)], [.account(.token(ann)), .context("a gift")],
            [.appAccountToken(ann), .timeout(60)],
            [.account(.username(ann.uuidString.lowercased()))],
        ]
        let unnamed: [PurchaseOptions] = [[], [.context("a gift")], [.timeout(60)], [.simulatesAskToBuy]]
        let several: [PurchaseOptions] = [[.quantity(2), .context("a gift")], [.quantity(2)]]
        // StoreKit 2 refuses this account.
        let username: [PurchaseOptions] = engine == .storeKit1 ? [[.account(.username("ann"))]] : []
        return (named + username).map { ($0, 1, true) } + unnamed.map { ($0, 1, false) }
            + several.map { ($0, 2, false) }
    }

    /// Plays the journey, and returns what went wrong.
    /// - Parameters:
    ///   - verifies: Whether the server can verify what this engine sends. If not, nothing is ever finished.
    ///   - setFault: Makes the server fail, or work.
    ///   - credited: Returns the coins of each account on the server.
    package func play(
        to url: URL, verifies: Bool = true, setFault: @Sendable (Fault?) async throws -> Void,
        credited: @Sendable () async throws -> [UUID: Int]
    ) async throws -> [String] {
        var options = HTTPDeliveryOptions()
        options.session = { [session] _ in session.withLock { $0 } }
        let store = PurchaseStore(
            simulating: appStore, engine: engine,
            configuration: StoreConfiguration(delivery: try HTTPPurchaseDelivery(url: url, options: options)))
        var problems: [String] = []
        func check(_ step: String, isFinished: Bool? = nil) async throws {
            store.retryDeliveries()
            try await store.settled()
            let all = appStore.allTransactions().filter { $0.productID == Self.coins }
            let finished = all.filter(\.isFinished).reduce(0) { $0 + $1.quantity }
            let total = try await credited().values.reduce(0, +)
            if finished > total {
                problems.append("\(step): \(finished) coins are finished, and \(total) are credited")
            }
            if let isFinished, all.contains(where: { $0.isFinished != isFinished }) {
                problems.append("\(step): \(all.filter(\.isFinished).count) of \(all.count) are finished")
            }
        }

        signIn(ann)
        try await setFault(.configuration)
        for purchase in purchases {
            let error = await buy(Self.coins, purchase.options, from: store)
            let isExpected = error.map { $0.code == .deliveryPending } ?? true
            if !isExpected { problems.append("\(purchase.options): \(error?.description ?? "")") }
        }
        try? appStore.approvePurchase(of: Self.coins)
        _ = await buy(Self.monthly, [.appAccountToken(ann)], from: store)
        try await check("with a wrong configuration", isFinished: false)
        try await setFault(.catalog)
        try await check("without a catalog", isFinished: false)
        signIn(nil)
        try await check("after signing out", isFinished: false)
        try await setFault(nil)
        signIn(bob)
        let error = await buy(Self.coins, [.appAccountToken(bob)], from: store)
        if let error, verifies { problems.append("Bob's purchase: \(error)") }
        try await check("after Bob has signed in")
        if verifies, engine == .storeKit2 {
            let outcome = try await store.restore()
            if outcome.purchases.contains(where: { $0.appAccountToken == ann }) { problems.append("\(outcome)") }
        }
        try await check("after Bob's restore")
        signIn(ann)
        try await check("after Ann has signed in")
        signIn(ann, as: .username("ann"))
        try await check("at the end", isFinished: verifies)
        let (named, unnamed) = (purchases.filter(\.namesAnn), purchases.filter { !$0.namesAnn })
        let expected = [ann: named.reduce(0) { $0 + $1.coins }, bob: 1 + unnamed.reduce(0) { $0 + $1.coins }]
        let coins = try await credited()
        if coins != (verifies ? expected : [:]) { problems.append("\(coins) instead of \(expected), Ann is \(ann)") }
        return problems
    }

    private func buy(
        _ productID: String, _ options: PurchaseOptions, from store: PurchaseStore
    ) async -> StoreError? {
        do throws(StoreError) {
            _ = try await store.purchase(productID, options: options)
            return nil
        } catch {
            return error
        }
    }
}
