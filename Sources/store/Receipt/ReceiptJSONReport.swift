import AppReceipt
import AppStoreServer
import Foundation

/// The result of an inspection as a JSON object. Dates are in ISO 8601, in UTC.
struct ReceiptJSONReport: Encodable {
    private struct Step: Encodable {
        let check: String
        /// `passed`, `failed` or `skipped`.
        let outcome: String
        let detail: String
    }

    private struct Subscription: Encodable {
        let products: [String]
        let state: SubscriptionState
        let isEntitled: Bool
        let expires: Date?
        let accessEnds: Date?
        let renews: Bool?
        let decidingTransaction: String?
    }

    private struct Notification: Encodable {
        let id: UUID
        let type: String
        let subtype: String?
        let status: Int?
        let signedDate: Date
        let unknownFields: [String: ReceiptValue]

        init(_ notification: AppStoreServerNotification) {
            id = notification.id
            type = notification.type.rawValue
            subtype = notification.subtype?.rawValue
            status = notification.status?.rawValue
            signedDate = notification.signedDate
            unknownFields = notification.unknownFields
        }
    }

    private let form: String
    private let size: Int
    private let isVerified: Bool
    private let status: Int?
    private let verification: [Step]
    private let notification: Notification?
    private let receipt: Receipt?
    private let subscriptions: [Subscription]
    private let evaluatedAt: Date

    private init(_ inspection: ReceiptInspection) {
        form = inspection.form.rawValue
        size = inspection.size
        isVerified = inspection.isVerified
        status = inspection.status
        verification = inspection.steps.map { step in
            Step(
                check: step.name, outcome: step.hasPassed.map { $0 ? "passed" : "failed" } ?? "skipped",
                detail: step.detail)
        }
        notification = inspection.notification.map(Notification.init)
        receipt = inspection.receipt
        subscriptions = inspection.subscriptions.map { status in
            Subscription(
                products: status.productIDs.sorted(), state: status.state, isEntitled: status.isEntitled,
                expires: status.expirationDate,
                accessEnds: status.accessEndDate, renews: status.willAutoRenew,
                decidingTransaction: status.transaction?.transactionID)
        }
        evaluatedAt = inspection.now
    }

    /// Returns the lines of the object, with sorted keys. Characters that control a terminal are escaped.
    static func lines(_ inspection: ReceiptInspection) -> [String] {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(ReceiptJSONReport(inspection)) else { return ["{}"] }
        return String(decoding: data, as: UTF8.self).split(separator: "\n").map { String($0).escapedForJSON }
    }
}
