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
    private static let yearly = "com.example.yearly"
    private static let news = "com.example.news"
    private static let team = "com.example.team"
    /// The products that the server delivers.
    package static let products: Set = [coins, monthly, yearly, news, team]

    package let appStore = SimulatedAppStore(
        catalog: SimulatedCatalog(
            products: [
                .consumable(coins, price: 1),
                .autoRenewable(
                    monthly, price: 5, period: .month(1), group: "club",
                    promotionalOffers: [.payAsYouGo(1, each: .month(1), times: 2, id: "half")]),
                .autoRenewable(yearly, price: 60, period: .year(1), group: "years", monthlyPlan: .monthly(6)),
                .autoRenewable(
                    news, price: 5, period: .month(1), group: "news",
                    winBackOffers: [.payUpFront(5, for: .months(3), id: "back")]),
                .autoRenewable(
                    team, price: 9, period: .month(1), group: "team", introductoryOffer: .freeTrial(.week(1))),
            ],
            // A storefront with billing plans.
            storefront: SimulatedStorefront(countryCode: "DEU", id: "143443")))
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

    /// Ann's subscriptions, each with an option, and the error if this engine doesn't have the option.
    private var subscriptions: [(productID: String, options: PurchaseOptions, refusal: StoreError.Code?)] {
        let isStoreKit1 = engine == .storeKit1
        let offer =
            isStoreKit1
            ? PurchaseOffer.promotional(
                id: "half", keyID: "KEY", nonce: UUID(), signature: "c2lnbmF0dXJl", timestamp: 0)
            : .promotional(id: "half", jws: "a.e30.c")
        let token = PurchaseOption.appAccountToken(ann)
        return [
            (Self.monthly, [token, .offer(offer)], nil),
            (Self.yearly, [token, .billingPlan(.monthly)], isStoreKit1 ? .billingPlanUnavailable : nil),
            (Self.news, [token, .offer(.winBack(id: "back"))], isStoreKit1 ? .offerUnavailable : nil),
            (Self.team, [token, .seats(3)], isStoreKit1 ? .seatsUnavailable : nil),
        ]
    }

    /// Gives the customer subscriptions that have ended. Offers are for former subscribers.
    private func endSubscriptions() async throws {
        let store = PurchaseStore(simulating: appStore, engine: engine)
        for productID in [Self.monthly, Self.news] {
            try await store.purchase(productID) { _ in }
            try appStore.disableAutoRenew(of: productID)
        }
        try await store.advance(by: .months(3))
    }

    /// Plays the journey, and returns what went wrong.
    /// - Parameters:
    ///   - verifies: Whether the server can verify what this engine sends. If not, nothing is ever finished.
    ///   - setFault: Makes the server fail, or work.
    ///   - credited: Returns the quantities that each account has on the server, by product.
    package func play(
        to url: URL, verifies: Bool = true, setFault: @Sendable (Fault?) async throws -> Void,
        credited: @Sendable () async throws -> [UUID: [String: Int]]
    ) async throws -> [String] {
        try await endSubscriptions()
        let earlier = Set(appStore.allTransactions().map(\.transactionID))
        var options = HTTPDeliveryOptions()
        options.session = { [session] _ in session.withLock { $0 } }
        let store = PurchaseStore(
            simulating: appStore, engine: engine,
            configuration: StoreConfiguration(delivery: try HTTPPurchaseDelivery(url: url, options: options)))
        var problems: [String] = []
        func check(_ step: String, isFinished: Bool? = nil) async throws {
            store.retryDeliveries()
            try await store.settled()
            let all = appStore.allTransactions().filter { !earlier.contains($0.transactionID) }
            let accounts = try await credited().values
            for productID in Self.products {
                let finished = all.filter { $0.isFinished && $0.productID == productID }.reduce(0) { $0 + $1.quantity }
                let total = accounts.reduce(0) { $0 + $1[productID, default: 0] }
                if finished > total {
                    problems.append("\(step): \(finished) of \(productID) are finished, and \(total) are credited")
                }
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
        for subscription in subscriptions {
            let code = await buy(subscription.productID, subscription.options, from: store)?.code
            if code != subscription.refusal, code != .deliveryPending || subscription.refusal != nil {
                problems.append("\(subscription): \(code.map { "\($0)" } ?? "no error")")
            }
        }
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
        let all = try await credited()
        let coins = all.mapValues { $0[Self.coins, default: 0] }
        if coins != (verifies ? expected : [:]) { problems.append("\(coins) instead of \(expected), Ann is \(ann)") }
        let sold = Set(subscriptions.filter { $0.refusal == nil }.map(\.productID))
        for (account, products) in all
        where Set(products.keys).subtracting([Self.coins]) != (account == ann ? sold : []) {
            problems.append("\(account) has \(products), Ann is \(ann)")
        }
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
