import AppReceipt
import Foundation

/// A server's half of purchases: it takes what `HTTPPurchaseDelivery` posts, and Apple's notifications. Values in, values out; any framework
/// can stand in front of it.
struct PurchaseServer: Sendable {
    /// What is sent back.
    struct Response: Equatable, Sendable {
        var status: Int
        var body = ""
    }

    let receipts: LocalReceiptVerifier
    let payloads: SignedTransactionVerifier

    /// The transactions of every account, as Apple has signed them. A database has its place here.
    private(set) var transactions: [String: [ReceiptTransaction]] = [:]
    private(set) var renewals: [String: [ReceiptRenewal]] = [:]
    /// The coins of every account.
    private(set) var coins: [String: Int] = [:]
    /// The account of every original transaction, to know whom a notification is about.
    private var accounts: [String: String] = [:]
    private var credited: Set<String> = []
    private var delivered: [String: Response] = [:]
    private var notified: Set<UUID> = []

    init(receipts: LocalReceiptVerifier, payloads: SignedTransactionVerifier) {
        self.receipts = receipts
        self.payloads = payloads
    }

    /// The fields of a delivery that the server needs. None of them is signed but what is in the receipt.
    private struct Delivery: Decodable {
        struct Transaction: Decodable {
            let transactionID: String?
            let originalTransactionID: String?
        }

        let deliveryKey: String
        let receipt: Data?
        let transactions: [Transaction]
    }

    /// Takes the body of a delivery, for the account that the request has authenticated.
    mutating func deliver(_ body: Data, account: String) -> Response {
        guard let delivery = try? JSONDecoder().decode(Delivery.self, from: body) else { return Response(status: 400) }
        // The same delivery again: the response was lost, or the app had ended before it came.
        let key = "\(account) \(delivery.deliveryKey)"
        if let response = delivered[key] { return response }
        guard let file = delivery.receipt else { return Response(status: 503) }
        do throws(ReceiptVerificationError) {
            let receipt = try receipts.verify(file)
            var rows: [ReceiptTransaction] = []
            for transaction in delivery.transactions {
                // The receipt lags behind the purchase now and then; the app sends a newer one soon.
                guard let row = row(for: transaction, in: receipt) else { return Response(status: 503) }
                rows.append(row)
            }
            for row in rows { credit(row, to: account) }
            delivered[key] = Response(status: 200, body: #"{"decision":"accepted"}"#)
        } catch {
            // Perhaps the server lacks a root: nobody should lose a purchase by it.
            guard error.check != .trust, error.check != .validity else { return Response(status: 503) }
            delivered[key] = Response(status: 422, body: #"{"decision":"rejected","message":"This receipt is not from the App Store."}"#)
        }
        return delivered[key] ?? Response(status: 500)
    }

    /// What the receipt says about a transaction; what the body says about it is not looked at.
    private func row(for transaction: Delivery.Transaction, in receipt: Receipt) -> ReceiptTransaction? {
        if let id = transaction.transactionID, let row = receipt.transaction(id: id) { return row }
        return transaction.originalTransactionID.flatMap { receipt.transaction(id: $0) }
    }

    /// Credits a transaction, whoever says so and however often, once.
    private mutating func credit(_ row: ReceiptTransaction, to account: String) {
        accounts[row.originalTransactionID] = account
        transactions[account, default: []].append(row)
        guard row.isValid, row.productID == "com.example.coins", credited.insert(row.transactionID).inserted else { return }
        coins[account, default: 0] += row.quantity
    }

    /// Takes the body of one of Apple's notifications. Apple sends it again, for days, until the status is 200.
    mutating func notify(_ body: Data) -> Response {
        let notification: AppStoreServerNotification
        do {
            notification = try payloads.notification(requestBody: body)
        } catch {
            return Response(status: 403)
        }
        guard notified.insert(notification.id).inserted else { return Response(status: 200) }
        guard let transaction = notification.transaction, let account = accounts[transaction.originalTransactionID] else {
            return Response(status: 200)
        }
        // Of several statements about a transaction the one signed last counts, in whatever order they come.
        transactions[account, default: []].append(ReceiptTransaction(transaction))
        if let renewal = notification.renewalInfo.flatMap({ ReceiptRenewal($0) }) {
            renewals[account, default: []].append(renewal)
        }
        switch notification.type {
        case .refund, .revoke:
            if credited.remove(transaction.transactionID) != nil { coins[account, default: 0] -= transaction.quantity }
        case .refundReversed:
            credit(ReceiptTransaction(transaction), to: account)
        default:
            break
        }
        return Response(status: 200)
    }

    /// Where the account's subscription stands.
    func subscription(of account: String, at date: Date) -> ReceiptSubscriptionStatus {
        let receipt = Receipt(ReceiptContents(transactions: transactions[account] ?? [], renewals: renewals[account] ?? []))
        return receipt.subscriptionStatus(of: ["com.example.monthly", "com.example.yearly"], at: .date(date))
    }
}
