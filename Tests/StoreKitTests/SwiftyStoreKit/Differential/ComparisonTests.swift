import Foundation
import TestHarness
import Testing

/// Compares SwiftyStoreKit 0.16.4 with the block API, scenario by scenario.
@Suite(.bounded) struct ComparisonTests {
    private static let all =
        PurchaseComparisons.all + RestoreComparisons.all + RequestComparisons.all + VerificationComparisons.all
        + ReceiptComparisons.all

    /// Returns the expected outcome of a scenario over an engine. Over StoreKit 2, only the documented exceptions
    /// differ.
    private func play(_ row: Comparison, over engine: Engine) async throws {
        let expected = engine == .storeKit2 ? StoreKit2Exception.outcomes[row.scenario] ?? row.ours : row.ours
        let outcome = try await LegacyWorld.$engine.withValue(engine) { try await row.play() }
        expectEqual(outcome, expected, "\(row.scenario)")
    }

    @Test(arguments: PurchaseComparisons.all + RestoreComparisons.all, Engine.allCases)
    func `payments, restores and unsolicited transactions`(row: Comparison, engine: Engine) async throws {
        try await play(row, over: engine)
    }

    @Test(arguments: RequestComparisons.all, Engine.allCases)
    func `products, and receipts on their way`(row: Comparison, engine: Engine) async throws {
        try await play(row, over: engine)
    }

    /// These scenarios don't use an engine.
    @Test(arguments: VerificationComparisons.all)
    func `receipts that a server verifies`(row: Comparison) async throws {
        expectEqual(try await row.play(), row.ours, "\(row.scenario)")
    }

    @Test func `the appendix of the migration guide has every difference over StoreKit 2, and each is a scenario`()
        throws
    {
        #expect(Set(StoreKit2Exception.outcomes.keys).isSubset(of: Self.all.map(\.scenario)))
        let table = try #require(
            Self.appendix().components(separatedBy: "| what | over StoreKit 1 | over StoreKit 2 |\n").last
        )
        .components(separatedBy: "\n\n")[0]
        let lines = table.components(separatedBy: "\n").dropFirst().map {
            $0.components(separatedBy: " | ")[0].dropFirst(2)
        }
        expectEqual(lines.map(String.init), StoreKit2Exception.allCases.map(\.rawValue))
    }

    @Test(arguments: ReceiptComparisons.all)
    func `questions to a receipt`(row: Comparison) async throws {
        expectEqual(try await row.play(), row.ours, "\(row.scenario)")
    }

    @Test func `every scenario is listed once, and every different outcome has a reason`() {
        #expect(Self.all.count >= 150 && Set(Self.all.map(\.scenario)).count == Self.all.count)
        for row in Self.all { expectEqual(row.original == row.ours, row.why == nil, "\(row.scenario)") }
    }

    @Test func `every difference has a scenario`() {
        let played = Set(Self.all.compactMap(\.why))
        expectEqual(Difference.allCases.filter { !played.contains($0) }, [])
    }

    private static func appendix() throws -> String {
        try DocumentedCode().text(
            of: "Sources/AsyncStoreKit/AsyncStoreKit.docc/Articles/DifferencesFromSwiftyStoreKit.md")
    }

    @Test func `the appendix of the migration guide lists these differences, and no others`() throws {
        let section = try Self.appendix().components(separatedBy: "\n## StoreKit 2\n")[0]
        let paragraphs = section.replacingOccurrences(of: "\n  ", with: " ").components(separatedBy: "\n- ").dropFirst()
        expectEqual(
            paragraphs.map { $0.components(separatedBy: ": ")[0] }, Difference.allCases.map(\.rawValue))
    }
}
