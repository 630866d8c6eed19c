import AppReceipt
import AsyncStoreKit
import Foundation

/// The core of a photo app, written with the names that a StoreKit 2 developer types first.
@MainActor final class Darkroom {
    struct Settings: Equatable {
        var membership = ""
        var isShared = false
        var lastPayment: String?
        var history: [String] = []
        var canRequestRefund = false
    }

    private(set) var products: [StoreProduct] = []
    private(set) var prints = 0
    private(set) var waiting: [String] = []
    private(set) var country: String?
    private(set) var lost: [String] = []
    private(set) var banner: String?
    var onChange: () -> Void = {}

    let store: PurchaseStore
    private let account: UUID
    private var listeners: [Task<Void, Never>] = []

    init(store: PurchaseStore, account: UUID) {
        self.store = store
        self.account = account
    }

    func launch() {
        store.setPresentationAnchor { nil }
        listeners = [
            Task {
                for await purchase in store.transactions {
                    await deliver(purchase)
                    await purchase.finish()
                    onChange()
                }
            },
            Task {
                for await pending in store.pendingPurchases {
                    waiting = pending.map(\.productID)
                    onChange()
                }
            },
            Task {
                for await revocation in store.revocations {
                    let reason = revocation.reason == .developerIssue ? "issue" : "other"
                    lost += revocation.productIDs.map { "\($0) \(reason) \(revocation.date != nil)" }
                    onChange()
                }
            },
            Task {
                for await storefront in store.storefrontChanges {
                    country = storefront.countryCode
                    onChange()
                }
            },
        ]
    }

    func close() {
        for listener in listeners { listener.cancel() }
    }

    func loadShop() async {
        do {
            products = try await store.products(for: ["prints", "pro", "cloud"]).products
        } catch {
            banner = error.localizedDescription
        }
    }

    /// Buys with the best offer that this customer may use.
    func buy(_ product: StoreProduct, quantity: Int = 1) async {
        var options: PurchaseOptions = [.appAccountToken(account), .quantity(quantity)]
        let offers = await store.offers(for: product)
        if let offer = offers.first(where: { $0.kind == .winBack }) { options.insert(.offer(.winBack(offer))) }
        await purchase(product, options)
    }

    func buyWithOffer(_ product: StoreProduct, signature: Data, nonce: UUID) async {
        await purchase(
            product,
            [
                .appAccountToken(account),
                .offer(
                    .promotional(
                        id: "half", keyID: "KEY", nonce: nonce, signature: signature, timestamp: 1_700_000_000_000)),
            ])
    }

    private func purchase(_ product: StoreProduct, _ options: PurchaseOptions) async {
        do throws(StoreError) {
            switch try await store.purchase(product, options: options) {
            case .success(let purchase):
                guard purchase.appAccountToken == account || purchase.jws == nil else { return }
                await deliver(purchase)
                await purchase.finish()
                banner = nil
            case .pending: banner = "Waiting for approval."
            case .userCancelled: break
            }
        } catch {
            switch error.code {
            case .purchaseInterrupted: banner = "Confirm the purchase in the App Store."
            default: banner = error.localizedDescription
            }
        }
    }

    private func deliver(_ purchase: StorePurchase) async {
        if purchase.productID == "prints" { prints += 10 * purchase.quantity }
    }

    var isPro: Bool {
        get async { await store.entitlements.current.contains("pro") }
    }

    func settings() async throws -> Settings {
        let entitlements = await store.entitlements.current
        let status = await store.subscriptionStatus(inGroup: "cloud")
        var settings = Settings()
        switch status.state {
        case .subscribed where status.isTrial: settings.membership = "Trial"
        case .subscribed: settings.membership = status.renewal?.willRenew == true ? "Member" : "Canceled"
        case .inGracePeriod, .inBillingRetryPeriod: settings.membership = "Payment failed"
        case .expired: settings.membership = status.expirationReason == .autoRenewDisabled ? "Left" : "Ended"
        default: settings.membership = "None"
        }
        settings.isShared = entitlements.contains { $0.ownershipType == .familyShared && $0.isEntitled }
        if let pro = entitlements.first(where: { $0.productID == "pro" }) {
            settings.canRequestRefund = pro.actions.contains(.requestRefund)
        }
        settings.lastPayment = try await store.latestTransaction(for: "cloud").map {
            "\($0.price ?? 0) \($0.currency ?? "") \($0.expirationDate.map { $0 > store.now } ?? false)"
        }
        settings.history = try await store.transactionHistory().map(\.productID)
        return settings
    }

    func askForMoneyBack() async throws -> RefundRequestOutcome? {
        guard let pro = await store.entitlements.current.first(where: { $0.productID == "pro" }) else { return nil }
        return try await store.requestRefund(for: pro.transaction)
    }

    func openSubscriptions() async throws {
        try await store.manageSubscriptions()
    }

    func redeem() async throws -> OfferCodeOutcome {
        try await store.redeemOfferCode()
    }
}
