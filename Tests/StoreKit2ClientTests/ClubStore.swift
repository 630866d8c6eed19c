import StoreKit

/// The store of an app: its products, the customer's purchases and the subscription status.
///
/// The code uses only StoreKit 2, as apps do.
@MainActor final class ClubStore {
    enum ClubError: Error {
        case unverified
    }

    private(set) var consumables: [Product] = []
    private(set) var features: [Product] = []
    private(set) var subscriptions: [Product] = []
    private(set) var seasons: [Product] = []

    private(set) var ownedFeatures: [Product] = []
    private(set) var ownedSeasons: [Product] = []
    private(set) var ownedSubscriptions: [Product] = []
    private(set) var subscriptionState: Product.SubscriptionInfo.RenewalState?
    private(set) var coins = 0

    private let productIDs = ["coins.100", "dark.mode", "club.monthly", "club.yearly", "season.pass"]
    private let groupID = "club"
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

    func begin() async throws {
        try await loadProducts()
        await updateOwned()
    }

    private func listen() -> Task<Void, Never> {
        Task { [weak self] in
            for await result in Transaction.updates {
                guard let self else { return }
                guard let transaction = try? self.verified(result) else { continue }
                self.deliver(transaction)
                await self.updateOwned()
                await transaction.finish()
                self.onUpdate(transaction)
            }
        }
    }

    func loadProducts() async throws {
        let products = try await Product.products(for: productIDs)
        for product in products.sorted(by: { $0.price < $1.price }) {
            switch product.type {
            case .consumable: consumables.append(product)
            case .nonConsumable: features.append(product)
            case .autoRenewable: subscriptions.append(product)
            case .nonRenewable: seasons.append(product)
            default: continue
            }
        }
    }

    func buy(_ product: Product, options: Set<Product.PurchaseOption> = []) async throws -> Transaction? {
        switch try await product.purchase(options: options) {
        case .success(let result):
            let transaction = try verified(result)
            deliver(transaction)
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
        var features: [Product] = []
        var seasons: [Product] = []
        var subscriptions: [Product] = []
        for await result in Transaction.currentEntitlements {
            guard let transaction = try? verified(result), !transaction.isUpgraded else { continue }
            switch transaction.productType {
            case .nonConsumable:
                features += self.features.filter { $0.id == transaction.productID }
            case .nonRenewable:
                // The app defines the duration of a non-renewing subscription: a quarter of a year.
                let end = transaction.purchaseDate.addingTimeInterval(90 * 86_400)
                if transaction.signedDate < end { seasons += self.seasons.filter { $0.id == transaction.productID } }
            case .autoRenewable:
                subscriptions += self.subscriptions.filter { $0.id == transaction.productID }
            default:
                break
            }
        }
        ownedFeatures = features
        ownedSeasons = seasons
        ownedSubscriptions = subscriptions
        subscriptionState = await bestStatus()?.state
    }

    /// Returns the active status with the highest level, from the customer's own status and that of the family.
    func bestStatus() async -> Product.SubscriptionInfo.Status? {
        guard let statuses = try? await Product.SubscriptionInfo.status(for: groupID) else { return nil }
        let active = statuses.filter { $0.state == .subscribed || $0.state == .inGracePeriod }
        return (active.isEmpty ? statuses : active).min { level($0) < level($1) }
    }

    private func level(_ status: Product.SubscriptionInfo.Status) -> Int {
        let id = status.transaction.unsafePayloadValue.productID
        return subscriptions.first { $0.id == id }?.subscription?.groupLevel ?? .max
    }

    private func deliver(_ transaction: Transaction) {
        guard transaction.productID == "coins.100" else { return }
        coins += (transaction.revocationDate == nil ? 100 : -100) * transaction.purchasedQuantity
    }

    private func verified<Signed>(_ result: VerificationResult<Signed>) throws -> Signed {
        switch result {
        case .unverified: throw ClubError.unverified
        case .verified(let value): return value
        }
    }
}
