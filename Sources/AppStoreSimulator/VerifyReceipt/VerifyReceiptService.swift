import Foundation

/// Simulates Apple's `verifyReceipt` with the history of a simulated account.
///
/// A receipt is authentic if the simulator's issuer creates the same bytes from its content.
struct VerifyReceiptService {
    /// Whether the service is the production service instead of the sandbox.
    var isProduction: Bool
    /// The shared secret that receipts with subscriptions require; `nil` accepts any secret, or none.
    var sharedSecret: String?
    var signsReceipts: Bool
    var now: Date
    /// The transactions that the App Store lists, oldest first.
    var history: [SimulatedHistoryRecord]
    var renewals: [SimulatedRenewal]
    /// Creates a current receipt file.
    var latestReceipt: () -> Data

    func response(to body: Data) -> Data {
        let response: [String: Any]
        do {
            response = try answer(to: body)
        } catch let status as VerifyReceiptStatus {
            response = ["status": status.rawValue, "environment": isProduction ? "Production" : "Sandbox"]
        } catch {
            response = ["status": VerifyReceiptStatus.malformedReceipt.rawValue]
        }
        return Self.json(response)
    }

    /// Returns a response that contains only a status.
    static func response(status: Int) -> Data {
        // Apple documents 21100 to 21199 as errors of the service. `is-retryable` tells the client whether to retry.
        json((21_100...21_199).contains(status) ? ["status": status, "is-retryable": true] : ["status": status])
    }

    private func answer(to body: Data) throws -> [String: Any] {
        let request = try JSONDecoder().decode(VerifyReceiptRequest.self, from: body)
        guard let file = Data(base64Encoded: request.receipt, options: .ignoreUnknownCharacters),
            let content = SimulatedReceipt.signedContent(of: file), let receipt = SimulatedReceipt(decoding: content)
        else { throw VerifyReceiptStatus.malformedReceipt }
        var issuer = SimulatedReceiptIssuer()
        issuer.signs = signsReceipts
        guard issuer.container(around: content) == Array(file) else { throw VerifyReceiptStatus.notAuthenticated }
        switch receipt.environment {
        case .production where !isProduction: throw VerifyReceiptStatus.productionReceipt
        case .sandbox where isProduction, .volumePurchase where isProduction: throw VerifyReceiptStatus.sandboxReceipt
        case .xcode: throw VerifyReceiptStatus.notAuthenticated
        default: break
        }
        let hasSubscriptions = receipt.transactions.contains { $0.expirationDate != nil }
        if hasSubscriptions, let sharedSecret, request.sharedSecret != sharedSecret {
            throw VerifyReceiptStatus.sharedSecretMismatch
        }
        var response: [String: Any] = [
            "status": VerifyReceiptStatus.valid.rawValue, "environment": isProduction ? "Production" : "Sandbox",
            "receipt": VerifyReceiptObject.receipt(receipt, now: now, rows: inApp(receipt)),
        ]
        // Apple's documentation: only receipts with auto-renewable subscriptions have these fields.
        if hasSubscriptions {
            response["latest_receipt"] = latestReceipt().base64EncodedString()
            response["latest_receipt_info"] = latest(excludesOld: request.excludesOldTransactions ?? false)
            response["pending_renewal_info"] = renewals.map { VerifyReceiptObject.renewal($0, now: now) }
        }
        return response
    }

    /// Returns the rows of the sent receipt, with their current revocation dates.
    private func inApp(_ receipt: SimulatedReceipt) -> [[String: Any]] {
        let known = Dictionary(
            history.compactMap { record in record.transactionID.map { ($0, record) } },
            uniquingKeysWith: { first, _ in first })
        return receipt.transactions.map { purchase in
            var purchase = purchase
            if let record = known[purchase.transactionID] { purchase.revocationDate = record.revocationDate }
            return VerifyReceiptObject.row(purchase)
        }
    }

    /// Returns the transactions of the App Store's list, newest first. If old transactions are excluded, returns only
    /// the latest transaction of each subscription.
    private func latest(excludesOld: Bool) -> [[String: Any]] {
        var seen: Set<String> = []
        return history.reversed().filter { record in
            guard excludesOld, let original = record.originalTransactionID, record.kind == .autoRenewableSubscription
            else { return true }
            return seen.insert(original).inserted
        }.map { VerifyReceiptObject.row($0) }
    }

    private static func json(_ object: [String: Any]) -> Data {
        // The object contains only strings, numbers, Booleans, arrays and dictionaries, whose encoding never fails.
        (try? JSONSerialization.data(withJSONObject: object, options: [.sortedKeys])) ?? Data()
    }
}

/// The body of a request to `verifyReceipt`, by Apple's documentation.
struct VerifyReceiptRequest: Decodable {
    let receipt: String
    var sharedSecret: String?
    var excludesOldTransactions: Bool?

    private enum CodingKeys: String, CodingKey {
        case receipt = "receipt-data"
        case sharedSecret = "password"
        case excludesOldTransactions = "exclude-old-transactions"
    }
}

/// The statuses of `verifyReceipt` that the simulator returns, by Apple's documentation.
enum VerifyReceiptStatus: Int, Error {
    case valid = 0
    /// The receipt is malformed or missing.
    case malformedReceipt = 21_002
    /// The receipt couldn't be authenticated.
    case notAuthenticated = 21_003
    /// The shared secret doesn't match the account's secret.
    case sharedSecretMismatch = 21_004
    /// A sandbox receipt was sent to the production service.
    case sandboxReceipt = 21_007
    /// A production receipt was sent to the sandbox.
    case productionReceipt = 21_008
}
