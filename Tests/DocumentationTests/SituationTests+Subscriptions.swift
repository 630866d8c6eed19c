import AppReceipt
import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation
import TestHarness
import Testing

extension SituationTests {
    static let subscriptions: [Situation] = [
        Situation("Time passes") { appStore, store in
            try await store.buy("club.gold")
            try await store.advance(by: .months(2))
            #expect(store.owned == ["club.gold"] && appStore.allTransactions().count == 3)
        },
        Situation("The customer cancels, and subscribes again") { appStore, store in
            try await store.buy("club.gold")
            try appStore.disableAutoRenew(of: "club.gold")
            try await store.settled()
            #expect(store.entitlements.latest["club.gold"]?.renewal?.willRenew == false)
            try appStore.enableAutoRenew(of: "club.gold")
            try await store.settled()
            #expect(store.entitlements.latest["club.gold"]?.renewal?.willRenew == true)
        },
        Situation("A canceled subscription ends with its period") { appStore, store in
            try await store.buy("club.gold")
            try appStore.disableAutoRenew(of: "club.gold")
            try await store.advance(by: .month(1))
            #expect(store.owned.isEmpty)
        },
        Situation("A subscription ends today") { appStore, store in
            try await store.buy("club.gold")
            try appStore.expireSubscription(productID: "club.gold")
            try await store.settled()
            #expect(store.owned.isEmpty)
        },
        Situation("An upgrade, a downgrade, a crossgrade") { _, store in
            try await store.buy("club.monthly")
            try await store.buy("club.gold")
            #expect(store.owned == ["club.gold"])
            try await store.buy("club.monthly")
            #expect(store.entitlements.latest["club.gold"]?.renewal?.productID == "club.monthly")
        },
        Situation("A card that fails, and works again") { appStore, store in
            try await store.buy("club.gold")
            appStore.behavior.shouldEnterBillingRetryOnRenewal = true
            try await store.advance(by: .month(1))
            #expect(store.entitlements.latest["club.gold"]?.state == .inBillingRetryPeriod)
            try appStore.resolveBillingIssue(of: "club.gold")
            try await store.settled()
            #expect(store.owned == ["club.gold"])
        },
        Situation("A grace period of 16 days, or of 3 or 28") { appStore, store in
            try await store.buy("club.gold")
            appStore.behavior.shouldEnterBillingRetryOnRenewal = true
            appStore.behavior.billingGracePeriodIsEnabled = true
            appStore.behavior.billingGracePeriodDuration = .threeDays
            try await store.advance(by: .month(1))
            #expect(store.entitlements.latest["club.gold"]?.state == .inGracePeriod)
            try await store.advance(by: .days(3))
            #expect(store.owned.isEmpty)
        },
        Situation("A higher price, accepted or declined") { appStore, store in
            try await store.buy("club.gold")
            try appStore.raisePrice(of: "club.gold", to: 11)
            try appStore.consentToPriceIncrease(of: "club.gold")
            try appStore.raisePrice(of: "club.gold", to: 12)
            try appStore.declinePriceIncrease(of: "club.gold")
            try await store.settled()
            #expect(store.entitlements.latest["club.gold"]?.renewal?.willRenew == false)
        },
        Situation("A commitment") { appStore, store in
            appStore.storefront = try #require(SimulatedStorefront(countryCode: "DEU"))
            try await store.buy("archive", [.billingPlan(.monthly)])
            #expect(appStore.allTransactions().last?.commitment?.billingPeriodNumber == 1)
        },
        Situation("A subscription leaves its bundle") { appStore, store in
            try await store.buy("everything")
            try appStore.leaveBundle("news")
            try await store.settled()
            #expect(store.entitlements.latest["news"]?.renewal?.willUnbundle == true)
        },
    ]

    static let offers: [Situation] = [
        Situation("A promotional offer") { appStore, store in
            try await store.buy("club.monthly")
            try await store.buy("club.monthly", [.offer(.simulatedPromotional("loyal"))])
            try await store.advance(by: .week(1))
            #expect(appStore.allTransactions().map(\.price) == [0, 8])
        },
        Situation("A win-back offer in your app") { appStore, store in
            try await store.buy("club.monthly")
            try appStore.expireSubscription(productID: "club.monthly")
            try await store.buy("club.monthly", [.offer(.winBack(id: "back"))])
            #expect(appStore.allTransactions().map(\.price) == [0, 1])
        },
        Situation("A win-back offer in the App Store") { appStore, store in
            try await store.buy("club.monthly")
            try appStore.expireSubscription(productID: "club.monthly")
            let intents = StreamListener(store.purchaseIntents)
            try appStore.promotePurchase(of: "club.monthly", winBackOfferID: "back")
            #expect(try await intents.next()?.product.id == "club.monthly")
        },
        Situation("An introductory offer for which your server decides") { appStore, store in
            try await store.buy("club.monthly", [.simulatedIntroductoryOfferEligibility(false)])
            #expect(appStore.allTransactions().map(\.price) == [5])
        },
        Situation("An offer code for a subscription") { appStore, store in
            try appStore.redeemOfferCode("gift", for: "club.monthly")
            try await store.settled()
            #expect(store.entitlements.latest["club.monthly"]?.offer?.kind == .offerCode)
        },
        Situation("An offer code for a product that is bought once") { appStore, store in
            let purchases = StreamListener(store.transactions)
            try appStore.redeemOfferCode("welcome", for: "coins")
            let purchase = try #require(try await purchases.next())
            #expect(purchase.offer == TransactionOffer(kind: .offerCode, id: "welcome", paymentMode: .oneTime))
            #expect(purchase.price == 0)
        },
        Situation("An offer code in your app's sheet") { appStore, store in
            let purchases = StreamListener(store.transactions)
            try appStore.setNextOfferCode("gift", for: "club.monthly")
            _ = try await store.redeemOfferCode()
            #expect(try await purchases.next()?.productID == "club.monthly")
        },
    ]

    static let circumstances: [Situation] = [
        Situation("Another country") { appStore, store in
            appStore.storefront = try #require(SimulatedStorefront(countryCode: "DEU"))
            #expect(try await store.products(for: ["pro"]).first?.displayPrice.contains("€") == true)
        },
        Situation("The device's clock is wrong") { appStore, store in
            try await store.buy("club.gold")
            try appStore.disableAutoRenew(of: "club.gold")
            try await store.advance(by: .months(2))
            appStore.deviceClockOffset = -50 * 86_400
            #expect(await store.entitlements.refresh().productIDs.isEmpty)
        },
        Situation("No network") { appStore, store in
            try await store.buy("pro")
            appStore.behavior.isOffline = true
            let error = await #expect(throws: StoreError.self) { try await store.purchase("coins") }
            #expect(error?.code == .networkError && store.owned == ["pro"])
        },
        Situation("A restore that the customer cancels") { appStore, store in
            appStore.behavior.restoreEnding = .fails(.paymentCancelled, afterRows: 0)
            let outcome = try await store.restore()
            #expect(outcome == .userCancelled)
        },
        Situation("A file with your app's products") { _, _ in
            let catalog = try SimulatedCatalog(contentsOf: configuration)
            #expect(!catalog.products.isEmpty && catalog.warnings.isEmpty)
        },
    ]
}

private let configuration = DocumentedCode().root.appendingPathComponent("Sources/store/Resources/Demo.storekit")
