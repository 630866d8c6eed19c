package import AppStoreSimulator
public import Foundation

extension Transaction {
    /// Why there is a transaction.
    public struct Reason: RawRepresentable, Hashable, Sendable {
        /// The customer has bought.
        public static let purchase = Reason(rawValue: "PURCHASE")
        /// The App Store has renewed a subscription.
        public static let renewal = Reason(rawValue: "RENEWAL")

        /// The type of the raw value.
        public typealias RawValue = String

        /// The raw value.
        public let rawValue: String

        /// Makes a value, which may be one that has no name here.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }
    }

    /// Why a transaction was taken back.
    public struct RevocationReason: RawRepresentable, Hashable, Sendable {
        /// An actual or perceived issue of the app.
        public static let developerIssue = RevocationReason(rawValue: 1)
        /// Any other reason.
        public static let other = RevocationReason(rawValue: 0)
        /// The customer has moved on to a bundle that includes the subscription.
        public static var upgradedToBundle: RevocationReason { RevocationReason(rawValue: 2) }

        /// The type of the raw value.
        public typealias RawValue = Int

        /// The raw value.
        public let rawValue: Int

        /// Makes a value, which may be one that has no name here.
        public init(rawValue: Int) {
            self.rawValue = rawValue
        }
    }

    /// How the customer came by a purchase.
    public struct OwnershipType: RawRepresentable, Hashable, Sendable {
        /// Bought by the customer.
        public static let purchased = OwnershipType(rawValue: "PURCHASED")
        /// Bought by a member of the family, who shares it.
        public static let familyShared = OwnershipType(rawValue: "FAMILY_SHARED")
        /// Bought by an organization, which has assigned it to the customer.
        public static var assigned: OwnershipType { OwnershipType(rawValue: "ASSIGNED") }

        /// The type of the raw value.
        public typealias RawValue = String

        /// The raw value.
        public let rawValue: String

        /// Makes a value, which may be one that has no name here.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }
    }

    /// How much of a purchase was taken back.
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

        /// Creates a value, which may have no name here.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }
    }

    /// How a request for a refund ended.
    public enum RefundRequestStatus: Hashable, Sendable {
        /// The App Store has the request.
        case success
        /// The customer did not send it.
        case userCancelled
    }

    /// Shows the sheet for a refund request in one launch, and returns how the request ended.
    ///
    /// `SimulatorBehavior.refundRequestEnding` decides how the request ends.
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

    /// Why a refund could not be requested.
    public enum RefundRequestError: Error, LocalizedError, Hashable, Sendable {
        /// There was such a request before.
        case duplicateRequest
        /// It failed.
        case failed
        /// The transaction can't be refunded.
        case ineligible
    }
}
