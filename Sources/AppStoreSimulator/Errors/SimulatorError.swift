public import Foundation

/// An error of a control of the simulated App Store.
public struct SimulatorError: LocalizedError, Sendable, Hashable, CustomStringConvertible {
    /// The kind of an error.
    public enum Code: Sendable, Hashable, CaseIterable {
        /// The catalog doesn't contain the product.
        case unknownProduct
        /// The account's history doesn't contain the transaction.
        case unknownTransaction
        /// The purchase isn't waiting for approval.
        case notAwaitingApproval
        /// The purchase wasn't interrupted and has no billing issue.
        case noIssue
        /// The account has no active subscription to the product.
        case notSubscribed
        /// The product doesn't have the offer.
        case unknownOffer
        /// The account doesn't own the product.
        case notOwned
        /// The product can't be in the state of the customer.
        case unsuitableProduct
    }

    /// The kind of the error.
    public let code: Code
    /// One line with the product or transaction and the reason.
    public let message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The ``message``.
    public var description: String { message }

    /// The ``message``.
    public var errorDescription: String? { message }
}
