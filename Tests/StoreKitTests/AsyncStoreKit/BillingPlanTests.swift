import AppReceipt
import AppStoreSimulator
import AsyncStoreKitTesting
import Foundation
import StoreKit
import TestHarness
import Testing

@testable import AsyncStoreKit

/// StoreKit's declarations of billing plans, bundles, partial refunds and seats, and their way into the store's values.
@Suite(.bounded) struct BillingPlanTests {
    private static let products: [SimulatedProduct] = [
        .autoRenewable(
            "pro", price: 60, period: .year(1), group: "club", winBackOffers: [.freeTrial(.month(1), id: "back")],
            isFamilyShareable: true),
        .autoRenewable(
            "max", price: 120, period: .year(1), group: "club",
            monthlyPlan: SimulatedMonthlyPlan(
                price: 11, commitmentPrice: 132, introductoryOffer: .freeTrial(.month(1)),
                winBackOffers: [.payAsYouGo(4, each: .month(1), times: 3, id: "back.monthly")])),
        .autoRenewable("news", price: 4, period: .month(1), group: "news"),
        .bundle("everything", of: ["news"], price: 7, period: .month(1), group: "bundles"),
        .suite("office", of: ["news"], price: 7, period: .month(1), group: "suites"),
        .nonConsumable("fonts", price: 9),
    ]

    private let appStore: SimulatedAppStore
    private let launch: SimulatedLaunch

    init() {
        appStore = SimulatedAppStore(
            catalog: SimulatedCatalog(
                products: Self.products, storefront: SimulatedStorefront(countryCode: "DEU", id: "143443"),
                localeIdentifier: "de_DE"))
        launch = appStore.launch()
    }

    private func product(_ id: String) async throws -> Product {
        try #require(try await Product.products(for: [id], launch: launch).first)
    }

    private func buy(_ id: String, _ options: Set<Product.PurchaseOption> = []) async throws -> StoreKit.Transaction {
        guard case .success(.verified(let transaction)) = try await product(id).purchase(with: options) else {
            throw StoreError(.unknown, "no transaction")
        }
        await transaction.finish()
        return transaction
    }

    private func renewalInfo(_ group: String) throws -> Product.SubscriptionInfo.RenewalInfo {
        try #require(try Product.SubscriptionInfo.status(for: group, launch: launch).first).renewalInfo.payloadValue
    }

    private func latest(_ id: String) throws -> StoreKit.Transaction {
        try #require(StoreKit.Transaction.latest(for: id, launch: launch)).payloadValue
    }

    @Test func `pricing terms have both prices and the offers of each plan`() async throws {
        let subscription = try #require(try await product("max").subscription)
        expectEqual(subscription.pricingTerms.map(\.billingPlanType), [.upFront, .monthly])
        let monthly = try #require(subscription.pricingTerms.last)
        expectEqual(monthly.billingPrice, 11)
        expectEqual(monthly.billingPeriod, .monthly)
        expectEqual(monthly.commitmentInfo.price, 132)
        expectEqual(monthly.commitmentInfo.period, .yearly)
        expectEqual(monthly.subscriptionOffers.map(\.type), [.introductory, .winBack])
        expectEqual(monthly[offers: .winBack].map(\.id), ["back.monthly"])
        expectEqual(subscription.winBackOffers, [])
        appStore.storefront = .unitedStates
        expectEqual(try await product("max").subscription?.pricingTerms.map(\.billingPlanType), [.upFront])
    }

    @Test(arguments: ["pro", "max", "news", "everything", "office", "fonts"])
    func `a product has the same values over StoreKit and over the simulator`(id: String) async throws {
        let overStoreKit = StoreProduct(try await product(id))
        let overSimulator = try #require(try await SimulatedStoreKit2(launch).products([id]).first).value
        expectEqual(overStoreKit.billingPlans, overSimulator.billingPlans)
        expectEqual(overStoreKit.bundledSubscriptions, overSimulator.bundledSubscriptions)
        expectEqual(overStoreKit.kind, overSimulator.kind)
        expectEqual(overStoreKit.supportsMultiSeatPurchase, overSimulator.supportsMultiSeatPurchase)
    }

