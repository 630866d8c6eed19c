package import AppStoreSimulator
public import Foundation

extension Transaction {
    /// The reason for a transaction.
    public struct Reason: RawRepresentable, Hashable, Sendable {
        /// The customer bought the product.
        public static let purchase = Reason(rawValue: "PURCHASE")
        /// The App Store renewed a subscription.
        public static let renewal = Reason(rawValue: "RENEWAL")

        /// The type of the raw value.
        public typealias RawValue = String

        /// The raw value.
        public let rawValue: String

        /// Creates a value from any raw value, even one without a constant.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }
    }

    /// The reason for a revocation.
    public struct RevocationReason: RawRepresentable, Hashable, Sendable {
        /// An actual or perceived issue of the app.
        public static let developerIssue = RevocationReason(rawValue: 1)
        /// Any other reason.
        public static let other = RevocationReason(rawValue: 0)
        /// The customer upgraded to a bundle that includes the subscription.
        public static var upgradedToBundle: RevocationReason { RevocationReason(rawValue: 2) }

        /// The type of the raw value.
        public typealias RawValue = Int

        /// The raw value.
        public let rawValue: Int

        /// Creates a value from any raw value, even one without a constant.
        public init(rawValue: Int) {
            self.rawValue = rawValue
        }
    }

    /// How the customer owns a purchase.
    public struct OwnershipType: RawRepresentable, Hashable, Sendable {
        /// The customer bought the product.
        public static let purchased = OwnershipType(rawValue: "PURCHASED")
        /// A family member bought the product and shares the purchase.
        public static let familyShared = OwnershipType(rawValue: "FAMILY_SHARED")
        /// An organization bought the product and assigned the purchase to the customer.
        public static var assigned: OwnershipType { OwnershipType(rawValue: "ASSIGNED") }

        /// The type of the raw value.
        public typealias RawValue = String

        /// The raw value.
        public let rawValue: String

        /// Creates a value from any raw value, even one without a constant.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }
    }

    /// The extent of a revocation.
    public struct RevocationType: RawRepresentable, Hashable, Sendable {
        /// The family no longer shares the purchase.
        public static let familyRevocation = RevocationType(rawValue: "FAMILY_REVOKE")
        /// The whole price was refunded.
        public static let fullRefund = RevocationType(rawValue: "REFUND_FULL")
        /// A part of the price was refunded.
        public static let proratedRefund = RevocationType(rawValue: "REFUND_PRORATED")
        /// An organization no longer assigns the purchase to the customer.
        public static var assignmentRevocation: RevocationType { RevocationType(rawValue: "ASSIGNMENT_REVOKE") }

        /// The type of the raw value.
        public typealias RawValue = String

        /// The raw value.
        public let rawValue: String

        /// Creates a value from any raw value, even one without a constant.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }
    }

    /// The result of a refund request.
    public enum RefundRequestStatus: Hashable, Sendable {
        /// The App Store received the request.
        case success
        /// The customer canceled the request.
        case userCancelled
    }

    /// Presents the sheet for a refund request in one launch and returns the result.
    ///
    /// `SimulatorBehavior.refundRequestEnding` selects the result.
    /// - Throws: ``RefundRequestError``
    package static func beginRefundRequest(
        for transactionID: UInt64, launch: SimulatedLaunch
    ) throws(RefundRequestError) -> RefundRequestStatus {
        launch.present(.refundRequest(transactionID: "\(transactionID)"))
        switch launch.store.behavior.refundRequestEnding {
        case .sent: return .success
        case .userCancelled: return .userCancelled
        case .duplicateRequest: throw .duplicateRequest
        case .failed: throw .failed
        case .ineligible: throw .ineligible
        }
    }

    /// An error of a refund request.
    public enum RefundRequestError: Error, LocalizedError, Hashable, Sendable {
        /// A refund of the transaction was already requested.
        case duplicateRequest
        /// The request failed.
        case failed
        /// The transaction can't be refunded.
        case ineligible
    }
}
