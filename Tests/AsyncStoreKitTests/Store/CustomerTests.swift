import AppReceipt
import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation
import TestHarness
import Testing

@Suite(.bounded) struct CustomerTests {
    private let catalog = SimulatedCatalog(products: [
        .consumable("coins", price: 1),
        .nonConsumable("pro", price: 10, isFamilyShareable: true),
        .nonConsumable("filters", price: 2),
        .autoRenewable(
            "club.monthly", price: 5, period: .month(1), group: "club", level: 2,
            introductoryOffer: .freeTrial(.week(1)),
            winBackOffers: [.payUpFront(5, for: .months(3), id: "back")], isFamilyShareable: true),
        .autoRenewable("club.plus", price: 9, period: .month(1), group: "club", level: 1),
        .autoRenewable("club.basic", price: 2, period: .month(1), group: "club", level: 3),
        .autoRenewable("archive", price: 60, period: .year(1), group: "archive", monthlyPlan: .monthly(6)),
    ])

    private func product(of customer: Customer) -> String {
        if case .commitment = customer { return "archive" }
        return "club.monthly"
    }

    /// The products that a customer may use, and the state of the customer's product.
    private func expectation(of customer: Customer) -> (owned: Set<String>, state: SubscriptionState?) {
        let product = product(of: customer)
        return switch customer {
        case .new, .pendingApproval, .otherAccount, .unknown: ([], nil)
        case .trial, .trialEndsToday, .active, .canceled, .familyMember, .downgradePending, .priceIncrease, .offline,
            .commitment:
            ([product], .subscribed)
        case .gracePeriod: ([product], .inGracePeriod)
        case .billingRetry: ([], .inBillingRetryPeriod)
        case .expired, .winBack: ([], .expired)
        case .refunded, .familyEnded: ([], .revoked)
        case .upgraded: (["club.plus"], .upgraded)
        }
    }

    @Test(arguments: Customer.allCases) func `a customer in a named state has the state's entitlements`(
        _ customer: Customer
    )
        async throws
    {
        let expected = expectation(of: customer)
        let store = try PurchaseStore(customer, of: product(of: customer), in: catalog)
        _ = try? await store.products(for: Set(catalog.products.map(\.productID)))
        let entitlements = await store.entitlements.refresh()
        expectEqual(entitlements.productIDs, expected.owned)
        // The history with a lower subscription may not have been read yet.
        if customer != .upgraded { expectEqual(entitlements[product(of: customer)]?.state, expected.state) }
        expectEqual(await store.unfinishedTransactions, [])
        // An empty list confirms nothing by itself.
        expectEqual(entitlements.basis == .unknown, entitlements.productIDs.isEmpty)
        #expect(Customer(customer.description) == customer)
    }

    /// The hours until access ends.
    private static let hoursLeft: [(Customer, Double)] = [
        (.trial, 144), (.trialEndsToday, 6), (.gracePeriod, 383), (.expired, -24), (.winBack, -720),
    ]

    @Test(arguments: hoursLeft)
    func `access ends at the time that the state names`(_ customer: Customer, after hours: Double) async throws {
        let appStore = try SimulatedAppStore(customer, of: "club.monthly", in: catalog)
        let store = PurchaseStore(simulating: appStore)
        _ = try await store.products(for: ["club.monthly"])
        let end = try #require(await store.entitlements.refresh()["club.monthly"]?.accessEndDate)
        expectEqual(end.timeIntervalSince(appStore.now) / 3_600, hours)
    }

    @Test func `a renewal has the next product and price`() async throws {
        func renewal(_ customer: Customer) async throws -> StoreEntitlement.Renewal? {
            let product = product(of: customer)
            let store = try PurchaseStore(customer, of: product, in: catalog)
            _ = try await store.products(for: [product])
            return await store.entitlements.refresh()[product]?.renewal
        }
        expectEqual(try await renewal(.active)?.willRenew, true)
        expectEqual(try await renewal(.canceled)?.willRenew, false)
        expectEqual(try await renewal(.downgradePending)?.productID, "club.basic")
        expectEqual(try await renewal(.priceIncrease)?.isPriceIncreasePending, true)
        expectEqual(try await renewal(.winBack)?.eligibleWinBackOfferIDs, ["back"])
    }

