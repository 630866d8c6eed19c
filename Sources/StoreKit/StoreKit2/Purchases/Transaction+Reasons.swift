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

        /// The type of the raw value.
        public typealias RawValue = String

        /// The raw value.
        public let rawValue: String

        /// Makes a value, which may be one that has no name here.
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
        }
    }

    /// Why a refund could not be requested.
    public enum RefundRequestError: Error, LocalizedError, Hashable, Sendable {
        /// There was such a request before.
        case duplicateRequest
        /// It failed.
        case failed
    }
}
