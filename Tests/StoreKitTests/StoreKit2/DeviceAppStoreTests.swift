import AppReceipt
import AppStoreSimulator
import Foundation
import StoreKit
import TestHarness
import Testing

/// Tests StoreKit 2 apart from purchases and transactions.
@Suite(.bounded) struct DeviceAppStoreTests {
    private let world = StoreKit2World()

    @Test func `products are found by identifier, with their texts and prices`() async throws {
        let products = try await Product.products(for: ["pro", "basic", "none"], launch: world.launch)
        expectEqual(Set(products.map(\.id)), ["pro", "basic"])
        let pro = try #require(products.first { $0.id == "pro" })
        expectEqual(pro.type, .nonConsumable)
        expectEqual(pro.displayName, "Pro")
        expectEqual(pro.description, "Everything")
        #expect(pro.displayPrice == "$9.99" && pro.isFamilyShareable && pro.subscription == nil)
        #expect(
            pro.priceFormatStyle.currencyCode == "USD" && pro.debugDescription.contains("\"displayPrice\":\"$9.99\""))
        let basic = try #require(products.first { $0.id == "basic" }?.subscription)
        expectEqual(basic.groupLevel, 2)
        expectEqual(basic.subscriptionGroupID, "club")
        expectEqual(basic.subscriptionPeriod, .monthly)
        expectEqual(try await world.product("pro"), pro)
        world.appStore.localeIdentifier = "de_DE"
        let german = try await world.product("pro")
        #expect(german != pro && german.displayPrice.hasPrefix("9,99"))
        expectEqual(await pro.latestTransaction, nil)
        try await world.own("pro")
        #expect(await pro.latestTransaction != nil)
        expectEqual(await world.ids(pro.currentEntitlements), ["pro"])
    }

    @Test func `a product has a price text even without a known currency`() async throws {
        world.appStore.localeIdentifier = "en"
        world.appStore.storefront = SimulatedStorefront(countryCode: "XXX", id: "")
        #expect(try await world.product("pro").displayPrice.contains("9.99"))
        let transaction = try await world.own("pro")
        expectEqual(transaction.currency, nil)
        expectEqual(transaction.storefront.currency, nil)
        expectEqual(transaction.price, Decimal(string: "9.99"))
    }

    @Test func `a product that is no longer sold stays owned`() async throws {
        try await world.own("pro")
        try await world.own("magazine")
        world.appStore.catalog.products = []
        expectEqual(await world.entitlements, ["magazine", "pro"])
        #expect(Transaction.latest(for: "pro", launch: world.launch) != nil)
        expectEqual(try Product.SubscriptionInfo.status(for: "press", launch: world.launch).count, 1)
        expectEqual(try await Product.products(for: ["pro"], launch: world.launch), [])
    }

    @Test func `a request for products fails as the App Store does`() async throws {
        world.appStore.behavior.isOffline = true
        await #expect(throws: StoreKitError.self) { try await world.product("pro") }
        try world.appStore.buyProduct(productID: "pro")
        // Owned products are known offline.
        expectEqual(await world.entitlements, ["pro"])
    }

    @Test func `unnamed values are kept`() {
        expectEqual(Product.ProductType(rawValue: "Rental").rawValue, "Rental")
        #expect(Transaction.OfferType(rawValue: 9) != .winBack && Transaction.OfferType(rawValue: 4) == .winBack)
        expectEqual(Product.SubscriptionInfo.RenewalState(rawValue: 5), .revoked)
        expectEqual(Transaction.Offer.PaymentMode(rawValue: "ONE_TIME"), .oneTime)
        expectEqual(AppStore.Environment(rawValue: "Xcode"), .xcode)
        expectEqual(Message.Reason(rawValue: 7).rawValue, 7)
    }

    @Test func `periods are counted by the calendar`() throws {
        let period = Product.SubscriptionPeriod.everySixMonths
        expectEqual(period.value, 6)
        expectEqual(period.unit, .month)
        expectEqual("\(period.unit)", "month")
        expectEqual(period.debugDescription, "6 month")
        expectEqual(
            [Product.SubscriptionPeriod.Unit.year, .day, .month, .week].sorted(), [.day, .week, .month, .year])
        let start = try #require(ISO8601DateFormatter().date(from: "2026-01-31T00:00:00Z"))
        let ends = [
            Product.SubscriptionPeriod.monthly, .weekly, .yearly, .everyThreeDays, .everyTwoWeeks, .everyTwoMonths,
            .everyThreeMonths,
        ].map { ISO8601DateFormatter().string(from: $0.dateRange(referenceDate: start).upperBound).prefix(10) }
        expectEqual(
            ends, ["2026-02-28", "2026-02-07", "2027-01-31", "2026-02-03", "2026-02-14", "2026-03-31", "2026-04-30"])
    }

    @Test(arguments: [false, true]) func `a new storefront is reported once or twice`(twice: Bool) async throws {
        world.appStore.behavior.sendsStorefrontTwice = twice
        var updates = Storefront.updates(of: world.launch).makeAsyncIterator()
        let current = try #require(Storefront.current(of: world.launch))
        expectEqual(current.countryCode, "USA")
        expectEqual(current.id, "143441")
        expectEqual(current.currency?.identifier, "USD")
        for code in ["DEU", "JPN"] { world.appStore.storefront = try #require(SimulatedStorefront(countryCode: code)) }
        var told: [String] = []
        for _ in 0..<(twice ? 4 : 2) { told.append(try #require(await updates.next()).countryCode) }
        expectEqual(told, (twice ? ["DEU", "DEU", "JPN", "JPN"] : ["DEU", "JPN"]))
        expectEqual(Storefront.current(of: world.launch)?.countryCode, "JPN")
    }

    @Test func `a purchase that was started in the App Store is an intent, also of a later launch`() async throws {
        try world.appStore.promotePurchase(of: "pro")
        try await world.own("basic")
        try world.appStore.expireSubscription(productID: "basic")
        try world.appStore.promotePurchase(of: "basic", winBackOfferID: "back")
        let next = world.relaunched()
        var intents = PurchaseIntent.intents(of: next.launch).makeAsyncIterator()
        let first = try #require(await intents.next())
        expectEqual(first.id, "pro")
        expectEqual(first.offer, nil)
        let second = try #require(await intents.next())
        #expect(second.product.id == "basic" && second.offer?.id == "back" && second != first)
        expectEqual(try await first.product.purchase(with: []).summary, "success pro")
        let reason = "\"pro\" has no win-back offer \"back\". Declare the product's offers with winBackOffers:."
        #expect(throws: SimulatorError(.unknownOffer, reason)) {
            try world.appStore.promotePurchase(of: "pro", winBackOfferID: "back")
        }
    }

    @Test func `messages wait for a listener`() async throws {
        world.appStore.showMessage(.generic)
        world.appStore.showMessage(.generic)
        try await world.own("magazine")
        try world.appStore.raisePrice(of: "magazine", to: 9)
        var messages = Message.messages(of: world.launch).makeAsyncIterator()
        expectEqual(await messages.next()?.reason, .generic)
        expectEqual(await messages.next()?.reason, .priceIncreaseConsent)
        try world.appStore.consentToPriceIncrease(of: "magazine")
        world.appStore.behavior.shouldEnterBillingRetryOnRenewal = true
        world.appStore.advance(by: 31 * 86_400)
        expectEqual(await messages.next()?.reason, .billingIssue)
    }

    @Test func `a synchronization ends with each configured result`() async throws {
        try await AppStore.sync(of: world.launch)
        world.appStore.behavior.restoreEnding = .fails(.paymentCancelled, afterRows: 0)
        let cancelled = await #expect(throws: StoreKitError.self) { try await AppStore.sync(of: world.launch) }
        #expect("\(String(describing: cancelled))".contains("userCancelled"))
        world.appStore.behavior.restoreEnding = .fails(.unknown, afterRows: 0)
        await #expect(throws: StoreKitError.self) { try await AppStore.sync(of: world.launch) }
        world.appStore.behavior.isOffline = true
        let offline = await #expect(throws: StoreKitError.self) { try await AppStore.sync(of: world.launch) }
        #expect("\(String(describing: offline))".contains("networkError"))
    }

    @Test(arguments: [false, true]) func `a synchronization can report finished renewals`(repeats: Bool) async throws {
        world.appStore.behavior.syncRepeatsFinishedRenewals = repeats
        var updates = world.updates()
        try await world.own("magazine")
        world.appStore.advance(by: 31 * 86_400)
        let renewal = try #require(await updates.next()?.unsafePayloadValue)
        await renewal.finish()
        try await AppStore.sync(of: world.launch)
        try world.appStore.buyProduct(productID: "coins")
        let update = try #require(await updates.next()?.unsafePayloadValue)
        expectEqual(update.productID, (repeats ? "magazine" : "coins"))
        if repeats { expectEqual(update.id, renewal.id) }
    }

    @Test func `the purchase of the app is signed`() async throws {
        let result = try AppTransaction.shared(of: world.launch)
        let transaction = try result.payloadValue
        let signed = try world.verifier.appTransaction(jws: result.jwsRepresentation)
        expectEqual(signed.bundleID, transaction.bundleID)
        expectEqual(signed.signedDate, transaction.signedDate)
        expectEqual(signed.applicationVersion, transaction.appVersion)
        expectEqual(signed.originalApplicationVersion, transaction.originalAppVersion)
        expectEqual(signed.originalPurchaseDate, transaction.originalPurchaseDate)
        expectEqual(signed.preorderDate, transaction.preorderDate)
        expectEqual(signed.originalPlatform?.rawValue, transaction.originalPlatform.rawValue)
        #expect(signed.appTransactionID == transaction.appTransactionID && signed.unknownFields.isEmpty)
        #expect(signed.environment?.rawValue == transaction.environment.rawValue && signed.deviceVerification != nil)
        expectEqual(transaction.appID, nil)
        expectEqual(transaction.appVersionID, nil)
        expectEqual(try await AppTransaction.refresh(of: world.launch), result)
        world.appStore.behavior.transactionsAreUnverified = true
        #expect(throws: (any Error).self) { try AppTransaction.shared(of: world.launch).payloadValue }
        world.appStore.behavior.isOffline = true
        await #expect(throws: StoreKitError.self) { try await AppTransaction.refresh(of: world.launch) }
        world.appStore.behavior.receiptRefreshError = .paymentCancelled
        await #expect(throws: StoreKitError.self) { try await AppTransaction.refresh(of: world.launch) }
    }

    @Test func `static functions use the launch of the task`() async throws {
        try await StoreKitSimulation.withLaunch(world.launch) {
            #expect(AppStore.canMakePayments)
            expectEqual(AppStore.deviceVerificationID, world.launch.deviceVerificationID)
            let product = try #require(try await Product.products(for: ["pro"]).first)
            _ = try await product.purchase()
            #expect(await Transaction.latest(for: "pro") != nil)
            expectEqual(await world.ids(Transaction.all), ["pro"])
            expectEqual(await world.ids(Transaction.unfinished), ["pro"])
            expectEqual(await world.ids(Transaction.currentEntitlements), ["pro"])
            expectEqual(await Storefront.current?.countryCode, "USA")
            expectEqual(try await AppTransaction.shared.payloadValue.bundleID, "com.example.app")
            try await AppStore.sync()
            expectEqual(try await Product.SubscriptionInfo.status(for: "club"), [])
            // A task that is created here inherits the launch.
            expectEqual(await Task { await world.ids(Transaction.all) }.value, ["pro"])
        }
    }
}
