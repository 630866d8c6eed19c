import StoreKit

/// The store of an app: its products, the customer's purchases and the subscription status.
///
/// The code uses only StoreKit 2, as apps do.
@MainActor final class ClubStore {
    enum ClubError: Error {
        case unverified
    }

    private(set) var features: [Product] = []
    private(set) var subscriptions: [Product] = []
    private(set) var owned: [Product] = []
    private(set) var subscriptionState: Product.SubscriptionInfo.RenewalState?
    private var listener: Task<Void, Never>?
    /// Called after an update was handled.
    private let onUpdate: @MainActor (Transaction) -> Void

    init(onUpdate: @escaping @MainActor (Transaction) -> Void = { _ in }) {
        self.onUpdate = onUpdate
        listener = listen()
    }

    deinit {
        listener?.cancel()
    }

    private func listen() -> Task<Void, Never> {
        Task { [weak self] in
            for await result in Transaction.updates {
                guard let self else { return }
                guard let transaction = try? self.verified(result) else { continue }
                await self.updateOwned()
                await transaction.finish()
                self.onUpdate(transaction)
            }
        }
    }

    func begin() async throws {
        let products = try await Product.products(for: ["dark.mode", "club.monthly", "club.yearly"])
        for product in products.sorted(by: { $0.price < $1.price }) {
            switch product.type {
            case .nonConsumable: features.append(product)
            case .autoRenewable: subscriptions.append(product)
            default: continue
            }
        }
        await updateOwned()
    }

    func buy(_ product: Product, options: Set<Product.PurchaseOption> = []) async throws -> Transaction? {
        switch try await product.purchase(options: options) {
        case .success(let result):
            let transaction = try verified(result)
            await updateOwned()
            await transaction.finish()
            return transaction
        case .userCancelled, .pending:
            return nil
        @unknown default:
            return nil
        }
    }

    func restore() async throws {
        try await AppStore.sync()
        await updateOwned()
    }

    func updateOwned() async {
        var owned: [Product] = []
        for await result in Transaction.currentEntitlements {
            guard let transaction = try? verified(result), !transaction.isUpgraded else { continue }
            owned += (features + subscriptions).filter { $0.id == transaction.productID }
        }
        self.owned = owned
        subscriptionState = try? await Product.SubscriptionInfo.status(for: "club").first?.state
    }

    private func verified<Signed>(_ result: VerificationResult<Signed>) throws -> Signed {
        switch result {
        case .unverified: throw ClubError.unverified
        case .verified(let value): return value
        }
    }
}
