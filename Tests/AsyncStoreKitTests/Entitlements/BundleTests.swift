import AppReceipt
import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation
import TestHarness
import Testing

/// Bundles, suites and seats: subscriptions that a customer has through another purchase.
@Suite(.bounded) struct BundleTests {
    private static let products: [SimulatedProduct] = [
        .autoRenewable(
            "news", price: 4, period: .month(1), group: "news", name: "News", introductoryOffer: .freeTrial(.week(1))),
        .autoRenewable("sports", price: 5, period: .month(1), group: "sports", isFamilyShareable: true),
        .autoRenewable("maps", price: 3, period: .month(1), group: "maps"),
        .bundle("everything", of: ["news", "sports"], price: 7, period: .month(1), group: "bundles"),
        .suite("office", of: ["maps"], price: 2, period: .month(1), group: "suites"),
        fonts, .nonConsumable("pens", price: 1),
    ]

    private static let fonts: SimulatedProduct = {
        var fonts = SimulatedProduct.nonConsumable("fonts", price: 9)
        fonts.supportsMultiSeatPurchase = true
        return fonts
    }()

    private let appStore: SimulatedAppStore
    private let store: PurchaseStore

    init() {
        appStore = SimulatedAppStore(catalog: SimulatedCatalog(products: Self.products))
        store = PurchaseStore(simulating: appStore)
    }

    private func buy(_ productID: String) async throws {
        try await store.purchase(productID) { _ in }
    }

    private func pass(_ period: SimulatedPeriod) async -> StoreEntitlements {
        appStore.advance(by: period)
        return await store.entitlements.refresh()
    }

    /// The transactions of a product, oldest first.
    private func transactions(_ productID: String) -> [SimulatedHistoryRecord] {
        appStore.allTransactions().filter { $0.productID == productID }
    }

    @Test func `a bundle names its members, and a suite doesn't`() async throws {
        let products = try await store.products(for: ["everything", "office", "news"])
        let bundle = try #require(products["everything"])
        expectEqual(bundle.kind, .subscriptionBundle)
        expectEqual(bundle.bundledSubscriptions.map(\.id), ["news", "sports"])
        let news = try #require(bundle.bundledSubscriptions.first)
        expectEqual(news.displayName, "News")
        expectEqual(news.price, 4)
        expectEqual(news.displayPrice, products["news"]?.displayPrice)
        expectEqual(news.subscriptionGroupID, "news")
        expectEqual(bundle.bundledSubscriptions.map(\.isFamilyShareable), [false, true])
        expectEqual(products["office"]?.kind, .subscriptionSuite)
        expectEqual(products["office"]?.bundledSubscriptions, [])
        expectEqual(products["news"]?.bundledSubscriptions, [])
    }

    @Test(arguments: ["everything", "office"])
    func `members give access with the bundle's dates, and name the bundle`(bundle: String) async throws {
        try await buy(bundle)
        let members = bundle == "office" ? ["maps"] : ["news", "sports"]
        var entitlements = await store.entitlements.refresh()
        expectEqual(entitlements.productIDs, Set(members + [bundle]))
        for month in 1...2 {
            let purchase = try #require(transactions(bundle).last)
            for member in members {
                let entitlement = try #require(entitlements[member])
                expectEqual(entitlement.bundle?.productID, bundle)
                expectEqual(entitlement.bundle?.transactionID, purchase.transactionID)
                expectEqual(entitlement.bundle?.originalTransactionID, purchase.originalTransactionID)
                expectEqual(entitlement.accessEndDate, purchase.expirationDate)
                expectEqual(transactions(member).count, month)
            }
            expectEqual(entitlements[bundle]?.bundle, nil)
            entitlements = await pass(.month(1))
        }
    }

