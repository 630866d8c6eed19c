import AppStoreSimulator
import CatalogReview
import Foundation
import TestHarness
import Testing

@Suite(.bounded) struct SimulatedCatalogFindingsTests {
    @Test func `the products of a file have the same findings in a catalog`() throws {
        let catalog = try SimulatedCatalog(data: Data(ReviewedFile.good.utf8))
        expectEqual(catalog.findings(), [])
        expectEqual(catalog.findings(for: ReviewedFile.productIDs), [])
        expectEqual(
            catalog.findings(for: ["app.coins", "app.pro", "app.season", "app.yearly"]).map(\.brief),
            [
                "identifier-not-in-code subscriptionGroups[0].subscriptions[1].productID"
            ])
        expectEqual(catalog.findings(for: ReviewedFile.productIDs + ["app.gold"]).map(\.rule), [.identifierNotInFile])
    }

    @Test func `mistakes in code have the places of a file`() {
        let catalog = SimulatedCatalog(products: [
            .consumable("coins", price: 0, description: "Coins."),
            .autoRenewable(
                "club.a", price: 5, period: .month(1), group: "club", description: "A.",
                monthlyPlan: .init(price: 5, commitmentPrice: 50)),
            .autoRenewable("club.b", price: 9, period: .month(1), group: "club", description: "B."),
            .nonConsumable("pro", price: 9),
        ])
        expectEqual(
            Set(catalog.findings().map(\.brief)),
            [
                "zero-price products[0].displayPrice", "missing-localization products[1].localizations[0].description",
                "commitment-total subscriptionGroups[0].subscriptions[0].billingPlans[1].commitmentDisplayPrice",
                "equal-levels subscriptionGroups[0].subscriptions[1].groupNumber",
                "unreadable-value subscriptionGroups[0].subscriptions[0].billingPlans[1]",
            ])
        #expect(catalog.findings().allSatisfy { $0.file == nil && $0.description.hasPrefix($0.keyPath) })
    }

    @Test func `a file with mistakes that can't be read has findings`() throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).storekit")
        defer { try? FileManager.default.removeItem(at: url) }
        let text = ReviewedFile.good.replacingOccurrences(of: "\"app.pro\"", with: "\"app.coins\"")
        try Data(text.utf8).write(to: url)
        let findings = try SimulatedCatalog.findings(inFile: url)
        expectEqual(findings.map(\.rule), [.duplicateIdentifier])
        expectEqual(findings.first?.file, url.path)
        let withCode = try SimulatedCatalog.findings(inFile: url, for: ReviewedFile.productIDs)
        expectEqual(Set(withCode.map(\.rule)), [.duplicateIdentifier, .identifierNotInFile])
        #expect(throws: SimulatedCatalogError.self) {
            try SimulatedCatalog.findings(inFile: URL(fileURLWithPath: "/no/such/file"))
        }
    }
}
