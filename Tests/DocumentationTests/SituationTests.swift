import AppReceipt
import AppStoreServer
import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation
import TestHarness
import Testing

/// Every row of the article *Find the situation to test* is a test, and has the code of the row.
@Suite(.bounded) struct SituationTests {
    struct Situation: Sendable, CustomTestStringConvertible {
        let name: String
        let play: @Sendable (SimulatedAppStore, PurchaseStore) async throws -> Void

        init(
            _ name: String, _ play: @escaping @Sendable (SimulatedAppStore, PurchaseStore) async throws -> Void
        ) {
            (self.name, self.play) = (name, play)
        }

        var testDescription: String { name }
    }

    static func makeAppStore() -> SimulatedAppStore {
        SimulatedAppStore(products: [
            .consumable("coins", price: 1, codeOffers: ["welcome": 0]),
            .nonConsumable("pro", price: 10, isFamilyShareable: true),
            .autoRenewable(
                "club.monthly", price: 5, period: .month(1), group: "club", level: 2,
                introductoryOffer: .freeTrial(.week(1)),
                promotionalOffers: [.payUpFront(8, for: .months(3), id: "loyal")],
                winBackOffers: [.payUpFront(1, for: .month(1), id: "back")],
                codeOffers: [.freeTrial(.month(1), id: "gift")]),
            .autoRenewable("club.gold", price: 9, period: .month(1), group: "club", level: 1),
            .autoRenewable("news", price: 3, period: .month(1), group: "news"),
            .autoRenewable("maps", price: 3, period: .month(1), group: "maps"),
            .bundle("everything", of: ["news", "maps"], price: 5, period: .month(1), group: "everything"),
            .autoRenewable("archive", price: 50, period: .year(1), group: "archive", monthlyPlan: .monthly(5)),
        ])
    }

    static let all = payments + devices + subscriptions + offers + circumstances

    @Test(arguments: all) func `a row of the article is what happens`(_ situation: Situation) async throws {
        let appStore = Self.makeAppStore()
        try await situation.play(appStore, PurchaseStore(simulating: appStore))
    }

    @Test func `the article has these rows, and their code`() throws {
        let documented = DocumentedCode()
        let page = try documented.text(
            of: "Sources/AsyncStoreKit/AsyncStoreKit.docc/Articles/FindTheSituationToTest.md")
        let rows = page.split(separator: "\n").filter { $0.hasPrefix("| ") }.map { row in
            row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }.filter { $0[0] != "situation" }
        expectEqual(rows.map { $0[0] }, Self.all.map(\.name))
        let files = ["SituationTests", "SituationTests+Rows", "SituationTests+Subscriptions"].map {
            "Tests/DocumentationTests/\($0).swift"
        }
        let source = try files.map { try documented.text(of: $0) }.joined().filter { !$0.isWhitespace }
        for row in rows {
            for span in row[1].matches(of: #/`([^`]+)`/#) {
                #expect(source.contains(span.1.filter { !$0.isWhitespace }), "\(row[0]): \(span.1)")
            }
        }
    }
}

extension PurchaseStore {
    /// Buys, delivers, and waits for the effects.
    func buy(_ productID: String, _ options: PurchaseOptions = []) async throws {
        try await purchase(productID, options: options) { _ in }
        try await settled()
    }

    /// The products that the customer may use.
    var owned: Set<String> { entitlements.latest.productIDs }
}