    @Test func `a bundle replaces a single subscription without a gap`() async throws {
        try await buy("news")
        let single = try #require(transactions("news").first)
        try await buy("everything")
        let entitlement = try #require(await store.entitlements.refresh()["news"])
        #expect(entitlement.isEntitled)
        expectEqual(entitlement.bundle?.productID, "everything")
        let member = try #require(transactions("news").last)
        expectEqual(transactions("news").first?.revocationReason, .upgradedToBundle)
        expectEqual(member.previousOriginalTransactionID, single.transactionID)
        expectEqual(transactions("news").first?.previousOriginalTransactionID, member.transactionID)
        expectEqual(member.originalTransactionID, member.transactionID)
    }

    @Test func `a single subscription that a bundle has replaced is treated as upgraded, not as revoked`() {
        var row = PurchaseFacts(
            productID: "news", transactionID: "1", purchaseDate: Date(timeIntervalSince1970: 0))
        row.expirationDate = Date(timeIntervalSince1970: 100)
        row.revocationDate = Date(timeIntervalSince1970: 50)
        row.revocationReason = .upgradedToBundle
        let receipt = Receipt(ReceiptContents(transactions: [ReceiptTransaction(row)]))
        expectEqual(receipt.subscriptionStatus(of: "news", at: .date(Date(timeIntervalSince1970: 60))).state, .upgraded)
        #expect(!row.isRevoked)
        #expect(!row.isValid)
        row.revocationReason = .other
        #expect(row.isRevoked)
    }

    @Test func `a member that leaves the bundle renews singly`() async throws {
        try await buy("everything")
        try appStore.leaveBundle("news")
        var entitlement = try #require(await store.entitlements.refresh()["news"])
        expectEqual(entitlement.renewal?.willUnbundle, true)
        expectEqual(entitlement.renewal?.willRenew, true)
        expectEqual(entitlement.renewal?.changeDate, entitlement.accessEndDate)
        entitlement = try #require(await pass(.month(1))["news"])
        #expect(entitlement.isEntitled)
        expectEqual(entitlement.bundle, nil)
        expectEqual(transactions("news").map(\.price), [0, 4])
        expectEqual(transactions("news").last?.previousOriginalTransactionID, transactions("news").first?.transactionID)
        expectEqual(transactions("news").first?.previousOriginalTransactionID, transactions("news").last?.transactionID)
        expectEqual(await pass(.month(1))["sports"]?.bundle?.productID, "everything")
        expectEqual(transactions("news").count, 3)
    }

    @Test func `a member that leaves the bundle and doesn't renew expires as unbundled`() async throws {
        try await buy("everything")
        try appStore.leaveBundle("news", continues: false)
        expectEqual(await store.entitlements.refresh()["news"]?.renewal?.willRenew, false)
        _ = await pass(.month(1))
        let entitlements = await pass(.day(1))
        expectEqual(entitlements["news"]?.state, .expired)
        expectEqual(entitlements.productIDs, ["everything", "sports"])
        let status = appStore.allSubscriptionStatuses().first { $0.renewal.productID == "news" }
        expectEqual(status?.renewal.expirationReason, .unbundled)
        expectEqual(SimulatedRenewal.ExpirationReason.unbundled.rawValue, ReceiptExpirationReason.unbundled.rawValue)
    }

    @Test func `members end with a bundle that doesn't renew`() async throws {
        try await buy("everything")
        try appStore.disableAutoRenew(of: "everything")
        _ = await pass(.month(1))
        expectEqual(await pass(.day(1)).productIDs, [])
    }

    @Test(arguments: [true, false])
    func `members wait for the bundle's price with it, and come back with it`(hasGracePeriod: Bool) async throws {
        appStore.behavior.billingGracePeriodIsEnabled = hasGracePeriod
        try await buy("everything")
        appStore.behavior.shouldEnterBillingRetryOnRenewal = true
        _ = await pass(.month(1))
        var entitlements = await pass(.day(1))
        for productID in ["everything", "news", "sports"] {
            expectEqual(entitlements[productID]?.state, hasGracePeriod ? .inGracePeriod : .inBillingRetryPeriod)
        }
        try appStore.resolvePurchase(of: "everything")
        entitlements = await store.entitlements.refresh()
        expectEqual(entitlements.productIDs, ["everything", "news", "sports"])
        expectEqual(entitlements["news"]?.accessEndDate, transactions("everything").last?.expirationDate)
    }

