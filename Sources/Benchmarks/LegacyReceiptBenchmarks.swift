import Foundation
import SwiftyStoreKit

/// Measures the block API's questions about a receipt dictionary.
enum LegacyReceiptBenchmarks {
    /// Measures and prints.
    static func run() {
        let json = ReceiptBenchmarks.verifyReceiptJSON(rows: 10_000)
        let products = (0..<50).map { "com.example.subscription.\($0)" }
        print("SwiftyStoreKit's questions, receipt dictionary of 10 000 rows")
        // Dictionaries are cached after the first question, so every run uses a new dictionary.
        var receipts = (0..<5).map { _ in receipt(json) }
        let first = ReceiptBenchmarks.milliseconds(runs: 5) {
            guard let receipt = receipts.popLast() else { return -1 }
            return ask(products, receipt)
        }
        ReceiptBenchmarks.report("  50 subscriptions, first asked (goal: under 500 ms)", first)
        let known = receipt(json)
        let again = ReceiptBenchmarks.milliseconds(runs: 11) { ask(products, known) }
        ReceiptBenchmarks.report("  the same 50 again", again)
        let group = Set(products)
        let groups = ReceiptBenchmarks.milliseconds(runs: 11) {
            guard case .notPurchased = question(group, known) else { return 1 }
            return -1
        }
        ReceiptBenchmarks.report("  one question about all 50 products, 10 000 items", groups)
    }

    private static func receipt(_ json: Data) -> ReceiptInfo {
        ((try? JSONSerialization.jsonObject(with: json)) as? [String: Any] ?? [:]).mapValues { $0 as AnyObject }
    }

    private static func ask(_ products: [String], _ receipt: ReceiptInfo) -> Int {
        products.filter { product in
            guard case .notPurchased = question([product], receipt) else { return true }
            return false
        }.count == products.count ? 1 : -1
    }

    private static func question(_ products: Set<String>, _ receipt: ReceiptInfo) -> VerifySubscriptionResult {
        ReceiptQueries.verifySubscriptions(
            ofType: .autoRenewable, productIds: products, inReceipt: receipt, validUntil: Date())
    }
}