    @Test(arguments: [1, 7, 12]) func `a commitment is in the requested month`(month: Int) async throws {
        let store = try PurchaseStore(.commitment(month: month), of: "archive", in: catalog)
        expectEqual(await store.entitlements.current["archive"]?.commitment?.billingPeriodNumber, Int64(month))
    }

    @Test func `an approval can come later`() async throws {
        let appStore = try SimulatedAppStore(.pendingApproval, of: "pro", in: catalog)
        let store = PurchaseStore(simulating: appStore)
        store.setDelivery { _ in .accepted }
        try appStore.approvePurchase(of: "pro")
        try await store.settled()
        expectEqual(await store.entitlements.refresh().productIDs, ["pro"])
    }

    @Test(arguments: [Customer.active, .refunded, .familyMember, .offline])
    func `a product that is bought once supports some states`(_ customer: Customer) async throws {
        let store = try PurchaseStore(customer, of: "pro", in: catalog)
        expectEqual(await store.entitlements.current.productIDs, customer == .refunded ? [] : ["pro"])
    }

    private static let refusals: [(Customer, String, String)] = [
        (.trial, "pro", "Customer trial needs a subscription with a free trial. \"pro\" doesn't qualify."),
        (.canceled, "pro", "Customer canceled needs an auto-renewable subscription. \"pro\" doesn't qualify."),
        (.active, "coins", "Customer active needs a product that customers own. \"coins\" doesn't qualify."),
        (
            .familyMember, "filters",
            "Customer familyMember needs a product that families share. \"filters\" doesn't qualify."
        ),
        (
            .winBack, "club.plus",
            "Customer winBack needs a subscription with a win-back offer. \"club.plus\" doesn't qualify."
        ),
        (
            .upgraded, "club.plus",
            "Customer upgraded needs a group with a subscription of a higher level. \"club.plus\" doesn't qualify."
        ),
        (
            .commitment(month: 1), "pro",
            "Customer commitment1 needs a yearly subscription with a monthly plan. \"pro\" doesn't qualify."
        ),
        (.commitment(month: 13), "archive", "A commitment has months 1 to 12, and no month 13."),
        (.new, "nothing", "The catalog has no product \"nothing\"."),
    ]

    @Test(arguments: refusals)
    func `a state that a product can't have is refused`(_ customer: Customer, _ product: String, message: String) {
        expectError(\SimulatorError.message, message) { try PurchaseStore(customer, of: product, in: catalog) }
    }

    @Test func `launch arguments name a customer, in full or by the beginning of the name`() async throws {
        for name in ["gracePeriod", "grace", "GRACEPERIOD"] {
            let store = try #require(
                try PurchaseStore(
                    launchArguments: ["app", "-Customer", "\(name):club.monthly", "-Other", "1"], in: catalog))
            expectEqual(await store.entitlements.current["club.monthly"]?.state, .inGracePeriod)
        }
        #expect(try PurchaseStore(launchArguments: ["app", "-NSQuitAlwaysKeepsWindows", "NO"], in: catalog) == nil)
        expectEqual(Customer("trial"), .trial)
        expectEqual(Customer("commitment3"), .commitment(month: 3))
        for name in ["", "trialEnds-", "fam", "commitment", "missing"] {
            expectEqual(Customer(name) == nil, name != "commitment")
        }
    }

    @Test(arguments: [["-Customer"], ["-Customer", "grace"], ["-Customer", ":pro"], ["-Customer", "missing:pro"]])
    func `launch arguments that name no customer are refused`(arguments: [String]) {
        let error = #expect(throws: SimulatorError.self) { try PurchaseStore(launchArguments: arguments, in: catalog) }
        #expect(error?.message.hasPrefix("-Customer needs a state and a product") == true)
    }
}
