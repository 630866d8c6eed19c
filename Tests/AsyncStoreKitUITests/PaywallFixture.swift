import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import AsyncStoreKitUI
import Foundation

/// A shop with one product for each form of terms, and its model.
@MainActor final class PaywallFixture {
    static let products: [SimulatedProduct] = [
        .consumable("coins", price: 0.99, name: "100 Coins"),
        .nonConsumable("pro", price: 24.99, name: "Darkroom Pro"),
        .nonRenewingSubscription("season", price: 3, name: "Season Pass"),
        .autoRenewable(
            "club.monthly", price: 4.99, period: .month(1), group: "club", name: "Club, Monthly",
            introductoryOffer: .freeTrial(.week(1)), winBackOffers: [.payUpFront(1.99, for: .months(3), id: "back")],
            isFamilyShareable: true),
        .autoRenewable(
            "club.yearly", price: 39.99, period: .year(1), group: "club", name: "Club, Yearly",
            introductoryOffer: .freeTrial(.week(1)),
            monthlyPlan: SimulatedMonthlyPlan(
                price: 3.99, commitmentPrice: 47.88, introductoryOffer: .freeTrial(.week(1)))),
        .autoRenewable(
            "news.weekly", price: 1.99, period: .week(1), group: "news", name: "News",
            introductoryOffer: .payAsYouGo(0.99, each: .week(1), times: 4)),
        .autoRenewable(
            "maps.quarterly", price: 8.99, period: .months(3), group: "maps", name: "Maps",
            introductoryOffer: .payUpFront(2.99, for: .months(2))),
    ]
    static let productIDs = products.map(\.productID)

    /// The storefront is one that has plans with monthly payments.
    static let catalog = SimulatedCatalog(
        products: products, storefront: SimulatedStorefront(countryCode: "GBR") ?? .unitedStates,
        localeIdentifier: "en_GB")

    let appStore: SimulatedAppStore
    let store: PurchaseStore
    let core: StoreModelCore
    private(set) var changes: [StoreModelState] = []

    init(
        _ appStore: SimulatedAppStore = SimulatedAppStore(catalog: PaywallFixture.catalog),
        engine: StoreEngine = .storeKit2
    ) {
        self.appStore = appStore
        store = PurchaseStore(simulating: appStore, engine: engine)
        core = StoreModelCore(store)
        core.onChange = { [weak self] in self?.changes.append($0) }
    }

    convenience init(_ customer: Customer, of productID: String = "club.monthly") throws {
        self.init(try SimulatedAppStore(customer, of: productID, in: Self.catalog))
    }

    var state: StoreModelState { core.state }

    /// Loads the products, and waits until the model knows everything that the store knows.
    func load(_ productIDs: [String] = PaywallFixture.productIDs) async throws {
        await core.loadProducts(productIDs)
        await store.entitlements.refresh()
        try await store.settled()
    }

    func terms(_ productID: String, _ options: PurchaseOptions = []) -> String? {
        state.button(for: productID, options: options).terms?.summary
    }

    func picker(_ groupID: String = "club", _ selection: SubscriptionPickerState.Option.ID? = nil)
        -> SubscriptionPickerState
    {
        SubscriptionPickerState(group: groupID, state, selection: selection)
    }
}
