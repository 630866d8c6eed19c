import AppStoreSimulator
import Foundation
import TestHarness
import Testing

/// What the App Store doesn't allow throws an error that says why.
@Suite(.bounded) struct ImpossibleTests {
    private typealias Offer = SimulatedSubscription.Offer
    private let store = SimulatedAppStore.stepped()

    private static func product(
        _ id: String = "a", price: Decimal = 1, period: SimulatedPeriod = .month(1), level: Int = 1,
        introductory: Offer? = nil, promotional: [Offer] = [], winBack: [Offer] = [], code: [Offer] = [],
        plan: SimulatedMonthlyPlan? = nil
    ) -> SimulatedProduct {
        .autoRenewable(
            id, price: price, period: period, group: "club", level: level, introductoryOffer: introductory,
            promotionalOffers: promotional, winBackOffers: winBack, codeOffers: code, monthlyPlan: plan)
    }

    private static func shareable(_ product: SimulatedProduct) -> SimulatedProduct {
        var product = product
        product.isFamilyShareable = true
        return product
    }

    private static let subscriptionToCoins: SimulatedProduct = {
        var product = SimulatedProduct.consumable("coins", price: 1)
        product.subscription = SimulatedSubscription(groupID: "club", period: .month(1))
        return product
    }()

    static let catalogs: [(products: [SimulatedProduct], reason: String)] = [
        ([.consumable("a", price: 1), product()], "The catalog contains \"a\" twice."),
        ([.consumable("", price: 1)], "A product of the catalog has an empty identifier."),
        ([.consumable("a", price: -1)], "\"a\" has the price -1, which is below zero."),
        ([.consumable("a", price: .nan)], "\"a\" has a price that isn't a number."),
        (
            [shareable(.consumable("a", price: 1))],
            "\"a\" is family shareable. Families share only non-consumables and auto-renewable subscriptions."
        ),
        (
            [shareable(.nonRenewingSubscription("a", price: 1))],
            "\"a\" is family shareable. Families share only non-consumables and auto-renewable subscriptions."
        ),
        ([subscriptionToCoins], "\"coins\" has the terms of an auto-renewable subscription, but another kind."),
        ([product(level: 0)], "\"a\" has the level 0. The highest level is 1."),
        ([product(period: .months(0))], "\"a\" has a period of 0 units."),
        ([product(period: .weeks(-1))], "\"a\" has a period of -1 units."),
        ([product(plan: .monthly(1))], "\"a\" has a monthly plan, but isn't yearly."),
        (
            [product(period: .year(1), plan: SimulatedMonthlyPlan(price: 1, commitmentPrice: -12))],
            "\"a\" has the price -12, which is below zero."
        ),
        (
            [
                product(
                    period: .months(12),
                    plan: SimulatedMonthlyPlan(price: 1, commitmentPrice: 12, codeOffers: [.freeTrial(.week(1))]))
            ], "\"a\" has a code offer without an identifier."
        ),
        ([product(introductory: .freeTrial(.days(0)))], "\"a\" has an introductory offer with a period of 0 units."),
        (
            [product(introductory: Offer(paymentMode: .freeTrial, price: 1, period: .week(1)))],
            "\"a\" has an introductory offer with the price 1, although the offer is free."
        ),
        (
            [product(promotional: [.payAsYouGo(1, each: .month(1), times: 0, id: "b")])],
            "\"a\" has a promotional offer \"b\" with 0 periods."
        ),
        (
            [product(winBack: [.payUpFront(-2, for: .month(1), id: "b")])],
            "\"a\" has a win-back offer \"b\" with the price -2, which is below zero."
        ),
        ([product(winBack: [.payUpFront(2, for: .month(1))])], "\"a\" has a win-back offer without an identifier."),
        (
            [product(code: [.freeTrial(.week(1), id: "b"), .freeTrial(.week(2), id: "b")])],
            "\"a\" has a code offer \"b\" twice."
        ),
        (
            [.bundle("all", of: ["a", "b"], price: 1, period: .month(1), group: "all"), product()],
            "\"all\" includes \"b\", which isn't an auto-renewable subscription in the catalog."
        ),
    ]

