import AppStoreSimulator
import Foundation
import TestHarness
import Testing

@Suite(.bounded) struct CatalogConfigurationTests {
    @Test func `a file of version 1 without offer codes, settings and family sharing is read`() throws {
        let catalog = try SimulatedCatalog(data: Data(Self.version1.utf8))
        expectEqual(catalog.products.map(\.productID), ["lamp", "genie", "season", "monthly"])
        expectEqual(
            catalog.products.map(\.kind),
            [.consumable, .nonConsumable, .nonRenewingSubscription, .autoRenewableSubscription])
        expectEqual(catalog.storefront, .unitedStates)
        expectEqual(catalog.localeIdentifier, "en_US")
        expectEqual(catalog["lamp"]?.price, Decimal(string: "0.99"))
        expectEqual(catalog["lamp"]?.isFamilyShareable, false)
        expectEqual(
            catalog["monthly"]?.subscription,
            SimulatedSubscription(groupID: "A1", groupLevel: 1, period: .init(1, .month), groupName: "Wishes"))
        expectEqual(catalog.behavior.timeRate, .oneSecondIsOneDay)
    }

    @Test func `a file of version 2 has storefront, locale, texts and family sharing`() throws {
        let catalog = try SimulatedCatalog(data: Data(Self.version2.utf8))
        expectEqual(catalog.storefront, SimulatedStorefront(countryCode: "DEU", id: "143443"))
        expectEqual(catalog.localeIdentifier, "de_DE")
        let product = try #require(catalog["pro"])
        #expect(product.isFamilyShareable)
        expectEqual(product.referenceName, "Pro, for ever")
        expectEqual(
            product.localizations,
            [
                .init(localeIdentifier: "de", displayName: "Profi", description: "Alles, für immer"),
                .init(localeIdentifier: "en_US", displayName: "Pro", description: ""),
            ])
    }

    @Test func `offer codes have their reference name, and win-back offers their identifier`() throws {
        let yearly = try #require(try SimulatedCatalog(data: Data(Self.version3.utf8))["yearly"]?.subscription)
        expectEqual(
            yearly.codeOffers, [.init(id: "Friends", paymentMode: .payUpFront, price: 1, period: .init(1, .month))])
        let monthly = try #require(try SimulatedCatalog(data: Data(Self.version4.utf8))["monthly"]?.subscription)
        let price = try #require(Decimal(string: "0.99"))
        expectEqual(
            monthly.winBackOffers, [.init(id: "back", paymentMode: .payUpFront, price: price, period: .init(1, .month))]
        )
    }

    @Test func `a file of version 3 has every kind of offer of StoreKit 1`() throws {
        let catalog = try SimulatedCatalog(data: Data(Self.version3.utf8))
        let yearly = try #require(catalog["yearly"]?.subscription)
        expectEqual(yearly.groupID, "B2")
        expectEqual(yearly.groupLevel, 1)
        expectEqual(yearly.period, .init(1, .year))
        expectEqual(yearly.introductoryOffer, .init(paymentMode: .freeTrial, price: 0, period: .init(2, .week)))
        expectEqual(
            yearly.promotionalOffers,
            [
                .init(id: "half", paymentMode: .payAsYouGo, price: 20, period: .init(1, .year), numberOfPeriods: 2),
                .init(
                    id: "once", paymentMode: .payUpFront, price: Decimal(string: "30.50") ?? 0, period: .init(6, .month)
                ),
            ])
        let weekly = try #require(catalog["weekly"]?.subscription)
        expectEqual(weekly.groupLevel, 2)
        expectEqual(weekly.introductoryOffer?.paymentMode, .payUpFront)
        #expect(weekly.promotionalOffers.isEmpty)
    }

    @Test func `a file of version 4 has the switches and the enabled errors`() throws {
        let catalog = try SimulatedCatalog(data: Data(Self.version4.utf8))
        var expected = SimulatorBehavior()
        expected.askToBuyEnabled = true
        expected.interruptedPurchasesEnabled = true
        expected.failTransactionsEnabled = true
        expected.billingGracePeriodIsEnabled = true
        expected.shouldEnterBillingRetryOnRenewal = true
        expected.productRequestError = .notConnectedToInternet
        expected.timeRate = .monthlyRenewalEveryFiveMinutes
        expectEqual(catalog.behavior, expected)
        expectEqual(catalog["monthly"]?.subscription?.promotionalOffers.isEmpty, true)
    }

