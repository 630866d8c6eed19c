import Foundation

/// The usual body of a request, as it is encoded.
struct HTTPDeliveryBody: Encodable, Sendable {
    struct Transaction: Encodable, Sendable {
        let idempotencyKey: String
        let productID: String
        let quantity: Int
        let state: String
        let isRedelivery: Bool
        let isInReceipt: Bool
        let transactionID: String?
        let originalTransactionID: String?
        let applicationUsername: String?
        let offerID: String?
        let date: Date?
        let originalDate: Date?
    }

    let receipt: String?
    let idempotencyKey: String
    let cause: String
    let attempt: Int
    let transactions: [Transaction]

    init(_ package: HTTPDeliveryPackage) {
        receipt = package.receipt?.base64EncodedString()
        idempotencyKey = package.idempotencyKey
        cause =
            switch package.request.cause {
            case .purchase: "purchase"
            case .restore: "restore"
            case .unsolicited: "unsolicited"
            }
        attempt = package.request.attempt
        transactions = package.request.items.map { item in
            let transaction = item.transaction
            return Transaction(
                idempotencyKey: item.key, productID: transaction.productID, quantity: transaction.quantity,
                state: transaction.state == .restored ? "restored" : "purchased", isRedelivery: item.isRedelivery,
                isInReceipt: !package.missing.contains(item.key), transactionID: transaction.transactionID,
                originalTransactionID: transaction.original?.transactionID,
                applicationUsername: transaction.applicationUsername, offerID: transaction.offerID, date: transaction.date,
                originalDate: transaction.original?.date)
        }
    }
}
