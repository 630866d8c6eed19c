import AppReceipt
import AppStoreServer
import AppStoreSimulator
import Dispatch
import Foundation

/// Measures reading receipts and subscription statuses. Each figure is the median of several runs.
enum ReceiptBenchmarks {
    /// Measures and prints.
    static func run() {
        let json = verifyReceiptJSON(rows: 10_000)
        let products = (0..<50).map { "com.example.subscription.\($0)" }
        print("verifyReceipt JSON, 10 000 rows, \(json.count / 1_000) kB")
        report("  read, and 50 status questions", milliseconds(runs: 11) { decodeAndAsk(json, products) })
        let file = receiptFile(purchases: 1_000)
        let verifier = LocalReceiptVerifier.local(
            bundleID: "com.example.app", environment: nil,
            trustAnchors: (try? .certificate(SimulatedReceiptIssuer.rootCertificate)).map { [$0] } ?? [])
        print("PKCS#7 receipt, 1 000 purchases, \(file.count / 1_000) kB")
        report("  read and verified", milliseconds(runs: 21) { (try? verifier.verify(file))?.transactions.count ?? -1 })
    }

    /// Returns a receipt file of the simulated App Store.
    private static func receiptFile(purchases: Int) -> Data {
        let start = Date(timeIntervalSince1970: 1_767_225_600)
        var receipt = SimulatedReceipt(bundleID: "com.example.app", creationDate: start)
        receipt.transactions = (0..<purchases).map { number in
            let date = start.addingTimeInterval(Double(number - purchases) * 604_800)
            var row = SimulatedReceiptTransaction(
                productID: "com.example.subscription.\(number % 50)", transactionID: "\(1_000_000_000 + number)",
                purchaseDate: date)
            row.productType = 3
            row.expirationDate = date.addingTimeInterval(604_800)
            row.webOrderLineItemID = Int64(2_000_000_000 + number)
            row.isTrialPeriod = false
            row.isInIntroductoryOfferPeriod = false
            return row
        }
        return SimulatedReceiptIssuer().issue(receipt)
    }

    private static func decodeAndAsk(_ json: Data, _ products: [String]) -> Int {
        guard let receipt = try? Receipt.unverified(verifyReceiptJSON: json) else { return -1 }
        return products.filter { receipt.subscriptionStatus(of: $0, at: .now).isEntitled }.count
    }

    /// Returns a response whose rows have Apple's format: all values are strings.
    static func verifyReceiptJSON(rows: Int) -> Data {
        var text =
            #"{"status":0,"environment":"Production","receipt":{"receipt_type":"Production","bundle_id":"com.example.app","in_app":[]}"#
        text += ",\"latest_receipt_info\":["
        for row in 0..<rows {
            let start = 1_500_000_000 + (row / 50) * 604_800
            text += row == 0 ? "" : ","
            text += """
                {"quantity":"1","product_id":"com.example.subscription.\(row % 50)","transaction_id":"\(1_000_000_000 + row)",\
                "original_transaction_id":"\(1_000_000_000 + row % 50)","purchase_date":"2017-07-14 02:40:00 Etc/GMT",\
                "purchase_date_ms":"\(start)000","original_purchase_date_ms":"1500000000000",\
                "expires_date":"2017-07-21 02:40:00 Etc/GMT","expires_date_ms":"\(start + 604_800)000",\
                "web_order_line_item_id":"\(2_000_000_000 + row)","is_trial_period":"false","is_in_intro_offer_period":"false",\
                "in_app_ownership_type":"PURCHASED"}
                """
        }
        return Data((text + "]}").utf8)
    }

    static func milliseconds(runs: Int, _ work: () -> Int) -> Double {
        let durations = (0..<runs).map { _ in
            let start = DispatchTime.now().uptimeNanoseconds
            let result = work()
            let end = DispatchTime.now().uptimeNanoseconds
            return result < 0 ? Double.infinity : Double(end - start) / 1e6
        }
        return durations.sorted()[runs / 2]
    }

    static func report(_ name: String, _ milliseconds: Double) {
        let figure =
            milliseconds < 1 ? String(format: "%.2f µs", milliseconds * 1_000) : String(format: "%.1f ms", milliseconds)
        print("\(name): \(figure)")
    }
}
