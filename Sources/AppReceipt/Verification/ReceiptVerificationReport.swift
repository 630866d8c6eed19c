/// The outcomes of all checks of a verification.
public struct ReceiptVerificationReport: Hashable, Sendable {
    /// The checks of the verification, in order.
    public let steps: [Step]

    /// A check and its outcome.
    public struct Step: Hashable, Sendable {
        /// The check.
        public let check: ReceiptCheck
        /// The outcome.
        public let outcome: Outcome
    }

    /// The outcome of a check.
    public enum Outcome: Hashable, Sendable {
        /// The check passed, with its finding.
        case passed(String)
        /// The check failed.
        case failed(ReceiptVerificationError)
        /// The check wasn't requested or doesn't apply, with the reason.
        case skipped(String)
        /// A check that this check depends on failed.
        case notReached
    }

    /// Whether all requested checks passed.
    public var isVerified: Bool {
        steps.allSatisfy { step in
            switch step.outcome {
            case .passed, .skipped: true
            case .failed, .notReached: false
            }
        }
    }

    /// The first failure; `nil` if every check passed.
    public var failure: ReceiptVerificationError? {
        for case .failed(let error) in steps.lazy.map(\.outcome) { return error }
        return nil
    }

    /// Returns the outcome of a check; `nil` if the check isn't part of the verification.
    public func outcome(of check: ReceiptCheck) -> Outcome? {
        steps.first { $0.check == check }?.outcome
    }
}
