import AppReceipt
import AppStoreServer
import Foundation

/// The result of the inspection of a file.
struct ReceiptInspection {
    enum Form: String {
        case pkcs7 = "App Store receipt (PKCS#7)"
        case pkcs7Base64 = "App Store receipt (PKCS#7 in base64)"
        case verifyReceipt = "verifyReceipt response (JSON)"
        case notificationOfVersion1 = "App Store Server Notification, version 1 (JSON)"
        case reply = "reply of the App Store Server API (JSON)"
        case transaction = "signed transaction (JWS)"
        case renewal = "signed renewal information (JWS)"
        case appTransaction = "signed app transaction (JWS)"
        case notification = "App Store Server Notification (JWS)"
        case other = "signed payload (JWS)"
    }

    /// A check. `hasPassed` is `nil` for a check that was skipped.
    struct Step {
        let name: String
        let hasPassed: Bool?
        let detail: String
    }

    let form: Form
    let size: Int
    let now: Date
    /// The contents as a receipt; `nil` if Apple refused the receipt.
    let receipt: Receipt?
    /// The status of a `verifyReceipt` response.
    var status: Int?
    /// The notification, without the signed data inside.
    var notification: AppStoreServerNotification?
    let steps: [Step]

    /// Whether no check failed.
    var isVerified: Bool { !steps.contains { $0.hasPassed == false } }

    var subscriptions: [ReceiptSubscriptionStatus] { receipt?.subscriptionStatuses(at: .date(now)) ?? [] }
}

extension ReceiptInspection.Form {
    init(_ payload: SignedPayload) {
        switch payload.kind {
        case .transaction: self = .transaction
        case .renewalInfo: self = .renewal
        case .appTransaction: self = .appTransaction
        case .notification: self = .notification
        default: self = .other
        }
    }
}

extension ReceiptInspection.Step {
    init(_ step: ReceiptVerificationReport.Step) {
        name = step.check.rawValue
        switch step.outcome {
        case .passed(let finding): (hasPassed, detail) = (true, finding)
        case .failed(let error): (hasPassed, detail) = (false, error.reason)
        case .skipped(let reason): (hasPassed, detail) = (nil, reason)
        }
    }
}
