import AppStoreSimulator
import CatalogReview
import Foundation
import TestHarness
import Testing

@Suite(.bounded) struct CatalogReviewTests {
    /// A mistake, made by replacing the first occurrence of a text, and the finding.
    struct Mistake: CustomStringConvertible, Sendable {
        let old: String
        let new: String
        let finding: String

        init(_ old: String, _ new: String, _ finding: String) {
            (self.old, self.new, self.finding) = (old, new, finding)
        }

        var description: String { "\(finding): \(new)" }
    }

    private static let yearly = "subscriptionGroups[0].subscriptions[0]"
    private static let monthly = "subscriptionGroups[0].subscriptions[1]"

    static let mistakes = [
        Mistake("\"app.pro\"", "\"app.coins\"", "duplicate-identifier products[1].productID"),
        Mistake("\"app.pro\"", "\"\"", "identifier-format products[1].productID"),
        Mistake("\"app.pro\"", "\"app.pro+\"", "identifier-format products[1].productID"),
        Mistake(
            "\"app.pro\"", "\"app.\(String(repeating: "p", count: 100))\"",
            "identifier-format products[1].productID"),
        Mistake("\"app.pro\"", "\"app.Coins\"", "identifier-case products[1].productID"),
        Mistake("\"displayPrice\" : \"0.99\", ", "", "missing-price products[0].displayPrice"),
        Mistake("\"0.99\"", "\"\"", "missing-price products[0].displayPrice"),
        Mistake("\"0.99\"", "\"0,99\"", "price-format products[0].displayPrice"),
        Mistake("\"0.99\"", "\"-0.99\"", "price-format products[0].displayPrice"),
        Mistake("\"35.99\"", "\"35,99\"", "price-format \(yearly).adHocOffers[0].displayPrice"),
        Mistake("\"displayPrice\" : \"4.99\",", "", "missing-price \(yearly).billingPlans[1].displayPrice"),
        Mistake("\"0.99\"", "\"0\"", "zero-price products[0].displayPrice"),
        Mistake(
            "\"displayName\" : \"Pro\"", "\"displayName\" : \" \"",
            "missing-localization products[1].localizations[1].displayName"),
        Mistake(
            "\"description\" : \"Every tool.\", ", "", "missing-localization products[1].localizations[1].description"),
        Mistake(
            "{ \"description\" : \"Zehn Münzen.\", \"displayName\" : \"Münzen\", \"locale\" : \"de\" },", "",
            "missing-localization products[0].localizations"),
        Mistake(
            "\"displayName\" : \"Pro\"", "\"displayName\" : \"\(String(repeating: "p", count: 36))\"",
            "long-text products[1].localizations[1].displayName"),
        Mistake(
            "\"Every tool.\"", "\"\(String(repeating: "é", count: 56))\"",
            "long-text products[1].localizations[1].description"),
        Mistake(
            "\"referenceName\" : \"Pro\"", "\"referenceName\" : \"\(String(repeating: "p", count: 65))\"",
            "long-text products[1].referenceName"),
        Mistake(
            "\"type\" : \"NonConsumable\"", "\"type\" : \"RecurringSubscription\"",
            "subscription-group products[1].type"),
        Mistake(
            "\"type\" : \"Consumable\"",
            "\"type\" : \"Consumable\", \"introductoryOffer\" : { \"paymentMode\" : \"free\", \"subscriptionPeriod\" : \"P1W\" }",
            "subscription-group products[0].introductoryOffer"),
        Mistake(
            "\"recurringSubscriptionPeriod\" : \"P1M\", ", "",
            "subscription-period \(monthly).recurringSubscriptionPeriod"),
        Mistake(
            "\"recurringSubscriptionPeriod\" : \"P1M\"", "\"recurringSubscriptionPeriod\" : \"1M\"",
            "subscription-period \(monthly).recurringSubscriptionPeriod"),
        Mistake(
            "\"recurringSubscriptionPeriod\" : \"P1M\"", "\"recurringSubscriptionPeriod\" : \"P4M\"",
            "subscription-period \(monthly).recurringSubscriptionPeriod"),
        Mistake("\"groupNumber\" : 2,", "\"groupNumber\" : 1,", "none"),
        Mistake(
            "\"numberOfPeriods\" : 1,\n              \"paymentMode\" : \"free\", \"subscriptionPeriod\" : \"P2W\" }\n          ],",
            "\"numberOfPeriods\" : 1,\n              \"paymentMode\" : \"free\", \"subscriptionPeriod\" : \"P1W\" }\n          ],",
            "introductory-offers \(yearly).introductoryOffers[0]"),
        Mistake("\"59.88\"", "\"59.99\"", "commitment-total \(yearly).billingPlans[1].commitmentDisplayPrice"),
        Mistake("\"_timeRate\" : 0", "\"_timeRate\" : 6", "time-rate settings._timeRate"),
        Mistake(
            "\"_failTransactionsEnabled\" : false", "\"_failTransactionsEnabled\" : true",
            "simulated-failures settings._failTransactionsEnabled"),
        Mistake("\"enabled\" : false", "\"enabled\" : true", "simulated-failures settings._storeKitErrors[0].enabled"),
        Mistake(
            "\"offerID\" : \"winback\",", "\"offerID\" : \"winback\", \"endDate\" : \"2026-01-31\",",
            "past-date \(yearly).winbackOffers[0].endDate"),
        Mistake(
            "\"offerID\" : \"winback\",", "\"offerID\" : \"winback\", \"endDate\" : \"2026-01-31T10:00:00Z\",",
            "past-date \(yearly).winbackOffers[0].endDate"),
        Mistake("\"offerID\" : \"winback\",", "\"offerID\" : \"winback\", \"endDate\" : \"2096-01-31\",", "none"),
        Mistake("\"offerID\" : \"back\",", "", "unreadable-value \(yearly).adHocOffers[0].offerID"),
        Mistake("\"_storefront\" : \"DEU\"", "\"_storefront\" : \"Germany\"", "unreadable-value settings._storefront"),
        Mistake("\"type\" : \"Consumable\"", "\"type\" : \"Coin\"", "unreadable-value products[0].type"),
        Mistake(
            "\"subscriptionGroupID\" : \"G1\"", "\"subscriptionGroupID\" : \"G2\"",
            "subscription-group \(yearly).subscriptionGroupID"),
        Mistake(
            "\"subscriptionGroups\" : [", "\"subscriptionGroups\" : [ { \"id\" : \"G1\", \"subscriptions\" : [] },",
            "subscription-group subscriptionGroups[1].id"),
        Mistake("\"_storefront\" : \"DEU\"", "\"_storefront\" : \"GER\"", "unknown-storefront settings._storefront"),
        Mistake("\"_locale\" : \"en_US\"", "\"_locale\" : \"english\"", "unknown-locale settings._locale"),
        Mistake(
            "\"displayName\" : \"Pro\", \"locale\" : \"en_US\" }",
            "\"displayName\" : \"Pro\", \"locale\" : \"en_US\" }, { \"description\" : \"All.\", \"displayName\" : \"Pro\", \"locale\" : \"de_XY\" }",
            "unknown-locale products[1].localizations[2].locale"),
        Mistake(
            "\"description\" : \"Zehn Münzen.\", \"displayName\" : \"Münzen\", \"locale\" : \"de\" },",
            "\"description\" : \"Zehn Münzen.\", \"displayName\" : \"Münzen\", \"locale\" : \"de\" }, { \"description\" : \"Zehn.\", \"displayName\" : \"Münzen\", \"locale\" : \"de\" },",
            "repeated-locale products[0].localizations[1].locale"),
        Mistake(
            "\"displayPrice\" : \"0.99\", \"familyShareable\" : false",
            "\"displayPrice\" : \"0.99\", \"familyShareable\" : true",
            "family-sharing-kind products[0].familyShareable"),
        Mistake("\"35.99\"", "\"59.99\"", "offer-price \(yearly).adHocOffers[0].displayPrice"),
        Mistake(
            "\"referenceName\" : \"Back\", \"subscriptionPeriod\" : \"P1Y\"",
            "\"referenceName\" : \"Back\", \"subscriptionPeriod\" : \"P1M\"",
            "offer-period \(yearly).adHocOffers[0].subscriptionPeriod"),
        Mistake(
            "\"referenceName\" : \"gift\",\n              \"subscriptionPeriod\" : \"P1M\"",
            "\"referenceName\" : \"gift\",\n              \"subscriptionPeriod\" : \"P5D\"",
            "offer-period \(yearly).codeOffers[0].subscriptionPeriod"),
        Mistake(
            "\"referenceName\" : \"gift\",", "\"referenceName\" : \"gift\", \"eligibility\" : [],",
            "offer-eligibility \(yearly).codeOffers[0].eligibility"),
        Mistake(
            "\"referenceName\" : \"gift\",", "\"referenceName\" : \"gift\", \"eligibility\" : [ \"new\" ],", "none"),
        Mistake("\"id\" : \"G1\", ", "", "unreadable-value subscriptionGroups[0].id"),
    ]

