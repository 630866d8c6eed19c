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
        /// The product can't be in this state on the App Store, such as a consumable that a family shares.
        case unsuitableProduct
        /// The account isn't eligible for the offer.
        case notEligible
        /// The App Store doesn't allow the value, such as a price below zero or an interval in the past.
        case invalidValue
        /// The App Store can't sell the products of the catalog, such as two with the same identifier.
        case invalidCatalog
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
