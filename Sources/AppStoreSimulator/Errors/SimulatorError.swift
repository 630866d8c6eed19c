/// Why a control of the simulated App Store could not do what it was asked.
public struct SimulatorError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kinds of refusal.
    public enum Code: Sendable, Hashable, CaseIterable {
        /// The catalog has no such product.
        case unknownProduct
        /// The account's history has no such transaction.
        case unknownTransaction
        /// The transaction does not wait for an approval.
        case notAwaitingApproval
        /// The transaction was not interrupted, and has no billing problem.
        case noIssue
        /// The account has no such subscription, or it has run out.
        case notSubscribed
        /// The account does not own the product.
        case notOwned
    }

    /// The kind of refusal.
    public let code: Code
    /// What was asked for: an identifier.
    public let subject: String

    package init(_ code: Code, _ subject: String) {
        self.code = code
        self.subject = subject
    }

    /// One line that names the refusal and its subject.
    public var description: String {
        switch code {
        case .unknownProduct: "The catalog has no product “\(subject)”."
        case .unknownTransaction: "The account has no transaction “\(subject)”."
        case .notAwaitingApproval: "Transaction \(subject) does not wait for an approval."
        case .noIssue: "Transaction \(subject) was not interrupted and has no billing problem."
        case .notSubscribed: "The account has no running subscription “\(subject)”."
        case .notOwned: "The account does not own “\(subject)”."
        }
    }
}