    @Test(arguments: [5, 6]) func `each billing plan has its prices and its offers`(major: Int) throws {
        let file = Self.version5.replacingOccurrences(of: "\"major\" : 5", with: "\"major\" : \(major)")
        let catalog = try SimulatedCatalog(data: Data(file.utf8))
        let product = try #require(catalog["yearly"])
        let subscription = try #require(product.subscription)
        expectEqual(product.price, 55, "the price is that of the up-front plan, not the one beside the plans")
        expectEqual(subscription.introductoryOffer, .init(paymentMode: .freeTrial, price: 0, period: .init(1, .month)))
        expectEqual(subscription.promotionalOffers.map(\.id), ["summer"])
        expectEqual(subscription.winBackOffers.map(\.id), ["back"])
        expectEqual(subscription.codeOffers.map(\.id), ["gift"])
        let monthly = try #require(subscription.monthlyPlan)
        expectEqual(monthly.price, 5)
        expectEqual(monthly.commitmentPrice, 60)
        expectEqual(monthly.introductoryOffer, .init(paymentMode: .freeTrial, price: 0, period: .init(2, .month)))
        expectEqual(monthly.promotionalOffers.map(\.id), ["winter"])
        expectEqual(monthly.winBackOffers, [])
        expectEqual(monthly.codeOffers.map(\.id), ["gift.monthly"])
    }

    @Test func `a disabled billing plan is ignored`() throws {
        let file = Self.version5.replacingOccurrences(
            of: "\"displayPrice\" : \"5\", \"isEnabled\" : true",
            with: "\"displayPrice\" : \"5\", \"isEnabled\" : false")
        #expect(file != Self.version5)
        let subscription = try #require(try SimulatedCatalog(data: Data(file.utf8))["yearly"]?.subscription)
        expectEqual(subscription.monthlyPlan, nil)
        expectEqual(subscription.promotionalOffers.map(\.id), ["summer"])
    }

    @Test func `an introductory offer in both spellings is one offer`() throws {
        let file = Self.version5.replacingOccurrences(
            of: "\"introductoryOffers\" : [",
            with: """
                "introductoryOffer" : { "internalID" : "12", "numberOfPeriods" : 1, "paymentMode" : "free",
                  "subscriptionPeriod" : "P1M" }, "introductoryOffers" : [
                """)
        let product = try #require(try SimulatedCatalog(data: Data(file.utf8))["yearly"])
        expectEqual(product.subscription?.introductoryOffer?.period, .init(1, .month))
        expectEqual(product.subscription?.monthlyPlan?.introductoryOffer?.period, .init(2, .month))
        let older = file.replacingOccurrences(of: "\"introductoryOffers\"", with: "\"other\"")
        let subscription = try #require(try SimulatedCatalog(data: Data(older.utf8))["yearly"]?.subscription)
        expectEqual(subscription.introductoryOffer?.period, .init(1, .month))
        expectEqual(subscription.monthlyPlan?.introductoryOffer, nil)
    }

    @Test func `hosted content is read from this package's key`() throws {
        let catalog = try SimulatedCatalog(
            data: ConfigurationFile(
                products: #"[{"productID": "map", "displayPrice": "1", "type": "NonConsumable", "_hostedContent": ["#
                    + #"{"contentLength": 1048576}, {"contentIdentifier": "more", "contentVersion": "2.1", "contentLength": 0}]}]"#
            ).data)
        expectEqual(
            catalog["map"]?.hostedContent,
            [
                SimulatedHostedContent(contentID: "map", contentVersion: "1.0", contentLength: 1_048_576),
                SimulatedHostedContent(contentID: "more", contentVersion: "2.1", contentLength: 0),
            ])
    }

