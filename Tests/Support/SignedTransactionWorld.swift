package import AppStoreSimulator
package import AsyncStoreKit
import AsyncStoreKitTesting
package import Foundation

/// A separate App Store, a launch of an app, and the transactions in the form of StoreKit 2's engine.
package struct SignedTransactionWorld: Sendable {
    package let appStore: SimulatedAppStore
    package let launch: SimulatedLaunch

    package static let products: [SimulatedProduct] = [
        .consumable("coins", price: 2, name: "Coins"),
        .nonConsumable("pro", price: 9.99, name: "Pro", description: "Everything", isFamilyShareable: true),
        .nonRenewingSubscription("season", price: 5),
        .autoRenewable(
            "basic", price: 3, period: .month(1), group: "club", level: 2, introductoryOffer: .freeTrial(.week(1)),
            promotionalOffers: [.payAsYouGo(1, each: .month(1), times: 2, id: "half")],
            winBackOffers: [.payUpFront(5, for: .months(3), id: "back")],
            codeOffers: [.freeTrial(.month(1), id: "gift")],
            isFamilyShareable: true),
        .autoRenewable("premium", price: 6, period: .month(1), group: "club", level: 1),
        .autoRenewable("basic.yearly", price: 30, period: .year(1), group: "club", level: 2),
        .autoRenewable("magazine", price: 4, period: .month(1), group: "press"),
    ]

    package init(_ behavior: SimulatorBehavior = SimulatorBehavior(), pacing: SimulatedAppStore.Pacing = .automatic) {
        appStore = SimulatedAppStore(
            catalog: SimulatedCatalog(products: Self.products, behavior: behavior), pacing: pacing,
            bundleID: "com.example.club")
        launch = appStore.launch()
    }

    private init(_ appStore: SimulatedAppStore) {
        self.appStore = appStore
        launch = appStore.launch()
    }

    /// The same account in another launch of the app.
    package func relaunched() -> SignedTransactionWorld {
        SignedTransactionWorld(appStore)
    }

    package var environment: any StoreKit2Environment { SimulatedStoreKit2(launch) }

    package func product(_ id: String) async throws -> StoreKit2Product {
        guard let product = try await environment.products([id]).first else { throw Unexpected(result: "no \(id)") }
        return product
    }

    /// Buys a product and expects a transaction.
    @discardableResult
    package func buy(_ id: String, for account: UUID? = nil, quantity: Int = 1) async throws
        -> StoreKit2SignedTransaction
    {
        let payment = PaymentRequest(productID: id, quantity: quantity, applicationUsername: account?.uuidString)
        let purchase = try await product(id).prepare(payment, nil).get()
        let result = try await purchase(nil)
        guard case .success(let signedTransaction) = result else { throw Unexpected(result: "\(result)") }
        return signedTransaction
    }

    /// Buys a product and finishes the transaction.
    @discardableResult
    package func own(_ id: String) async throws -> StoreKit2SignedTransaction {
        let signedTransaction = try await buy(id)
        await signedTransaction.finish()
        return signedTransaction
    }

    /// Returns the latest transaction of a product in the history.
    package func latest(_ id: String) async throws -> StoreKit2SignedTransaction {
        guard let latest = await environment.latest(id) else { throw Unexpected(result: "no transaction of \(id)") }
        return latest
    }

    /// The products of the unfinished transactions, newest first.
    package var unfinished: [String] { launch.transactions(.unfinished).map(\.record.productID) }

    package struct Unexpected: Error {
        package let result: String

        package init(result: String) {
            self.result = result
        }
    }
}

extension StoreKit2SignedTransaction {
    /// The same transaction with a signature that isn't valid.
    package var unverified: StoreKit2SignedTransaction {
        StoreKit2SignedTransaction(
            version: version, productID: productID, purchaseDate: purchaseDate,
            verificationError: .unverified(productID, "invalidSignature"), payload: payload, jws: jws, finish: finish)
    }
}
