import Foundation
import TestHarness
import Testing

/// SwiftyStoreKit 0.16.4 and its API over this library, scenario by scenario.
@Suite(.bounded) struct ComparisonTests {
    private static let all = PurchaseComparisons.all + RestoreComparisons.all + RequestComparisons.all + ReceiptComparisons.all

    @Test(arguments: PurchaseComparisons.all + RestoreComparisons.all)
    func `payments, restores and what nobody asked for`(row: Comparison<Void>) async throws {
        #expect(try await row.play(()) == row.ours, "\(row.scenario)")
    }

    @Test(arguments: PurchaseComparisons.all + RestoreComparisons.all)
    func `over StoreKit 2 they come to the same, but for what cannot be`(row: Comparison<Void>) async throws {
        let expected = StoreKit2Exceptions.outcomes[row.scenario] ?? row.ours
        let outcome = try await LegacyWorld.$engine.withValue(.storeKit2) { try await row.play(()) }
        #expect(outcome == expected, "\(row.scenario)")
    }

    @Test func `what cannot be the same over StoreKit 2 is a scenario, and a line of the guide's table`() throws {
        #expect(Set(StoreKit2Exceptions.outcomes.keys).isSubset(of: Self.all.map(\.scenario)))
        let guide = try Self.guide()
        for line in StoreKit2Exceptions.lines.keys { #expect(guide.contains("\n| \(line) | "), "\(line)") }
    }

    @Test(arguments: RequestComparisons.all)
    func `products, and receipts on their way`(row: Comparison<Void>) async throws {
        #expect(try await row.play(()) == row.ours, "\(row.scenario)")
    }

    @Test(arguments: ReceiptComparisons.all)
    func `questions to a receipt`(row: Comparison<Void>) async throws {
        #expect(try await row.play(()) == row.ours, "\(row.scenario)")
    }

    @Test func `every scenario stands here once, and differs for a reason or not at all`() {
        #expect(Self.all.count >= 150 && Set(Self.all.map(\.scenario)).count == Self.all.count)
        for row in Self.all { #expect((row.original == row.ours) == (row.why == nil), "\(row.scenario)") }
    }

    @Test func `every difference is played by a scenario`() {
        let played = Set(Self.all.compactMap(\.why))
        #expect(Difference.allCases.filter { !played.contains($0) } == [])
    }

    private static func guide() throws -> String {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        return try String(contentsOf: root.appendingPathComponent("Migration.md"), encoding: .utf8)
    }

    @Test func `the migration guide lists these differences, and no others`() throws {
        let guide = try Self.guide()
        let section = try #require(guide.components(separatedBy: "# What is different even if you change nothing\n").last)
            .components(separatedBy: "\n# ")[0]
        var chapters: [String: [String]] = [:]
        var chapter = ""
        for paragraph in section.components(separatedBy: "\n") {
            if paragraph.hasPrefix("## ") {
                chapter = String(paragraph.dropFirst(3))
            } else if paragraph.hasPrefix("- ") {
                chapters[chapter, default: []].append(String(paragraph.dropFirst(2)))
            } else if paragraph.hasPrefix("  "), let last = chapters[chapter]?.popLast() {
                chapters[chapter]?.append(last + " " + paragraph.trimmingCharacters(in: .whitespaces))
            }
        }
        let expected = Dictionary(grouping: Difference.allCases, by: \.chapter.rawValue).mapValues { $0.map(\.rawValue) }
        #expect(chapters == expected)
    }
}
