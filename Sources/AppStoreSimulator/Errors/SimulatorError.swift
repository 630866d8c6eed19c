public import Foundation

/// Why a control of the simulated App Store could not do what it was asked.
public struct SimulatorError: LocalizedError, Sendable, Hashable, CustomStringConvertible {
    /// The kinds of refusal.
    public enum Code: Sendable, Hashable, CaseIterable {
        /// The catalog has no such product.
        case unknownProduct
        /// The account's history has no such transaction.
        case unknownTransaction
        /// The purchase does not wait for an approval.
        case notAwaitingApproval
        /// The purchase was not interrupted, and has no billing problem.
        case noIssue
        /// The account has no such subscription, or it has expired.
        case notSubscribed
        /// The product has no such offer.
        case unknownOffer
        /// The account does not own the product.
        case notOwned
        /// The product can't be in the state of the customer.
        case unsuitableProduct
    }

    /// The kind of refusal.
    public let code: Code
    /// One line that names what was asked for, and why it cannot be done.
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
