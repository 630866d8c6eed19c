import Foundation
import TestHarness
import Testing

/// Holds Migration.md to the code: every Swift block in it stands in this folder, word for word, where the compiler and the tests see it.
@Suite(.bounded) struct GuideTests {
    struct Block: Sendable {
        let kind: String
        let line: Int
        let code: [String]
    }

    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    private static let root = folder.deletingLastPathComponent().deletingLastPathComponent()

    /// Lines without their indentation, and without empty ones.
    private static func lines(of text: String) -> [String] {
        text.components(separatedBy: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    }

    private static func guide() throws -> [String] {
        try lines(of: String(contentsOf: root.appendingPathComponent("Migration.md"), encoding: .utf8))
    }

    /// The Swift blocks, each with the paragraph above it: "Before", "After", "Manifest".
    private static func blocks() throws -> [Block] {
        var blocks: [Block] = []
        var kind = ""
        var code: [String]?
        for (index, line) in try guide().enumerated() {
            if let lines = code {
                if line == "```" {
                    blocks.append(Block(kind: kind, line: index + 1 - lines.count, code: lines.filter { !$0.isEmpty }))
                    code = nil
                } else {
                    code = lines + [line]
                }
            } else if line == "```swift" {
                code = []
            } else if !line.isEmpty {
                kind = line
            }
        }
        return blocks
    }

    /// The sources of this folder with this beginning of their names.
    private static func sources(_ prefix: String) throws -> [[String]] {
        try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.lastPathComponent.hasPrefix(prefix) }
            .map { try lines(of: String(contentsOf: $0, encoding: .utf8)).filter { !$0.isEmpty } }
    }

    private static func contains(_ source: [String], _ code: [String]) -> Bool {
        source.indices.contains { source[$0...].starts(with: code) }
    }

    @Test func `every block is marked as before, after or manifest`() throws {
        let blocks = try Self.blocks()
        for block in blocks {
            #expect(["**Before**", "**After**", "**Manifest**"].contains(block.kind), "line \(block.line): \(block.kind)")
        }
        #expect(blocks.filter { $0.kind == "**After**" }.count > 20)
    }

    @Test(arguments: [("After", "MigratedApp"), ("Before", "LegacyApp")])
    func `every block after the migration stands in the code that the tests run`(kind: String, prefix: String) throws {
        let sources = try Self.sources(prefix)
        let blocks = try Self.blocks().filter { $0.kind == "**\(kind)**" }
        #expect(!sources.isEmpty && !blocks.isEmpty)
        for block in blocks {
            #expect(sources.contains { Self.contains($0, block.code) }, "line \(block.line): \(block.code.first ?? "")")
        }
    }

    @Test func `every function of the migrated app is run by a test`() throws {
        let tests = try Self.sources("MigratedAppTests").flatMap { $0 }.joined(separator: "\n")
        let functions = try Self.sources("MigratedApp+").flatMap { $0 }.filter { $0.hasPrefix("func ") }
        let names = functions.compactMap { $0.dropFirst(5).split(separator: "(").first }.filter { $0 != "verify" }
        #expect(names.count > 20)
        for name in names { #expect(tests.contains("app.\(name)("), "\(name) is not run") }
    }

    @Test func `every symbol of the old API is in the guide's table`() throws {
        let text = try Self.guide().joined(separator: "\n")
        let table = try #require(text.range(of: "## Symbols")).upperBound
        let symbols = text[table...]
        for symbol in Self.symbols { #expect(symbols.contains("`\(symbol)"), "\(symbol) is missing") }
    }

    private static let symbols = [
        "AppleReceiptValidator", "VerifyReceiptURLType", "service", "validate(receiptData:completion:)", "InAppRequest", "start()",
        "cancel()",
        "ReceiptItem", "TransactionResult", "PaymentQueue", "debugDescription", "PaymentDiscount", "localizedPrice",
        "localizedSubscriptionPeriod", "Purchased", "originalPurchaseDate", "Purchase", "PurchaseDetails", "ReceiptValidator",
        "PaymentTransaction", "RetrieveResults", "retrievedProducts", "invalidProductIDs", "PurchaseResult", "RestoreResults",
        "restoredPurchases", "restoreFailedPurchases", "ShouldAddStorePaymentHandler", "UpdatedDownloadsHandler", "ReceiptInfo",
        "FetchReceiptResult", "VerifyReceiptResult", "VerifyPurchaseResult", "VerifySubscriptionResult", "SubscriptionType",
        "ReceiptError", "ReceiptStatus", "ReceiptInfoField", "InApp", "ReceiptExitCode", "SwiftyStoreKit", "canMakePayments",
        "retrieveProductsInfo", "purchaseProduct", "restorePurchases", "completeTransactions", "onEntitlementRevocation",
        "finishTransaction", "shouldAddStorePaymentHandler", "updatedDownloadsHandler", "start(_:)", "pause(_:)", "resume(_:)",
        "cancel(_:)", "localReceiptData", "verifyReceipt", "fetchReceipt", "verifyPurchase", "verifySubscription(",
        "verifySubscriptions", "getDistinctPurchaseIds", "productId", "quantity", "transactionId", "originalTransactionId",
        "purchaseDate", "webOrderLineItemId", "subscriptionExpirationDate", "cancellationDate", "isTrialPeriod", "isInIntroOfferPeriod",
        "isUpgraded", "needsFinishTransaction", "originalTransaction", "product", "transactionDate", "transactionState",
        "transactionIdentifier", "downloads",
    ]
}