    @Test func `a refund of the bundle revokes its members`() async throws {
        try await buy("everything")
        try appStore.refund("everything")
        let entitlements = await store.entitlements.refresh()
        expectEqual(entitlements.productIDs, [])
        expectEqual(entitlements["news"]?.state, .revoked)
        expectEqual(entitlements["sports"]?.revocationType, .fullRefund)
    }

    // Seats.

    @Test(arguments: ["news", "fonts"])
    func `a seat that an organization assigns gives access until it's taken away`(productID: String) async throws {
        let listener = StreamListener(store.transactions)
        try appStore.assignSeat(of: productID)
        let purchase = try #require(try await listener.next())
        expectEqual(purchase.transaction.signedInfo?.ownershipType, .assigned)
        var entitlement = try #require(await store.entitlements.refresh()[productID])
        #expect(entitlement.isEntitled)
        #expect(entitlement.isAssigned)
        #expect(!entitlement.isFamilyShared)
        let revocations = StreamListener(store.revocations)
        try appStore.unassignSeat(of: productID)
        let revocation = try #require(try await revocations.next())
        expectEqual(revocation.transactions.first?.signedInfo?.revocationType, .assignmentRevocation)
        entitlement = try #require(await store.entitlements.refresh()[productID])
        expectEqual(entitlement.state, .revoked)
        expectEqual(entitlement.revocationType, .assignmentRevocation)
        #expect(throws: SimulatorError.self) { try appStore.unassignSeat(of: productID) }
    }

    @Test func `an assigned subscription doesn't use up the customer's introductory offer`() async throws {
        _ = try await store.products(for: ["news"])
        try appStore.assignSeat(of: "news")
        expectEqual(await store.isEligibleForIntroductoryOffer(inGroup: "news"), true)
    }

    @Test func `seats are bought as one transaction, and a number below 1 is refused`() async throws {
        for seats in [0, -1] {
            await expectError(\StoreError.code, .invalidQuantity) {
                try await store.purchase("news", options: [.seats(seats)])
            }
        }
        await expectError(\StoreError.code, .invalidQuantity) {
            try await store.purchase("news", options: [.seats(2), .quantity(2)])
        }
        _ = try await store.purchase("sports", options: [.seats(5)]) { purchase in expectEqual(purchase.quantity, 5) }
        expectEqual(transactions("sports").map(\.price), [5])
        expectEqual(transactions("sports").map(\.quantity), [5])
        expectEqual(try PurchaseOptions(seats: 1).request(for: "news").options.seats, 1)
    }

    @Test func `a product without seats, and StoreKit 1, refuse seats before StoreKit is asked`() async throws {
        let products = try await store.products(for: ["news", "pens"])
        expectEqual(products["news"]?.supportsMultiSeatPurchase, true)
        expectEqual(products["pens"]?.supportsMultiSeatPurchase, false)
        var error = await #expect(throws: StoreError.self) { try await store.purchase("pens", options: [.seats(2)]) }
        expectEqual(error?.code, .seatsUnavailable)
        let storeKit1 = PurchaseStore(simulating: appStore, engine: .storeKit1)
        expectEqual(try await storeKit1.products(for: ["news"])["news"]?.supportsMultiSeatPurchase, false)
        error = await #expect(throws: StoreError.self) { try await storeKit1.purchase("maps", options: [.seats(2)]) }
        expectEqual(error?.code, .seatsUnavailable)
        #expect(appStore.allTransactions().isEmpty)
    }