    @Test func `a commitment is in the transaction and in the renewal information`() async throws {
        let transaction = try await buy(
            "max", [.billingPlanType(.monthly), .introductoryOfferEligibility(compactJWS: "x")])
        expectEqual(transaction.billingPlanType, .monthly)
        expectEqual(transaction.commitmentInfo?.billingPeriodNumber, 1)
        expectEqual(transaction.commitmentInfo?.totalBillingPeriods, 12)
        expectEqual(transaction.commitmentInfo?.price, 132)
        try appStore.disableAutoRenew(of: "max")
        let renewal = try renewalInfo("club")
        expectEqual(renewal.renewalBillingPlanType, .monthly)
        #expect(renewal.willAutoRenew)
        expectEqual(renewal.commitmentInfo?.willAutoRenew, false)
        expectEqual(renewal.commitmentInfo?.autoRenewPreference, "max")
        expectEqual(renewal.commitmentInfo?.renewalBillingPlanType, .monthly)
        expectEqual(renewal.commitmentInfo?.renewalPrice, 132)
        expectEqual(renewal.commitmentInfo?.renewalDate, transaction.commitmentInfo?.expirationDate)
    }

    @Test func `without the option the plan is up front, and there is no commitment`() async throws {
        let transaction = try await buy("max")
        expectEqual(transaction.billingPlanType, .upFront)
        expectEqual(transaction.commitmentInfo, nil)
        expectEqual(try renewalInfo("club").commitmentInfo, nil)
        expectEqual(try renewalInfo("club").renewalBillingPlanType, .upFront)
    }

