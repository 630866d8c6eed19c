import AppStoreSimulator
import Foundation
import TestHarness
import Testing

@Suite(.bounded) struct SimulatedCatalogErrorTests {
    private func error(_ file: ConfigurationFile) -> SimulatedCatalogError? {
        error(file.data)
    }

    /// The error of a file, or the warning about a product that the catalog lacks.
    private func error(_ data: Data) -> SimulatedCatalogError? {
        do {
            return try SimulatedCatalog(data: data).warnings.first
        } catch {
            return error
        }
    }

    private func subscription(_ members: String) -> String {
        #"{"productID": "s\#(members.count)", "displayPrice": "1", "recurringSubscriptionPeriod": "P1M", \#(members)}"#
    }

    @Test func `a product that can't be read becomes a warning, and costs only the product`() throws {
        let good = #"{"productID": "a", "displayPrice": "1", "type": "Consumable"}"#
        let bad = #"{"productID": "b", "displayPrice": "1", "type": "Gift"}"#
        let catalog = try SimulatedCatalog(data: ConfigurationFile(products: "[\(bad), \(good)]").data)
        expectEqual(catalog.products.map(\.productID), ["a"])
        expectEqual(catalog.warnings.map(\.description), [#"products[0].type: "Gift" is not a type of product"#])
        let store = SimulatedAppStore(catalog: catalog)
        #expect(throws: Never.self) { try store.buyProduct(productID: "a") }
    }

    @Test func `an invalid period is reported with its key path`() {
        let good = #"{"productID": "a", "displayPrice": "1", "recurringSubscriptionPeriod": "P1M"}"#
        let bad = #"{"productID": "b", "displayPrice": "1", "recurringSubscriptionPeriod": "P1Q"}"#
        let found = error(ConfigurationFile(groups: #"[{"id": "G", "subscriptions": [\#(good), \#(bad)]}]"#))
        expectEqual(found?.code, .invalidValue)
        expectEqual(
            found?.description,
            #"subscriptionGroups[0].subscriptions[1].recurringSubscriptionPeriod: "P1Q" is not an ISO 8601 period"#)
    }

    @Test(arguments: [
        "", "P", "PM", "1M", "P1", "P-1M", "P1M1D", "PT1M", "p1m", "P1.5M", "P٣D", "P0M", "P10000D",
        "P99999999999999999999Y",
    ])
    func `a period of several units is rejected`(period: String) {
        let subscription = #"{"productID": "a", "displayPrice": "1", "recurringSubscriptionPeriod": "\#(period)"}"#
        let found = error(ConfigurationFile(groups: #"[{"id": "G", "subscriptions": [\#(subscription)]}]"#))
        expectEqual(found?.code, .invalidValue)
        expectEqual(found?.keyPath, "subscriptionGroups[0].subscriptions[0].recurringSubscriptionPeriod")
    }

    @Test(arguments: [
        (#""free""#, SimulatedCatalogError.Code.invalidValue, #""free" is not a price"#),
        (#""""#, .invalidValue, #""" is not a price"#),
        (#""1,99""#, .invalidValue, #""1,99" is not a price"#),
        (#""1.99 EUR""#, .invalidValue, #""1.99 EUR" is not a price"#),
        (#""1.""#, .invalidValue, #""1." is not a price"#),
        (#""1e3""#, .invalidValue, #""1e3" is not a price"#),
        (#""-0.99""#, .invalidValue, #""-0.99" is a negative price"#),
        ("-1", .invalidValue, "-1 is a negative price"),
        ("true", .wrongType, "true is not a price"),
        ("[]", .wrongType, "an array is not a price"),
    ])
    func `an invalid price is rejected`(price: String, code: SimulatedCatalogError.Code, reason: String) {
        let found = error(
            ConfigurationFile(products: #"[{"productID": "a", "displayPrice": \#(price), "type": "Consumable"}]"#))
        expectEqual(found?.code, code)
        expectEqual(found?.keyPath, "products[0].displayPrice")
        expectEqual(found?.reason, reason)
    }

    @Test func `two products with one identifier are rejected anywhere in the file`() {
        let found = error(
            ConfigurationFile(
                products: #"[{"productID": "a", "displayPrice": "1", "type": "Consumable"}]"#,
                groups: #"[{"id": "G", "subscriptions": ["#
                    + #"{"productID": "a", "displayPrice": "1", "recurringSubscriptionPeriod": "P1M"}]}]"#))
        expectEqual(found?.code, .duplicateProduct)
        expectEqual(found?.keyPath, "subscriptionGroups[0].subscriptions[0].productID")
        expectEqual(found?.reason, #""a" was declared before, at products[0].productID"#)
    }

    @Test(arguments: [
        (
            #"[{"displayPrice": "1", "type": "Consumable"}]"#, "products[0].productID",
            SimulatedCatalogError.Code.missingKey
        ),
        (#"[{"productID": "a", "type": "Consumable"}]"#, "products[0].displayPrice", .missingKey),
        (#"[{"productID": "a", "displayPrice": "1"}]"#, "products[0].type", .missingKey),
        (#"[{"productID": "", "displayPrice": "1", "type": "Consumable"}]"#, "products[0].productID", .invalidValue),
        (#"[{"productID": 7, "displayPrice": "1", "type": "Consumable"}]"#, "products[0].productID", .wrongType),
        (#"[{"productID": "a", "displayPrice": "1", "type": "Gift"}]"#, "products[0].type", .invalidValue),
        (
            #"[{"productID": "a", "displayPrice": "1", "type": "RecurringSubscription"}]"#, "products[0].type",
            .invalidValue
        ),
        (#"["a"]"#, "products[0]", .wrongType),
        (#"{}"#, "products", .wrongType),
        (
            #"[{"productID": "a", "displayPrice": "1", "type": "Consumable", "familyShareable": "yes"}]"#,
            "products[0].familyShareable",
            .wrongType
        ),
        (
            #"[{"productID": "a", "displayPrice": "1", "type": "Consumable", "localizations": [{"displayName": "A"}]}]"#,
            "products[0].localizations[0].locale", .missingKey
        ),
        (
            #"[{"productID": "a", "displayPrice": "1", "type": "Consumable", "_hostedContent": [{"contentLength": -1}]}]"#,
            "products[0]._hostedContent[0].contentLength", .invalidValue
        ),
        (
            #"[{"productID": "a", "displayPrice": "1", "type": "Consumable", "_hostedContent": [{"contentLength": 1.5}]}]"#,
            "products[0]._hostedContent[0].contentLength", .invalidValue
        ),
        (
            #"[{"productID": "a", "displayPrice": "1", "type": "Consumable", "_hostedContent": [{"contentLength": 1e30}]}]"#,
            "products[0]._hostedContent[0].contentLength", .invalidValue
        ),
    ])
    func `an invalid product is rejected with the key path`(
        products: String, keyPath: String, code: SimulatedCatalogError.Code
    ) {
        let found = error(ConfigurationFile(products: products))
        expectEqual(found?.keyPath, keyPath)
        expectEqual(found?.code, code)
    }

    @Test(arguments: [
        (#""groupNumber": 0"#, "groupNumber"), (#""type": "Consumable""#, "type"),
        (#""adHocOffers": 1"#, "adHocOffers"),
    ])
    func `an invalid subscription is rejected with the key path`(members: String, keyPath: String) {
        let found = error(ConfigurationFile(groups: #"[{"id": "G", "subscriptions": [\#(subscription(members))]}]"#))
        expectEqual(found?.keyPath, "subscriptionGroups[0].subscriptions[0].\(keyPath)")
    }

    @Test(arguments: [
        (
            #""introductoryOffer": {"paymentMode": "gratis", "subscriptionPeriod": "P1M"}"#,
            "introductoryOffer.paymentMode: \"gratis\" is not payAsYouGo, payUpFront or free"
        ),
        (
            #""introductoryOffer": {"paymentMode": "payUpFront", "subscriptionPeriod": "P1M"}"#,
            "introductoryOffer.displayPrice: the key is missing"
        ),
        (#""introductoryOffer": {"paymentMode": "free"}"#, "introductoryOffer.subscriptionPeriod: the key is missing"),
        (#""introductoryOffer": []"#, "introductoryOffer: an array is not an object"),
        (
            #""introductoryOffers": [{"paymentMode": "free", "billingPlanType": 1}]"#,
            "introductoryOffers[0].subscriptionPeriod: the key is missing"
        ),
        (
            #""adHocOffers": [{"paymentMode": "free", "subscriptionPeriod": "P1M"}]"#,
            "adHocOffers[0].offerID: the key is missing"
        ),
        (
            #""codeOffers": [{"referenceName": "", "paymentMode": "free", "subscriptionPeriod": "P1M"}]"#,
            "codeOffers[0].referenceName: \"\" is not an identifier"
        ),
        (#""winbackOffers": ["back"]"#, "winbackOffers[0]: \"back\" is not an object"),
        (
            #""adHocOffers": [{"offerID": "o", "paymentMode": "free", "subscriptionPeriod": "P1M", "numberOfPeriods": 0}]"#,
            "adHocOffers[0].numberOfPeriods: 0 is not between 1 and 9999"
        ),
        (
            #""adHocOffers": [{"offerID": "good", "paymentMode": "free", "subscriptionPeriod": "P1W"}, "#
                + #"{"offerID": "good", "paymentMode": "free", "subscriptionPeriod": "P1M"}]"#,
            "adHocOffers[1].offerID: \"good\" is the identifier of an earlier offer"
        ),
        (
            #""billingPlans": [{"billingPlanType": "MONTHLY", "displayPrice": "1", "commitmentDisplayPrice": "12"}]"#,
            "billingPlans[0]: the subscription isn't yearly"
        ),
    ])
    func `an offer that can't be read becomes a warning, and costs only the offer`(
        members: String, warning: String
    ) throws {
        let other = #"{"productID": "b", "displayPrice": "2", "recurringSubscriptionPeriod": "P1Y"}"#
        let catalog = try SimulatedCatalog(
            data: ConfigurationFile(groups: #"[{"id": "G", "subscriptions": [\#(subscription(members)), \#(other)]}]"#)
                .data)
        expectEqual(catalog.warnings.map(\.description), ["subscriptionGroups[0].subscriptions[0].\(warning)"])
        expectEqual(catalog.products.count, 2)
        let terms = try #require(catalog.products[0].subscription)
        expectEqual(terms.introductoryOffer, nil)
        expectEqual(terms.promotionalOffers.map(\.id), warning.contains("good") ? ["good"] : [])
        #expect(terms.winBackOffers.isEmpty && terms.codeOffers.isEmpty)
        let store = SimulatedAppStore(catalog: catalog)
        #expect(throws: Never.self) { try store.buyProduct(productID: "b") }
    }

    @Test(arguments: [
        (#"{"_storefront": "us"}"#, "settings._storefront"), (#"{"_storefront": 143441}"#, "settings._storefront"),
        (#"{"_locale": 1}"#, "settings._locale"), (#"{"_askToBuyEnabled": 1}"#, "settings._askToBuyEnabled"),
        (#"{"_timeRate": "fast"}"#, "settings._timeRate"), (#"{"_storeKitErrors": {}}"#, "settings._storeKitErrors"),
        ("[]", "settings"),
    ])
    func `invalid settings are rejected`(settings: String, keyPath: String) {
        expectEqual(error(ConfigurationFile(settings: settings))?.keyPath, keyPath)
    }

    @Test(arguments: [
        (
            #"{"major": 7, "minor": 0}"#, SimulatedCatalogError.Code.unsupportedVersion,
            "version.major: 7 is not a known version, 1 to 6"
        ),
        (#"{"major": 0}"#, .unsupportedVersion, "version.major: 0 is not a known version, 1 to 6"),
        (#"{"major": 4.5}"#, .unsupportedVersion, "version.major: 4.5 is not a known version, 1 to 6"),
        (#"{"major": "4"}"#, .wrongType, #"version.major: "4" is not a number"#),
        ("{}", .missingKey, "version.major: the key is missing"),
        ("null", .missingKey, "version: the key is missing"),
    ])
    func `a file with an unknown version is rejected`(
        version: String, code: SimulatedCatalogError.Code, description: String
    ) {
        let found = error(ConfigurationFile(version: version))
        expectEqual(found?.code, code)
        expectEqual(found?.description, description)
    }

    @Test func `invalid JSON is rejected with the position`() {
        let found = error(Data("{\n  \"products\" : [,]\n}".utf8))
        expectEqual(found?.code, .notJSON)
        expectEqual(found?.reason.contains("line 2"), true)
    }

    @Test(
        arguments: ["", "   ", "{", "nonsense", #"{"a": tru}"#, "\u{FFFD}"].map { Data($0.utf8) } + [
            Data([0x7B, 0xFF, 0xFE, 0x7D]),
            Data((String(repeating: "[", count: 10_000) + String(repeating: "]", count: 10_000)).utf8),
        ])
    func `a file without JSON, or nested too deeply, is rejected`(data: Data) {
        expectEqual(error(data)?.code, .notJSON)
    }

    @Test(arguments: ["[]", "1", "\"file\"", "null"]) func `JSON that isn't an object is rejected`(text: String) {
        expectEqual(error(Data(text.utf8))?.code, .wrongType)
    }

    @Test func `a missing file is rejected with its path`() {
        let url = URL(fileURLWithPath: "/nowhere/at/all.storekit")
        do {
            _ = try SimulatedCatalog(contentsOf: url)
            Issue.record("There is no such file.")
        } catch {
            expectEqual(error.code, .unreadable)
            #expect(error.reason.hasPrefix("/nowhere/at/all.storekit cannot be read"))
        }
    }
}