    @Test func `a price may be a number, and keeps its decimals`() throws {
        let file = ConfigurationFile(
            products: #"[{"productID": "a", "displayPrice": 1234.1, "type": "Consumable"}, "#
                + #"{"productID": "b", "displayPrice": "0", "type": "Consumable"}, "#
                + #"{"productID": "c", "displayPrice": "99999999.99", "type": "Consumable"}]"#)
        let catalog = try SimulatedCatalog(data: file.data)
        expectEqual(catalog.products.map { "\($0.price)" }, ["1234.1", "0", "99999999.99"])
    }

    @Test(arguments: [
        ("USA", "en_US", "en_US"), ("DEU", "de_DE", "de_DE"), ("JPN", "en_US", "en_US@currency=JPY"),
        ("CHE", "fr", "fr@currency=CHF"),
        ("FRA", "de_DE", "de_DE"),
    ])
    func `prices are in the storefront's currency`(country: String, locale: String, expected: String) throws {
        let file = ConfigurationFile(settings: #"{"_storefront": "\#(country)", "_locale": "\#(locale)"}"#)
        expectEqual(try SimulatedCatalog(data: file.data).localeIdentifier, expected)
    }

    @Test func `a storefront that is not in the table keeps its country code`() throws {
        let catalog = try SimulatedCatalog(
            data: ConfigurationFile(settings: #"{"_storefront": "ATA", "_locale": "en_US"}"#).data)
        expectEqual(catalog.storefront, SimulatedStorefront(countryCode: "ATA", id: ""))
        expectEqual(catalog.localeIdentifier, "en_US")
    }

    @Test func `unknown keys, and null, are ignored`() throws {
        let file = ConfigurationFile(
            products:
                #"[{"productID": "a", "displayPrice": "1", "type": "Consumable", "color": {"r": [1]}, "localizations": null}]"#,
            settings: #"{"_somethingNew": [], "_storefront": null}"#,
            further: #", "appPolicies": {"eula": ""}, "future": 7"#)
        let catalog = try SimulatedCatalog(data: file.data)
        expectEqual(catalog.products.map(\.productID), ["a"])
        expectEqual(catalog.storefront, .unitedStates)
    }

    @Test func `a file is read from disk`() throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).storekit")
        try Data(Self.version2.utf8).write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        expectEqual(try SimulatedCatalog(contentsOf: url), try SimulatedCatalog(data: Data(Self.version2.utf8)))
    }

    @Test func `a time rate that the simulator does not have is real time`() throws {
        let catalog = try SimulatedCatalog(data: ConfigurationFile(settings: #"{"_timeRate": 14}"#).data)
        expectEqual(catalog.behavior.timeRate, .realTime)
    }

    private static let behaviorsByError: [String: SimulatorBehavior] = [
        "Load Products": .with { $0.productRequestError = .notConnectedToInternet },
        "Purchase": .with { $0.failTransactionsEnabled = true },
        "App Store Sync": .with { $0.restoreEnding = .fails(.unknown, afterRows: 0) },
        "Refund Request Sheet": SimulatorBehavior(),
    ]

    @Test(arguments: behaviorsByError.keys.sorted())
    func `enabled errors of a file become switches, if the simulator has them`(name: String) throws {
        let expected = try #require(Self.behaviorsByError[name])
        func file(_ isEnabled: Bool) -> Data {
            ConfigurationFile(settings: #"{"_storeKitErrors": [{"name": "\#(name)", "enabled": \#(isEnabled)}]}"#).data
        }
        expectEqual(try SimulatedCatalog(data: file(true)).behavior, expected)
        expectEqual(try SimulatedCatalog(data: file(false)).behavior, SimulatorBehavior())
    }

    @Test func `a store has its catalog's behavior, even after a reset`() throws {
        let catalog = try SimulatedCatalog(data: Data(Self.version4.utf8))
        let store = SimulatedAppStore(catalog: catalog)
        expectEqual(store.behavior, catalog.behavior)
        store.behavior = SimulatorBehavior()
        store.resetToDefaultState()
        expectEqual(store.behavior, catalog.behavior)
    }
}

extension SimulatorBehavior {
    fileprivate static func with(_ change: (inout SimulatorBehavior) -> Void) -> SimulatorBehavior {
        var behavior = SimulatorBehavior()
        change(&behavior)
        return behavior
    }
}
