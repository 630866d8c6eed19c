import AsyncStoreKit
import Foundation

/// The result of `store purchase`, as a table or as JSON.
struct PurchaseReport: Encodable {
    enum Outcome: String, Encodable {
        case success, pending, userCancelled, failed
    }

    private struct Failure: Encodable {
        let code: String
        let message: String
    }

    let engine: String
    let product: String
    let name: String?
    let quantity: Int
    let price: String?
    let period: String?
    /// The price and the length of the whole commitment; `nil` without `--plan monthly`.
    let commitment: String?
    var outcome = Outcome.failed
    var transaction: String?
    var date: Date?
    /// The downloaded files; `nil` without `--download`.
    var content: [ContentDownload.File]?
    var isFinished: Bool?
    private var error: Failure?

    /// Creates the report of a purchase.
    ///
    /// - Parameter terms: The billing plan of the purchase; `nil` for up-front billing.
    init(
        _ productID: String, _ engine: StoreEngine, _ quantity: Int, _ product: StoreProduct?,
        _ terms: BillingPlanTerms? = nil
    ) {
        self.engine = engine.name
        self.product = productID
        name = product.map(\.displayName).flatMap { $0.isEmpty ? nil : $0 }
        self.quantity = quantity
        price = terms?.billingDisplayPrice ?? product?.displayPrice
        if let terms, let locale = product?.priceLocale {
            period = terms.billingPeriod.formatted(in: locale)
            commitment = "\(terms.commitment.displayPrice) for \(terms.commitment.period.formatted(in: locale))"
        } else {
            period = product?.displaySubscriptionPeriod
            commitment = nil
        }
    }

    /// Creates the report of a purchase that failed.
    init(_ productID: String, _ engine: StoreEngine, _ quantity: Int, _ error: StoreError) {
        self.init(productID, engine, quantity, nil)
        self.error = Failure(code: "\(error.code)", message: error.message)
    }

    /// The table.
    var table: ConsoleTable {
        var rows = [
            ["outcome", outcome == .pending ? "pending: waits for approval" : outcome.rawValue], ["product", product],
        ]
        if let name { rows.append(["name", name]) }
        rows.append(["quantity", "\(quantity)"])
        if let price { rows.append(["price", quantity == 1 ? price : "\(price) each"]) }
        if let period { rows.append(["period", period]) }
        if let commitment { rows.append(["commitment", commitment]) }
        if let transaction { rows.append(["transaction", transaction]) }
        if let date { rows.append(["date", date.formatted(.iso8601)]) }
        for file in content ?? [] {
            rows.append(["content", "\(file.contentID) \(file.version), \(ByteCount(file.size))"])
        }
        if let content, content.isEmpty { rows.append(["content", "The product has no hosted content."]) }
        if let isFinished {
            rows.append(["finished", isFinished ? "yes" : "no: download the hosted content first (--download)"])
        }
        return ConsoleTable(rows: rows)
    }

    /// The JSON object, line by line, with sorted keys.
    var jsonLines: [String] {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(self) else { return ["{}"] }
        return String(decoding: data, as: UTF8.self).split(separator: "\n").map { String($0).escapedForJSON }
    }
}
