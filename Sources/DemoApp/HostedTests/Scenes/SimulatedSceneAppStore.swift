import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation

/// The simulated App Store, with the products of a StoreKit configuration file.
struct SimulatedSceneAppStore: SceneAppStore {
    let appStore: SimulatedAppStore
    let engine: StoreEngine

    /// Reads a configuration file.
    init(contentsOf url: URL, engine: StoreEngine) throws {
        appStore = SimulatedAppStore(catalog: try SimulatedCatalog(contentsOf: url))
        self.engine = engine
        // As StoreKit documents it: the purchase is pending.
        appStore.behavior.interruptedPurchase = .isPending
    }

    func launch() async throws -> PurchaseStore { appStore.relaunch(engine: engine) }

    func perform(_ control: SceneControl) async throws {
        switch control {
        case .askToBuy(let isOn): appStore.behavior.askToBuyEnabled = isOn
        case .interruptPurchases(let isOn): appStore.behavior.interruptedPurchasesEnabled = isOn
        case .gracePeriod(let isOn): appStore.behavior.billingGracePeriodIsEnabled = isOn
        case .billingRetry(let isOn): appStore.behavior.shouldEnterBillingRetryOnRenewal = isOn
        case .cancelNextPurchase: appStore.setNextPurchaseOutcome(.userCancelled)
        case .failProductRequests: appStore.behavior.productRequestError = .notConnectedToInternet
        case .approve(let id): try appStore.approvePurchase(of: id)
        case .decline(let id): try appStore.declinePurchase(of: id)
        case .resolve(let id): try appStore.resolvePurchase(of: id)
        case .refund(let id): try appStore.refund(id)
        case .renew(let id): try endPeriod(of: id)
        case .turnOffRenewal(let id): try appStore.disableAutoRenew(of: id)
        case .expire(let id):
            try appStore.disableAutoRenew(of: id)
            try endPeriod(of: id)
        case .buyElsewhere(let id): try appStore.buyProduct(productID: id)
        case .redeemCode(let code, let id): try appStore.redeemOfferCode(code, for: id)
        case .promote(let id): try appStore.promotePurchase(of: id)
        case .storefront(let code):
            guard let storefront = SimulatedStorefront(countryCode: code) else {
                throw SceneControlUnavailable(
                    description: "The simulated App Store doesn't know the storefront \(code).")
            }
            appStore.storefront = storefront
        }
    }

    /// Advances the clock to the end of a period, as on a device. The simulated App Store can also end a period at
    /// once, but receipts don't show that.
    private func endPeriod(of productID: String) throws {
        let periods = appStore.allTransactions().filter { $0.productID == productID }
        guard let end = periods.compactMap(\.expirationDate).max() else {
            throw SceneControlUnavailable(description: "\(productID) has no period that ends.")
        }
        appStore.advance(to: end)
    }

    func settle(_ store: PurchaseStore, _ recorder: SceneRecorder, expecting events: [SceneEvent]) async throws {
        try await store.settled()
        // Reads for entitlements are repeated after pauses, which pass on the clock of the App Store.
        try await store.advance(by: 120)
    }
}
