import AppReceipt
import AppStoreServer
import Foundation
import ReceiptTestFixtures

/// A server for purchases. It processes deliveries of `HTTPPurchaseDelivery` and Apple's notifications. Any web
/// framework can call it.
struct PurchaseServer: Sendable {
    /// A response.
    struct Response: Equatable, Sendable {
        var status: Int
        var body = ""

        /// Accepts some purchases. The app sends the others again.
        static func accepted(_ keys: [String]) -> Response {
            let decisions = Dictionary(keys.map { ($0, ["decision": "accepted"]) }) { $1 }
            guard !keys.isEmpty, let body = try? JSONEncoder().encode(["decisions": decisions]) else {
                return Response(status: 503)
            }
            return Response(status: 200, body: String(decoding: body, as: UTF8.self))
        }
    }

    let receipts: LocalReceiptVerifier
    let payloads: AppStoreServerVerifier
    /// The products that the server can deliver.
    var products: Set = ["com.example.coins", "com.example.monthly", "com.example.yearly"]

    /// Apple's statements about each original transaction, in any order. Use a database here.
    private var statements: [String: ReceiptContents] = [:]
    /// The account of every delivered original transaction.
    private var accounts: [String: UUID] = [:]
    /// The coins of every account.
    private(set) var coins: [UUID: Int] = [:]
    private var credited: Set<String> = []
    private var notified: Set<UUID> = []

    init(receipts: LocalReceiptVerifier, payloads: AppStoreServerVerifier) {
        self.receipts = receipts
        self.payloads = payloads
    }

    /// The fields that the server reads. Only the receipt and the signed
    /// transactions are signed.
    private struct Delivery: Decodable {
        struct Transaction: Decodable {
            let deliveryKey: String
            let signedTransaction: String?
            let transactionID: String?
            let originalTransactionID: String?
        }

        let receipt: Data?
        let transactions: [Transaction]
    }

    /// Processes the body of a delivery in the session of an account.
    mutating func deliver(_ body: Data, session: UUID) -> Response {
        guard let delivery = try? JSONDecoder().decode(Delivery.self, from: body) else { return Response(status: 400) }
        var accepted: [String] = []
        for purchase in delivery.transactions {
            guard let row = verifiedRow(for: purchase, delivery.receipt), products.contains(row.productID)
            else { continue }
            let original = row.originalTransactionID
            // Apple has signed the account, or the payment named none.
            accounts[original] = row.accountID ?? accounts[original] ?? session
            record(row)
            accepted.append(purchase.deliveryKey)
        }
        return .accepted(accepted)
    }

    /// Returns the data that Apple has signed, if it can be verified now.
    private func verifiedRow(for purchase: Delivery.Transaction, _ receipt: Data?) -> ReceiptTransaction? {
        if let text = purchase.signedTransaction {
            return try? ReceiptTransaction(payloads.transaction(jws: text))
        }
        let receipt = receipt.flatMap { try? receipts.verify($0) }
        var row = purchase.transactionID.flatMap { receipt?.transaction(id: $0) }
        row = row ?? purchase.originalTransactionID.flatMap { receipt?.transaction(id: $0) }
        // The statements in a receipt are as old as the receipt.
        row?.signedDate = receipt?.creationDate
        return row
    }

    /// Stores a statement, and adjusts the coins to the newest statement.
    private mutating func record(_ row: ReceiptTransaction) {
        let original = row.originalTransactionID
        statements[original, default: ReceiptContents()].transactions.append(row)
        guard let account = accounts[original], let contents = statements[original] else { return }
        for row in Receipt(contents).transactions(of: "com.example.coins") {
            if row.isValid, credited.insert(row.transactionID).inserted { coins[account, default: 0] += row.quantity }
            if !row.isValid, credited.remove(row.transactionID) != nil { coins[account, default: 0] -= row.quantity }
        }
    }

    /// Processes a notification. Apple repeats it until the status is 200.
    mutating func notify(_ body: Data) -> Response {
        let notification: AppStoreServerNotification
        do {
            notification = try payloads.notification(requestBody: body)
        } catch {
            return Response(status: 403)
        }
        guard notified.insert(notification.id).inserted, let transaction = notification.transaction else {
            return Response(status: 200)
        }
        if let renewal = notification.renewalInfo {
            statements[transaction.originalTransactionID, default: ReceiptContents()].renewals.append(
                ReceiptRenewal(renewal))
        }
        // A notification may arrive before the delivery names the account.
        record(ReceiptTransaction(transaction))
        return Response(status: 200)
    }

    /// Returns the status of the account's subscription.
    func subscription(of account: UUID, at date: Date) -> ReceiptSubscriptionStatus {
        let contents = accounts.filter { $0.value == account }.compactMap { statements[$0.key] }
        let receipt = Receipt(
            ReceiptContents(transactions: contents.flatMap(\.transactions), renewals: contents.flatMap(\.renewals)))
        return receipt.subscriptionStatus(of: ["com.example.monthly", "com.example.yearly"], at: .date(date))
    }

    /// Creates the server of an app in the App Store.
    static func production() -> PurchaseServer {
        PurchaseServer(
            receipts: LocalReceiptVerifier(bundleID: "com.example.app", environment: .production, device: nil),
            payloads: AppStoreServerVerifier(
                bundleID: "com.example.app", appStoreID: 1_234_567_890, environment: .production))
    }
}

extension PurchaseServer {
    /// The quantities of the delivered transactions of each account, by product.
    var delivered: [UUID: [String: Int]] {
        accounts.reduce(into: [:]) { delivered, owner in
            for row in statements[owner.key].map({ Receipt($0).transactions }) ?? [] {
                delivered[owner.value, default: [:]][row.productID, default: 0] += row.quantity
            }
        }
    }
}
