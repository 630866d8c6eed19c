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
    }

    private static func receipt(_ json: Data) -> ReceiptInfo {
        ((try? JSONSerialization.jsonObject(with: json)) as? [String: Any] ?? [:]).mapValues { $0 as AnyObject }
    }

    private static func ask(_ products: [String], _ receipt: ReceiptInfo) -> Int {
        let owned = products.filter { product in
            let result = ReceiptQueries.verifySubscriptions(
                ofType: .autoRenewable, productIds: [product], inReceipt: receipt, validUntil: Date())
            if case .notPurchased = result { return false }
            return true
        }
        return owned.count == products.count ? 1 : -1
    }
}
