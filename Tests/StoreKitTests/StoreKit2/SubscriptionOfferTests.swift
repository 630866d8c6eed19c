import AppStoreSimulator
import Foundation
import StoreKit
import TestHarness
import Testing

@Suite(.bounded) struct SubscriptionOfferTests {
    private let world = StoreKit2World()

    /// Returns a JSON Web Signature of an app's server with claims.
    private func signature(_ claims: String) -> String {
        let payload = Data(claims.utf8).base64EncodedString().replacing("=", with: "").replacing("+", with: "-")
            .replacing("/", with: "_")
        return "eyJhbGciOiJFUzI1NiJ9.\(payload).c2lnbmF0dXJl"
    }

    private var olderSignature: Product.SubscriptionOffer.Signature {
        Product.SubscriptionOffer.Signature(keyID: "KEY", nonce: UUID(), timestamp: 1, signature: Data([1]))
    }

    @Test(arguments: [true, false]) func `the first result of eligibility can be repeated during a launch`(
        remembers: Bool
    ) async throws {
        world.appStore.behavior.remembersIntroductoryEligibility = remembers
        let subscription = try #require(try await world.product("basic").subscription)
        #expect(await subscription.isEligibleForIntroOffer)
        try await world.own("basic")
        expectEqual(Product.SubscriptionInfo.isEligibleForIntroOffer(for: "club", launch: world.launch), remembers)
        let next = world.relaunched()
        #expect(!Product.SubscriptionInfo.isEligibleForIntroOffer(for: "club", launch: next.launch))
        // Even for a product without an offer.
        #expect(Product.SubscriptionInfo.isEligibleForIntroOffer(for: "press", launch: next.launch))
    }

    @Test(arguments: [true, false])
    func `eligibility is false in a canceled task`(readsNothing: Bool) async throws {
        world.appStore.behavior.cancelledTasksReadNothing = readsNothing
        let task = Task { [launch = world.launch] in
            withUnsafeCurrentTask { $0?.cancel() }
            return Product.SubscriptionInfo.isEligibleForIntroOffer(for: "club", launch: launch)
        }
        expectEqual(await task.value, !readsNothing)
    }

    @Test func `the app's server can allow or prevent the introductory offer`() async throws {
        let denied = try await world.own(
            "basic", [.introductoryOfferEligibility(compactJWS: signature(#"{"allowIntroductoryOffer":false}"#))])
        expectEqual(denied.offer, nil)
        expectEqual(denied.price, 3)
        try world.appStore.expireSubscription(productID: "basic")
        let allowed = signature(#"{"allowIntroductoryOffer":true}"#)
        for _ in 0..<2 {
            let granted = try await world.own("basic", [.introductoryOfferEligibility(compactJWS: allowed)])
            expectEqual(granted.offer?.type, .introductory)
            try world.appStore.expireSubscription(productID: "basic")
        }
    }

    @Test(arguments: ["", "x", "a.b", "a.!.c", "a.e30.c", "....", "a.eyJhbGxvd0ludHJvZHVjdG9yeU9mZmVyIjoxfQ"])
    func `an unreadable eligibility leads to the full price`(jws: String) async throws {
        let transaction = try await world.buy("basic", [.introductoryOfferEligibility(compactJWS: jws)])
        expectEqual(transaction.offer, nil)
        expectEqual(transaction.price, 3)
    }

    @Test func `a promotional offer of the older signature`() async throws {
        let product = try await world.product("basic")
        try await world.own("basic")
        try world.appStore.expireSubscription(productID: "basic")
        await #expect(throws: Product.PurchaseError.invalidOfferIdentifier) {
            try await product.purchase(with: [.promotionalOffer(offerID: "none", signature: olderSignature)])
        }
        await #expect(throws: Product.PurchaseError.invalidOfferSignature) {
            try await product.purchase(
                with: [.promotionalOffer(offerID: "half", keyID: "KEY", nonce: UUID(), signature: Data(), timestamp: 1)]
            )
        }
        let transaction = try await world.own("basic", [.promotionalOffer(offerID: "half", signature: olderSignature)])
        expectEqual(transaction.offer?.id, "half")
    }

    @Test(
        arguments: [
            "", "x.y", #"{"offerIdentifier":"other"}"#, #"{"offerIdentifier":"half","productId":"premium"}"#,
            #"{"offerIdentifier":1}"#,
            "[]",
        ])
    func `an invalid promotional signature fails`(claims: String) async throws {
        try await world.own("basic")
        try world.appStore.expireSubscription(productID: "basic")
        let jws = claims.hasPrefix("{") || claims == "[]" ? signature(claims) : claims
        let product = try await world.product("basic")
        await #expect(throws: Product.PurchaseError.invalidOfferSignature) {
            try await product.purchase(with: Set(Product.PurchaseOption.promotionalOffer("half", compactJWS: jws)))
        }
        await #expect(throws: Product.PurchaseError.invalidOfferIdentifier) {
            try await product.purchase(with: Set(Product.PurchaseOption.promotionalOffer("none", compactJWS: jws)))
        }
    }

    @Test func `a win-back offer is for former subscribers`() async throws {
        let product = try await world.product("basic")
        let offer = try #require(product.subscription?.winBackOffers.first)
        expectEqual(offer.type, .winBack)
        expectEqual(offer.id, "back")
        expectEqual(offer.displayPrice, "$5.00")
        expectEqual(offer.paymentMode, .payUpFront)
        await #expect(throws: Product.PurchaseError.ineligibleForOffer) {
            try await product.purchase(with: [.winBackOffer(offer)])
        }
        try await world.own("basic")
        expectEqual(try world.renewalInfo().eligibleWinBackOfferIDs, [])
        var messages = Message.messages(of: world.launch).makeAsyncIterator()
        try world.appStore.expireSubscription(productID: "basic")
        expectEqual(await messages.next()?.reason, .winBackOffer)
        expectEqual(try world.renewalInfo().eligibleWinBackOfferIDs, ["back"])
        let transaction = try await world.own("basic", [.winBackOffer(offer)])
        expectEqual(transaction.offer?.type, .winBack)
        expectEqual(transaction.price, 5)
        expectEqual(
            transaction.expirationDate,
            Product.SubscriptionPeriod.everyThreeMonths.dateRange(referenceDate: transaction.purchaseDate).upperBound)
        expectEqual(try world.renewalInfo().eligibleWinBackOfferIDs, [])
        let other = try await world.product("premium")
        await #expect(throws: Product.PurchaseError.invalidOfferIdentifier) {
            try await other.purchase(with: [.winBackOffer(offer)])
        }
    }

    @Test func `the raw values of an offer`() async throws {
        let subscription = try #require(try await StoreKit2World().product("basic").subscription)
        let offers = [subscription.introductoryOffer, subscription.promotionalOffers.first].compactMap(\.self)
        expectEqual(offers.map(\.type), [.introductory, .promotional])
        expectEqual(offers.map(\.paymentMode), [.freeTrial, .payAsYouGo])
        expectEqual(offers.map(\.displayPrice), ["$0.00", "$1.00"])
        expectEqual(offers.map(\.periodCount), [1, 2])
        expectEqual(offers.map(\.period), [.weekly, .monthly])
    }
}
