import AppStoreSimulator
import CatalogReview
import Foundation
import TestHarness
import Testing

@Suite(.bounded) struct CatalogChangeTests {
    private func changes(_ edits: (old: String, new: String)...) throws -> [CatalogFinding] {
        try ReviewedFile.review(edits).findings(since: ReviewedFile.review())
    }

    private static let monthly = """
                { "adHocOffers" : [], "codeOffers" : [], "displayPrice" : "5.99"
        """

    @Test func `the same file has no changes, and neither has one with more`() throws {
        expectEqual(try changes(), [])
        expectEqual(
            try changes(("\"5.99\"", "\"4.99\""), ("\"familyShareable\" : false", "\"familyShareable\" : true")), [])
    }

    @Test func `a removed product names who pays, who owns and who can't buy`() throws {
        let finding = try #require(try changes(("\"app.yearly\"", "\"app.annual\"")).first)
        expectEqual(finding.rule, .removedProduct)
        #expect(
            finding.message.contains("keep paying for a product that the app can't show: trial, trialEndsToday, active")
        )
        #expect(finding.message.contains("can't buy it: new, "))
        #expect(
            Set([.new, .active, .gracePeriod, .familyMember, .winBack, .commitment(month: 7)]).isSubset(
                of: finding.customers))
        let coins = try #require(try changes(("\"app.coins\"", "\"app.coin\"")).first)
        expectEqual(coins.customers, [.new, .pendingApproval, .otherAccount])
    }

    @Test func `another group lets subscribers pay twice`() throws {
        let findings = try changes(("\"id\" : \"G1\"", "\"id\" : \"G2\""))
        expectEqual(findings.map(\.rule), [.changedGroup, .changedGroup])
        #expect(findings.allSatisfy { $0.customers.contains(.active) && !$0.customers.contains(.new) })
    }

    @Test func `levels in another order affect who changes the level`() throws {
        let findings = try changes(("\"groupNumber\" : 1", "\"groupNumber\" : 3"))
        expectEqual(findings.map(\.rule), [.changedLevel])
        #expect(findings.first?.message.contains("was an upgrade, and isn't any more") ?? false)
        expectEqual(findings.first?.customers, [.upgraded])
    }

    @Test(arguments: [
        (
            "\"familyShareable\" : true", "\"familyShareable\" : false", "family-sharing-off",
            "familyMember, familyEnded"
        ),
        (
            "\"recurringSubscriptionPeriod\" : \"P1M\"", "\"recurringSubscriptionPeriod\" : \"P2M\"", "changed-product",
            "active"
        ),
        ("\"NonConsumable\"", "\"Consumable\"", "changed-product", "active"),
        ("\"offerID\" : \"winback\"", "\"offerID\" : \"other\"", "narrowed-offer", "winBack"),
        ("\"19.99\"", "\"29.99\"", "narrowed-offer", "winBack"),
        ("\"offerID\" : \"back\"", "\"offerID\" : \"other\"", "narrowed-offer", "active, canceled, expired"),
        ("\"referenceName\" : \"gift\"", "\"referenceName\" : \"other\"", "narrowed-offer", "new, expired"),
        ("\"MONTHLY\"", "\"OTHER\"", "narrowed-offer", "new, commitment7"),
    ])
    func `a change names the customers who lose`(old: String, new: String, rule: String, customers: String) throws {
        let finding = try #require(try changes((old, new)).first)
        expectEqual(finding.rule.rawValue, rule)
        #expect(finding.customers.map(\.description).joined(separator: ", ").contains(customers))
        #expect(finding.message.contains(customers))
    }

    @Test func `a shorter trial and a missing trial are found, and a longer one isn't`() throws {
        let key = "\"subscriptionPeriod\" : \"P2W\""
        func trial(_ period: String) throws -> [CatalogFinding] {
            try changes(
                (key, "\"subscriptionPeriod\" : \"\(period)\""), (key, "\"subscriptionPeriod\" : \"\(period)\""))
        }
        expectEqual(try trial("P1W").map(\.rule), [.narrowedOffer])
        expectEqual(try trial("P1W").first?.customers, [.new, .trial, .trialEndsToday])
        expectEqual(try trial("P1M"), [])
        let paid = "\"paymentMode\" : \"payUpFront\", \"displayPrice\" : \"1\", \"subscriptionPeriod\" : \"P2W\""
        let missing = try changes(
            ("\"paymentMode\" : \"free\",\n            \(key)", paid),
            ("\"paymentMode\" : \"free\", \(key)", paid))
        #expect(missing.first?.message.contains("has no free trial any more") ?? false)
    }

    @Test func `a file that can't be read hides customers only`() throws {
        let old = try ReviewedFile.review(("\"_storefront\" : \"DEU\"", "\"_storefront\" : \"Germany\""))
        let findings = try ReviewedFile.review(("\"app.pro\"", "\"app.plus\"")).findings(since: old)
        expectEqual(findings.map(\.rule), [.removedProduct])
        expectEqual(findings.first?.customers, [])
    }
}
