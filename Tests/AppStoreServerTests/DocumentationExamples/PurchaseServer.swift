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

        static let accepted = Response(status: 200, body: #"{"decision":"accepted"}"#)

        static func rejected(_ message: String) -> Response {
            Response(status: 422, body: #"{"decision":"rejected","message":"\#(message)"}"#)
        }
    }

    let receipts: LocalReceiptVerifier
    let payloads: AppStoreServerVerifier

    /// Apple's statements about each original transaction, in any order. Use a database here.
    private var statements: [String: ReceiptContents] = [:]
    /// The account of every delivered original transaction.
    private var accounts: [String: String] = [:]
    /// The coins of every account.
    private(set) var coins: [String: Int] = [:]
    private var credited: Set<String> = []
    private var delivered: Set<String> = []
    private var notified: Set<UUID> = []

    init(receipts: LocalReceiptVerifier, payloads: AppStoreServerVerifier) {
        self.receipts = receipts
        self.payloads = payloads
    }

    /// The fields that the server reads. Only the receipt is signed.
    private struct Delivery: Decodable {
        struct Transaction: Decodable {
            let transactionID: String?
            let originalTransactionID: String?
        }

        let deliveryKey: String
        let receipt: Data?
        let transactions: [Transaction]
    }

    /// Processes the body of a delivery for the authenticated account.
    mutating func deliver(_ body: Data, account: String) -> Response {
        guard let delivery = try? JSONDecoder().decode(Delivery.self, from: body) else { return Response(status: 400) }
        // A repeated delivery: the app didn't receive the response.
        let key = "\(account) \(delivery.deliveryKey)"
        guard !delivered.contains(key) else { return .accepted }
        guard let file = delivery.receipt else { return Response(status: 503) }
        do throws(ReceiptVerificationError) {
            let receipt = try receipts.verify(file)
            let rows = delivery.transactions.compactMap { row(for: $0, in: receipt) }
            // The app soon sends a receipt that contains the purchase.
            guard rows.count == delivery.transactions.count else { return Response(status: 503) }
            // A receipt can be copied, so a purchase keeps its account.
            guard rows.allSatisfy({ accounts[$0.originalTransactionID, default: account] == account }) else {
                return .rejected("This purchase belongs to another account.")
            }
            for row in rows {
                accounts[row.originalTransactionID] = account
                record(row)
            }
            delivered.insert(key)
            return .accepted
        } catch {
            // The server may lack a root. Don't lose the purchase.
            guard error.check != .trust, error.check != .validity else { return Response(status: 503) }
            return .rejected("This receipt is not from the App Store.")
        }
    }

    /// Returns the receipt's transaction. Other fields of the body aren't used.
    private func row(for transaction: Delivery.Transaction, in receipt: Receipt) -> ReceiptTransaction? {
        var row = transaction.transactionID.flatMap { receipt.transaction(id: $0) }
        row = row ?? transaction.originalTransactionID.flatMap { receipt.transaction(id: $0) }
        // The statements in a receipt are as old as the receipt.
        row?.signedDate = receipt.creationDate
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
    func subscription(of account: String, at date: Date) -> ReceiptSubscriptionStatus {
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