    @Test func `seats that are added during a period end with it, and one transaction renews all seats`() async throws {
        _ = try await store.purchase("sports", options: [.seats(8)]) { _ in }
        appStore.advance(by: .days(10))
        for seats in [3, 8] {
            await expectError(\StoreError.code, .invalidQuantity) {
                try await store.purchase("sports", options: [.seats(seats)])
            }
        }
        let outcome = try await store.purchase("sports", options: [.seats(12)]) { _ in }
        guard case .success(let addition) = outcome else { throw StoreError(.unknown, "\(outcome)") }
        expectEqual(addition.quantity, 4)
        expectEqual(addition.transaction.signedInfo?.additionalTransactionReason, .seatAddition)
        expectEqual(addition.transaction.signedInfo?.invitationManagement, .apple)
        expectEqual(transactions("sports").map(\.quantity), [8, 4])
        expectEqual(Set(transactions("sports").map(\.expirationDate)).count, 1)
        expectEqual(Set(transactions("sports").map(\.originalTransactionID)).count, 1)
        #expect(transactions("sports").allSatisfy { $0.hasAddedSeats && !$0.isUpgraded })
        var entitlement = try #require(await store.entitlements.refresh()["sports"])
        #expect(entitlement.isEntitled)
        entitlement = try #require(await pass(.month(1))["sports"])
        #expect(entitlement.isEntitled)
        expectEqual(transactions("sports").map(\.quantity), [8, 4, 12])
        expectEqual(transactions("sports").map(\.hasAddedSeats), [true, true, false])
        expectEqual(transactions("sports").last?.price, 5)
    }

    @Test func `a subscription without seats is treated as one seat when seats are added`() async throws {
        try await buy("sports")
        _ = try await store.purchase("sports", options: [.seats(3)]) { purchase in expectEqual(purchase.quantity, 2) }
        try appStore.refund("sports")
        #expect(try #require(await store.entitlements.refresh()["sports"]).isEntitled)
    }

    // Offer codes.

    private static func appStoreWithOfferCode() -> SimulatedAppStore {
        SimulatedAppStore(products: [
            .autoRenewable(
                "news", price: 4, period: .month(1), group: "news", codeOffers: [.freeTrial(.month(1), id: "gift")])
        ])
    }

    @Test(arguments: [true, false])
    func `a redeemed offer code is delivered once, whether or not the sheet returns it`(returns: Bool) async throws {
        let appStore = Self.appStoreWithOfferCode()
        appStore.behavior.offerCodeSheetReturnsTransaction = returns
        let store = PurchaseStore(simulating: appStore)
        let listener = StreamListener(store.transactions)
        try appStore.setNextOfferCode("gift", for: "news")
        let transaction = try await store.present(.codeRedemption)
        expectEqual(transaction?.productID, returns ? "news" : nil)
        expectEqual(transaction?.signedInfo?.offer?.id, returns ? "gift" : nil)
        let purchase = try #require(try await listener.next())
        expectEqual(purchase.transaction.signedInfo?.offer?.kind, .offerCode)
        await purchase.finish()
        // A later purchase is the next one on the stream.
        try appStore.buyProduct(productID: "news")
        try appStore.forceRenewalOfSubscription(productID: "news")
        let next = try #require(try await listener.next())
        #expect(next.transaction.id != purchase.transaction.id)
        #expect(await store.entitlements.refresh().productIDs == ["news"])
    }

    @Test func `closing a sheet for offer codes that returns a transaction is a cancellation`() async throws {
        expectEqual(try await store.present(.codeRedemption), nil)
        appStore.behavior.offerCodeSheetReturnsTransaction = true
        await expectError(\StoreError.code, .userCancelled) { try await store.present(.codeRedemption) }
    }

    @Test func `a redeemed code whose signature isn't valid is an error, and unlocks nothing`() async throws {
        let appStore = Self.appStoreWithOfferCode()
        let store = PurchaseStore(simulating: appStore)
        appStore.behavior.offerCodeSheetReturnsTransaction = true
        appStore.behavior.transactionsAreUnverified = true
        try appStore.setNextOfferCode("gift", for: "news")
        await expectError(\StoreError.code, .unverified) { try await store.present(.codeRedemption) }
        #expect(appStore.allTransactions().allSatisfy { !$0.isFinished })
        #expect(!store.entitlements.latest.contains("news"))
    }
}
