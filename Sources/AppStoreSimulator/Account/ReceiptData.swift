import Foundation

/// The bytes of a receipt file.
func receiptData(for content: SimulatedReceiptContent) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    encoder.keyEncodingStrategy = .convertToSnakeCase
    // Nothing in the document can fail to be encoded: no floating-point numbers, no keys but strings.
    return (try? encoder.encode(ReceiptDocument(content))) ?? Data()
}

private struct ReceiptDocument: Encodable {
    struct Purchase: Encodable {
        var quantity: String
        var productId: String
        var transactionId: String
        var originalTransactionId: String
        var purchaseDateMs: String
        var originalPurchaseDateMs: String
        var expiresDateMs: String?
        var cancellationDateMs: String?
        var isTrialPeriod: String
        var isInIntroOfferPeriod: String
        var promotionalOfferId: String?
    }

    var bundleId: String
    var receiptCreationDateMs: String
    var inApp: [Purchase]

    init(_ content: SimulatedReceiptContent) {
        bundleId = content.bundleIdentifier
        receiptCreationDateMs = Self.milliseconds(content.creationDate)
        inApp = content.purchases.map { record in
            Purchase(
                quantity: String(record.quantity), productId: record.productIdentifier,
                transactionId: record.transactionIdentifier ?? "", originalTransactionId: record.originalTransactionIdentifier ?? "",
                purchaseDateMs: Self.milliseconds(record.purchaseDate ?? content.creationDate),
                originalPurchaseDateMs: Self.milliseconds(record.originalPurchaseDate ?? content.creationDate),
                expiresDateMs: record.expirationDate.map(Self.milliseconds),
                cancellationDateMs: record.cancellationDate.map(Self.milliseconds), isTrialPeriod: String(record.isTrialPeriod),
                isInIntroOfferPeriod: String(record.isInIntroductoryPricePeriod), promotionalOfferId: record.promotionalOfferIdentifier)
        }
    }

    private static func milliseconds(_ date: Date) -> String {
        String(Int64(date.timeIntervalSince1970 * 1000))
    }
}