    @Test(arguments: catalogs) func `an impossible catalog fails every control, request and payment, and says why`(
        products: [SimulatedProduct], reason: String
    ) {
        let expected = SimulatorError(.invalidCatalog, reason)
        let store = SimulatedAppStore(products: products)
        store.pacing = .manual
        #expect(throws: expected) { try store.buyProduct(productID: "a") }
        #expect(throws: expected) { try store.disableAutoRenew(of: "a") }
        #expect(throws: expected) { try store.checkInputs() }
        #expect(throws: expected) {
            try SimulatedAppStore(.new, of: products[0].productID, in: SimulatedCatalog(products: products))
        }
        let observer = RecordingObserver()
        let launch = store.launch(observer)
        launch.pay(for: "a")
        var failures: [String] = []
        let answers = OrderLog<String>()
        launch.productsRequest(["a"]) { if case .failed(let error) = $0 { answers.append(error.message) } }.start()
        store.runUntilIdle()
        failures += answers.values
        failures += observer.updates.compactMap { $0.error?.message }
        expectEqual(failures, [reason, reason])
        store.catalog = .example
        #expect(throws: Never.self) { try store.buyProduct(productID: "pro") }
    }

    static let controls:
        [(name: String, control: @Sendable (SimulatedAppStore) throws -> Void, error: SimulatorError)] = [
            (
                "share a consumable", { try $0.shareInFamily("coins") },
                SimulatorError(.unsuitableProduct, "\"coins\" isn't family shareable.")
            ),
            (
                "share a product that isn't shareable", { try $0.shareInFamily("themes") },
                SimulatorError(.unsuitableProduct, "\"themes\" isn't family shareable.")
            ),
            (
                "assign a seat of a product without seats", { try $0.assignSeat(of: "pro") },
                SimulatorError(.unsuitableProduct, "\"pro\" has no seats that an organization can assign.")
            ),
            (
                "buy too many items", { try $0.buyProduct(productID: "coins", quantity: 11) },
                SimulatorError(.invalidValue, "A customer can buy 1 to 10 items at a time, not 11.")
            ),
            (
                "buy no items", { try $0.buyProduct(productID: "coins", quantity: 0) },
                SimulatorError(.invalidValue, "A customer can buy 1 to 10 items at a time, not 0.")
            ),
            (
                "buy no seats", { try $0.buyProduct(productID: "monthly", seats: 0) },
                SimulatorError(
                    .unsuitableProduct, "The account can't buy 0 seats of \"monthly\": The quantity is not valid.")
            ),
            (
                "raise a price below zero", { try $0.raisePrice(of: "monthly", to: -3) },
                SimulatorError(.invalidValue, "-3 isn't higher than the price of \"monthly\", which is 3.")
            ),
            (
                "raise a price to the same price", { try $0.raisePrice(of: "monthly", to: 3) },
                SimulatorError(.invalidValue, "3 isn't higher than the price of \"monthly\", which is 3.")
            ),
            (
                "raise a price to no number", { try $0.raisePrice(of: "monthly", to: .nan) },
                SimulatorError(.invalidValue, "NaN isn't higher than the price of \"monthly\", which is 3.")
            ),
            (
                "raise the price of a product that doesn't renew", { try $0.raisePrice(of: "pro", to: 20) },
                SimulatorError(.unsuitableProduct, "\"pro\" isn't a subscription, so it isn't renewed.")
            ),
            (
                "refund nothing", { try $0.refund("themes", percentage: 0) },
                SimulatorError(.invalidValue, "A refund is 1 to 100 % of the price, not 0 %.")
            ),
            (
                "refund more than the price", { try $0.refund("themes", percentage: 101) },
                SimulatorError(.invalidValue, "A refund is 1 to 100 % of the price, not 101 %.")
            ),
            (
                "refund what a family member bought",
                { store in
                    try store.shareInFamily("pro")
                    try store.refund("pro")
                },
                SimulatorError(.notOwned, "The account has no purchase of \"pro\" to refund.")
            ),
            (
                "offer a subscriber a win-back offer",
                { store in
                    store.catalog.products[5].subscription?.winBackOffers = [.freeTrial(.week(1), id: "back")]
                    try store.promotePurchase(of: "monthly", winBackOfferID: "back")
                },
                SimulatorError(
                    .notEligible,
                    "Win-back offers are for former subscribers. No subscription to \"monthly\" has expired.")
            ),
            (
                "turn the clock back, then anything",
                { store in
                    store.advance(by: -3_600)
                    try store.buyProduct(productID: "coins")
                },
                SimulatorError(.invalidValue, "The App Store's clock can't be advanced by -3600.0 seconds.")
            ),
            (
                "turn the clock back by a period, then anything",
                { store in
                    store.advance(by: .days(-3))
                    try store.buyProduct(productID: "coins")
                },
                SimulatorError(.invalidValue, "The App Store's clock can't be advanced by -3 days.")
            ),
            (
                "advance the clock by no number, then anything",
                { store in
                    store.advance(by: .nan)
                    try store.buyProduct(productID: "coins")
                },
                SimulatorError(.invalidValue, "The App Store's clock can't be advanced by nan seconds.")
            ),
        ]

    @Test(arguments: 0..<controls.count) func `an impossible control throws an error, and nothing changes`(
        index: Int
    ) throws {
        let (name, control, error) = Self.controls[index]
        store.own("themes")
        let before = (
            store.now, store.catalog["monthly"]?.price, store.allTransactions().filter { $0.ownership == .purchased }
        )
        #expect(throws: error, "\(name)") { try control(store) }
        expectEqual(store.now, before.0)
        expectEqual(store.catalog["monthly"]?.price, before.1)
        expectEqual(store.allTransactions().filter { $0.ownership == .purchased }, before.2)
        // The error of an interval is thrown once.
        #expect(throws: Never.self) { try store.buyProduct(productID: "coins") }
    }
}