    @Test func `a file without mistakes has no findings`() throws {
        expectEqual(try ReviewedFile.review().findings(now: ReviewedFile.now), [])
        expectEqual(try ReviewedFile.review().productIDs.sorted(), ReviewedFile.productIDs.sorted())
    }

    @Test(arguments: mistakes) func `a mistake is the only finding`(_ mistake: Mistake) throws {
        let findings = try ReviewedFile.review((mistake.old, mistake.new)).findings(now: ReviewedFile.now)
        expectEqual(findings.map(\.brief), mistake.finding == "none" ? [] : [mistake.finding])
        for finding in findings {
            expectEqual(finding.file, ReviewedFile.path)
            #expect(finding.message.hasSuffix("."))
        }
    }

    @Test func `two subscriptions with the same level and period can't be told apart`() throws {
        let review = try ReviewedFile.review(
            ("\"groupNumber\" : 2", "\"groupNumber\" : 1"),
            ("\"recurringSubscriptionPeriod\" : \"P1M\"", "\"recurringSubscriptionPeriod\" : \"P1Y\""))
        expectEqual(review.findings(now: ReviewedFile.now).map(\.brief), ["equal-levels \(Self.monthly).groupNumber"])
    }

    @Test func `a year that costs more than twelve months of its level is found`() throws {
        func findings(_ monthly: String) throws -> [String] {
            try ReviewedFile.review(("\"groupNumber\" : 2", "\"groupNumber\" : 1"), ("\"5.99\"", "\"\(monthly)\""))
                .findings(now: ReviewedFile.now).map(\.brief)
        }
        expectEqual(try findings("4.17"), [])
        expectEqual(try findings("4.16"), ["yearly-price \(Self.yearly).displayPrice"])
    }