    @Test func `a storefront without the plan fails the purchase without a charge`() async throws {
        let max = try await product("max")
        appStore.storefront = .unitedStates
        await #expect(throws: Product.PurchaseError.productUnavailable) {
            try await max.purchase(with: [.billingPlanType(.monthly)])
        }
        #expect(appStore.allTransactions().isEmpty)
    }

    @Test func `the store uses the plan over StoreKit, and rejects a plan that the product lacks`() async throws {
        let store = PurchaseStore(over: StoreKit2Backend(environment: SystemStoreKit2(launch: launch)))
        let outcome = try await store.purchase("max", options: [.billingPlan(.monthly)]) { _ in }
        guard case .success(let purchase) = outcome else { throw StoreError(.unknown, "\(outcome)") }
        expectEqual(purchase.transaction.signedInfo?.commitment?.billingPeriodNumber, 1)
        let entitlement = try #require(await store.entitlements.refresh()["max"])
        expectEqual(entitlement.accessEndDate, purchase.transaction.signedInfo?.expirationDate)
        await expectError(\StoreError.code, .billingPlanUnavailable) {
            try await store.purchase("news", options: [.billingPlan(.monthly)])
        }
        expectEqual(appStore.allTransactions().count, 1)
    }

    @Test func `a subscription whose plans StoreKit doesn't name has the plan up front only`() throws {
        let month = StoreSubscriptionPeriod(value: 1, unit: .month)
        let product = StoreProduct(
            id: "news", displayName: "News", description: "", price: 1, priceLocale: Locale(identifier: "en_US"),
            subscriptionPeriod: month)
        func plan(_ plan: BillingPlan) throws(StoreError) -> BillingPlan? {
            try StoreKit2PurchaseOptions(
                PaymentRequest(productID: "news", options: PurchaseOptions(billingPlan: plan)), for: product
            ).billingPlan
        }
        expectEqual(try plan(.upFront), nil, "StoreKit's usual plan needs no option")
        expectError(\StoreError.code, .billingPlanUnavailable) { try plan(.monthly) }
    }

    @Test func `a win-back offer of a plan becomes StoreKit's option`() async throws {
        let product = try await product("max")
        let request = PaymentRequest(
            productID: "max", options: PurchaseOptions(offer: .winBack(id: "back.monthly"), billingPlan: .monthly))
        let options = try StoreKit2PurchaseOptions(request, for: StoreProduct(product)).options(for: product)
        let offer = try #require(product.subscription?.pricingTerms.last?[offers: .winBack].first)
        expectEqual(options, [.quantity(1), .billingPlanType(.monthly), .winBackOffer(offer)])
    }

    @Test func `bundled subscriptions and their membership`() async throws {
        let bundle = try await product("everything")
        expectEqual(bundle.type, .subscriptionBundle)
        expectEqual(bundle.subscription?.bundledSubscriptions.map(\.id), ["news"])
        expectEqual(try await product("office").type, .subscriptionSuite)
        expectEqual(try await product("office").subscription?.bundledSubscriptions, [])
        let single = try await buy("news")
        let purchase = try await buy("everything")
        let member = try latest("news")
        expectEqual(member.bundleProductID, "everything")
        expectEqual(member.bundleSubscriptionGroupID, "bundles")
        expectEqual(member.bundleTransactionID, "\(purchase.id)")
        expectEqual(member.bundleOriginalTransactionID, "\(purchase.originalID)")
        expectEqual(member.previousOriginalTransactionID, single.originalID)
        var replaced: [StoreKit.Transaction] = []
        for await result in StoreKit.Transaction.all(for: "news", launch: launch) {
            if result.unsafePayloadValue.id == single.id { replaced.append(result.unsafePayloadValue) }
        }
        expectEqual(replaced.first?.revocationReason, .upgradedToBundle)
        expectEqual(replaced.first?.previousOriginalTransactionID, member.originalID)
        try appStore.leaveBundle("news", continues: false)
        let renewal = try renewalInfo("news")
        #expect(renewal.willUnbundle)
        expectEqual(renewal.bundleProductID, "everything")
        expectEqual(renewal.bundleSubscriptionGroupID, "bundles")
        expectEqual(renewal.bundleOriginalTransactionID, "\(purchase.originalID)")
        appStore.advance(by: .month(1))
        expectEqual(try renewalInfo("news").expirationReason, .unbundled)
        #expect(try !renewalInfo("bundles").willUnbundle)
    }

    @Test func `revocation types and percentages`() async throws {
        _ = try await buy("pro")
        try appStore.refund("pro", percentage: 12.5)
        expectEqual(try latest("pro").revocationType, .proratedRefund)
        expectEqual(try latest("pro").revocationPercentage, 12.5)
        _ = try await buy("news")
        try appStore.refund("news")
        expectEqual(try latest("news").revocationType, .fullRefund)
        expectEqual(try latest("news").revocationPercentage, nil)
        try appStore.expireSubscription(productID: "pro")
        try appStore.shareInFamily("pro")
        try appStore.revokeFamilySharing(of: "pro")
        expectEqual(try latest("pro").revocationType, .familyRevocation)
        try appStore.assignSeat(of: "max")
        expectEqual(try latest("max").ownershipType, .assigned)
        try appStore.unassignSeat(of: "max")
        expectEqual(try latest("max").revocationType, .assignmentRevocation)
    }

    @Test func `seats are in the transactions of a period and in the renewal information`() async throws {
        #expect(try await product("news").supportsMultiSeatPurchase)
        let first = try await buy("news", [.seats(3)])
        expectEqual(first.purchasedQuantity, 3)
        expectEqual(first.price, 4)
        expectEqual(first.multiSeatInfo?.invitationManagement, .apple)
        expectEqual(first.multiSeatInfo?.priceTiers.map(\.price), [4])
        expectEqual(first.multiSeatInfo?.priceTiers.map(\.quantity), [3])
        expectEqual(first.multiSeatInfo?.revokedSeatQuantity, nil)
        expectEqual(first.additionalTransactionReason, nil)
        let added = try await buy("news", [.seats(5)])
        expectEqual(added.purchasedQuantity, 2)
        expectEqual(added.additionalTransactionReason, .seatAddition)
        expectEqual(added.originalID, first.originalID)
        expectEqual(added.expirationDate, first.expirationDate)
        let info = try SignedTransactionInfo(payload: added.jsonRepresentation)
        let tier = ReceiptValue.object(["price": .number("4000"), "quantity": .number("2")])
        expectEqual(info.multiSeatInfo, .object(["priceTiers": .array([tier])]))
        expectEqual(info.invitationManagement, .apple)
        expectEqual(info.additionalTransactionReason, .seatAddition)
        let renewal = try renewalInfo("news")
        expectEqual(renewal.renewalQuantity, 5)
        expectEqual(renewal.multiSeatInfo?.renewalPriceTiers.map(\.price), [4])
        expectEqual(renewal.multiSeatInfo?.renewalPriceTiers.map(\.quantity), [5])
        expectEqual(try SignedRenewalInfo(payload: renewal.jsonRepresentation).renewalQuantity, 5)
        let single = try await buy("pro")
        expectEqual(single.multiSeatInfo, nil)
        expectEqual(try renewalInfo("club").multiSeatInfo, nil)
        expectEqual(try renewalInfo("club").renewalQuantity, nil)
    }

    @Test func `StoreKit refuses seats of a product without them, and a total that isn't higher`() async throws {
        let fonts = try await product("fonts")
        #expect(!fonts.supportsMultiSeatPurchase)
        await #expect(throws: Product.PurchaseError.multiSeatPurchaseDisabled) {
            try await fonts.purchase(with: [.seats(2)])
        }
        _ = try await buy("news", [.seats(3)])
        let news = try await product("news")
        await #expect(throws: Product.PurchaseError.invalidQuantity) { try await news.purchase(with: [.seats(3)]) }
        expectEqual(appStore.allTransactions().count, 1)
    }

    @Test func `seats become StoreKit's option, in place of the quantity`() async throws {
        let product = try await product("news")
        let request = PaymentRequest(productID: "news", options: [.seats(3)])
        let options = try StoreKit2PurchaseOptions(request, for: StoreProduct(product)).options(for: product)
        expectEqual(options, [.seats(3)])
    }

    @Test func `the names have Apple's raw values`() {
        expectEqual(Product.SubscriptionInfo.BillingPlanType.monthly.rawValue, BillingPlan.monthly.rawValue)
        expectEqual(Product.SubscriptionInfo.BillingPlanType.upFront.rawValue, BillingPlan.upFront.rawValue)
        expectEqual(StoreKit.Transaction.RevocationReason.upgradedToBundle.rawValue, 2)
        expectEqual(Product.SubscriptionInfo.RenewalInfo.ExpirationReason.unbundled.rawValue, 6)
        expectEqual(StoreKit.Transaction.OwnershipType.assigned.rawValue, "ASSIGNED")
        expectEqual(StoreKit.Transaction.RevocationType.assignmentRevocation.rawValue, "ASSIGNMENT_REVOKE")
        expectEqual(AppStore.Platform.managed.rawValue, "MANAGED")
        expectEqual(StoreKit.Transaction.AdditionalTransactionReason.seatAddition.rawValue, "SEAT_ADDITION")
        expectEqual(StoreKit.Transaction.MultiSeatInfo.InvitationManagement.developer.rawValue, "DEVELOPER")
    }

    @Test func `the device has one app transaction, from the App Store for consumers`() async {
        var transactions: [AppTransaction] = []
        for await result in AppTransaction.all { transactions.append(result.unsafePayloadValue) }
        expectEqual(transactions.map(\.storeType), [.consumer])
        expectEqual(transactions.map(\.revocationDate), [nil])
    }

    @Test func `the errors of later versions have codes of their own`() {
        let storeKit1 = StoreError(
            storeKitError: SKError(.paymentMethodBindingConfigurationRequired), during: "The purchase")
        expectEqual(storeKit1.code, .paymentMethodRequired)
        let errors: [(any Error, StoreError.Code)] = [
            (Product.PurchaseError.paymentMethodBindingConfigurationRequired, .paymentMethodRequired),
            (StoreKitError.invalidPresentationContext, .invalidPresentationContext),
            (Product.PurchaseError.multiSeatPurchaseDisabled, .seatsUnavailable),
            (StoreKit.Transaction.RefundRequestError.ineligible, .refundIneligible),
        ]
        for (error, code) in errors { expectEqual(StoreError(storeKit2Error: error, during: "The call").code, code) }
    }

    @Test(arguments: [true, false])
    func `an offer code is delivered once over StoreKit, whether or not the sheet returns it`(returns: Bool)
        async throws
    {
        let appStore = SimulatedAppStore(products: [
            .autoRenewable(
                "news", price: 4, period: .month(1), group: "news", codeOffers: [.freeTrial(.month(1), id: "gift")])
        ])
        appStore.behavior.offerCodeSheetReturnsTransaction = returns
        let backend = StoreKit2Backend(environment: SystemStoreKit2(launch: appStore.launch()))
        let store = PurchaseStore(over: backend)
        let listener = StreamListener(store.transactions)
        try appStore.setNextOfferCode("gift", for: "news")
        expectEqual(try await store.present(.codeRedemption)?.productID, returns ? "news" : nil)
        let purchase = try #require(try await listener.next())
        await purchase.finish()
        try appStore.forceRenewalOfSubscription(productID: "news")
        let renewal = try #require(try await listener.next())
        expectEqual(renewal.transaction.signedInfo?.reason, .renewal)
    }
}
