import Foundation
import TestHarness
import Testing

/// Compares the migration guide with the code of two apps in this folder, one before and one after the migration.
@Suite(.bounded) struct GuideTests {
    private static let guide = DocumentedCode()

    private static let pages = [
        "Migration.md", "Sources/AsyncStoreKit/AsyncStoreKit.docc/Articles/MigratingReceipts.md",
    ]

    private static func blocks() throws -> [DocumentedCode.Block] {
        try pages.flatMap { try guide.blocks(of: $0) }
    }

    /// Returns the lines of the files in this folder whose names start with a prefix.
    private static func sources(_ prefix: String) throws -> [[String]] {
        let files = guide.files(below: "Tests/MigrationTests") { $0.hasPrefix("Tests/MigrationTests/" + prefix) }
        return try files.map { path in
            try guide.text(of: path).components(separatedBy: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
                .filter { !$0.isEmpty }
        }
    }

    @Test func `every block is labeled as before, after or manifest`() throws {
        let blocks = try Self.blocks()
        for block in blocks {
            #expect(["**Before**", "**After**", "**Manifest**"].contains(block.above), "\(block)")
        }
        #expect(blocks.filter { $0.above == "**After**" }.count > 20)
    }

    /// The code compiles in a view model, and in the closure of a button, in a task or not.
    @Test(arguments: [("After", "MigratedApp"), ("After", "PastedInButtons"), ("Before", "LegacyApp")])
    func `every block of the guide occurs in the app before or after the migration`(kind: String, prefix: String) throws
    {
        let sources = try Self.sources(prefix).map { DocumentedCode.Source(lines: $0) }
        let blocks = try Self.blocks().filter { $0.above == "**\(kind)**" }
        #expect(!sources.isEmpty && !blocks.isEmpty)
        for block in blocks {
            #expect(sources.contains { $0.contains(block.code) }, "\(block)")
        }
    }

    @Test func `every block that needs no task also compiles in a task`() throws {
        let (buttons, tasks) = try (Self.sources("PastedInButtons"), Self.sources("PastedInTasks"))
        let blocks = try Self.blocks().filter { block in
            block.above == "**After**"
                && buttons.contains { DocumentedCode.Source(lines: $0).contains(["Button {"] + block.code) }
        }
        expectEqual(blocks.count, 5)
        for block in blocks {
            #expect(tasks.contains { DocumentedCode.Source(lines: $0).contains(["Task {"] + block.code) }, "\(block)")
        }
    }

    @Test func `a test runs every function of the migrated app`() throws {
        let tests = try Self.sources("MigratedAppTests").flatMap { $0 }.joined(separator: "\n")
        let functions = try Self.sources("MigratedApp+").flatMap { $0 }.filter { $0.hasPrefix("func ") }
        let names = functions.compactMap { $0.dropFirst(5).split(separator: "(").first }.filter { $0 != "verify" }
        #expect(names.count > 20)
        for name in names { #expect(tests.contains("app.\(name)("), "no test runs \(name)") }
    }

    @Test func `the guide has at most 530 lines`() throws {
        #expect(
            try Self.guide.text(of: "Migration.md").split(separator: "\n", omittingEmptySubsequences: false).count
                <= 531)
    }

    @Test func `the guide's table has every symbol of the old API`() throws {
        let text = try Self.guide.text(of: "Migration.md")
        let table = try #require(text.range(of: "## Symbols")).upperBound
        let symbols = text[table...]
        for symbol in Self.symbols { #expect(symbols.contains("`\(symbol)"), "\(symbol) is missing") }
    }

    private static let symbols = [
        "AppleReceiptValidator", "VerifyReceiptURLType", "service", "validate(receiptData:completion:)", "InAppRequest",
        "start()",
        "cancel()",
        "ReceiptItem", "TransactionResult", "PaymentQueue", "debugDescription", "PaymentDiscount", "localizedPrice",
        "localizedSubscriptionPeriod", "Purchased", "originalPurchaseDate", "Purchase", "PurchaseDetails",
        "ReceiptValidator",
        "PaymentTransaction", "RetrieveResults", "retrievedProducts", "invalidProductIDs", "PurchaseResult",
        "RestoreResults",
        "restoredPurchases", "restoreFailedPurchases", "ShouldAddStorePaymentHandler", "UpdatedDownloadsHandler",
        "ReceiptInfo",
        "FetchReceiptResult", "VerifyReceiptResult", "VerifyPurchaseResult", "VerifySubscriptionResult",
        "SubscriptionType",
        "ReceiptError", "ReceiptStatus", "ReceiptInfoField", "InApp", "ReceiptExitCode", "SwiftyStoreKit",
        "canMakePayments",
        "retrieveProductsInfo", "purchaseProduct", "restorePurchases", "completeTransactions",
        "onEntitlementRevocation",
        "finishTransaction", "shouldAddStorePaymentHandler", "updatedDownloadsHandler", "start(_:)", "pause(_:)",
        "resume(_:)",
        "cancel(_:)", "localReceiptData", "verifyReceipt", "fetchReceipt", "verifyPurchase", "verifySubscription(",
        "verifySubscriptions", "getDistinctPurchaseIds", "productId", "quantity", "transactionId",
        "originalTransactionId",
        "purchaseDate", "webOrderLineItemId", "subscriptionExpirationDate", "cancellationDate", "isTrialPeriod",
        "isInIntroOfferPeriod",
        "isUpgraded", "needsFinishTransaction", "originalTransaction", "product", "transactionDate", "transactionState",
        "transactionIdentifier", "downloads",
    ]
}