    @Test(arguments: [("adHocOffers", "offerID"), ("codeOffers", "referenceName")])
    func `more than ten active offers of a kind are found`(key: String, id: String) throws {
        func findings(_ count: Int) throws -> [String] {
            let offers = (0..<count).map {
                "{ \"\(id)\" : \"\($0)\", \"paymentMode\" : \"free\", \"subscriptionPeriod\" : \"P1M\" }"
            }
            return try ReviewedFile.review(("\"\(key)\" : []", "\"\(key)\" : [\(offers.joined(separator: ","))]"))
                .findings(now: ReviewedFile.now).map(\.brief)
        }
        expectEqual(try findings(10), [])
        expectEqual(try findings(11), ["offer-count \(Self.monthly).\(key)"])
    }

    @Test func `App Store Connect has accepted the texts of a file that it synchronizes`() throws {
        let long = ("\"Every tool.\"", "\"\(String(repeating: "e", count: 56))\"")
        let local = try ReviewedFile.review(long).findings(now: ReviewedFile.now)
        expectEqual(local.map(\.severity), [.warning])
        let synchronized = (
            "\"_failTransactionsEnabled\"", "\"_applicationInternalID\" : \"1\", \"_failTransactionsEnabled\""
        )
        expectEqual(try ReviewedFile.review(long, synchronized).findings(now: ReviewedFile.now), [])
    }

    @Test func `a file with thousands of products is reviewed in a time that grows with their number`() throws {
        // With the square of the number, the time limit of the suite would be too short.
        let products: [[String: Any]] = (0..<6_000).map { number in
            [
                "productID": "app.\(number)", "type": "NonConsumable", "displayPrice": "0.99",
                "localizations": [["locale": "en_US", "displayName": "\(number)", "description": "One of many."]],
            ]
        }
        let data = try JSONSerialization.data(withJSONObject: ["version": ["major": 5], "products": products])
        let review = try CatalogReview(data, path: ReviewedFile.path)
        expectEqual(review.findings(now: ReviewedFile.now), [])
        expectEqual(review.findings(since: review), [])
    }

    @Test func `a free product that families share is a trial for all of them`() throws {
        let review = try ReviewedFile.review(("\"24.99\"", "\"0\""))
        expectEqual(
            Set(review.findings(now: ReviewedFile.now).map(\.rule)), [.zeroPrice, .sharedTrial])
        let alone = try ReviewedFile.review(
            ("\"24.99\"", "\"0\""), ("\"familyShareable\" : true", "\"familyShareable\" : false"))
        expectEqual(alone.findings(now: ReviewedFile.now).map(\.rule), [.zeroPrice])
    }

    @Test func `all mistakes are found at once, with their lines`() throws {
        let review = try ReviewedFile.review(
            ("\"0.99\"", "\"0,99\""), ("\"24.99\"", "\"24,99\""), ("\"9.99\"", "\"9,99\""))
        let findings = review.findings(now: ReviewedFile.now)
        expectEqual(findings.map(\.rule), [.priceFormat, .priceFormat, .priceFormat])
        expectEqual(findings.map(\.line), [4, 10, 14])
        expectEqual(
            findings.first?.description,
            "Shop.storekit:4: error: \"app.season\" has the price \"9,99\". The comma belongs to another locale. Write digits and a decimal point, such as 4.99. [price-format] nonRenewingSubscriptions[0].displayPrice"
        )
    }

    @Test(arguments: ["", "[]", "{}", "{ \"version\" : { \"major\" : 99 } }", "PNG"])
    func `another file is refused`(text: String) {
        #expect(throws: SimulatedCatalogError.self) { try CatalogReview(Data(text.utf8), path: "x") }
    }

    @Test func `every rule has its own name`() {
        let names = CatalogFinding.Rule.allCases.map(\.rawValue)
        expectEqual(Set(names).count, names.count)
        #expect(names.allSatisfy { $0.allSatisfy { $0 == "-" || $0.isLowercase } })
    }
}
