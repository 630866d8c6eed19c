/// What came of every check of a verification.
public struct ReceiptVerificationReport: Hashable, Sendable {
    /// Every check of the verification, in order.
    public let steps: [Step]

    /// A check and what came of it.
    public struct Step: Hashable, Sendable {
        /// The check.
        public let check: ReceiptCheck
        /// What came of it.
        public let outcome: Outcome
    }

    /// What came of a check.
    public enum Outcome: Hashable, Sendable {
        /// The check passed, with its finding.
        case passed(String)
        /// It did not hold.
        case failed(ReceiptVerificationError)
        /// It was not asked for, or does not apply; the text says which.
        case skipped(String)
        /// A check that it builds on did not hold.
        case notReached
    }

    /// Whether every check that was asked for held.
    public var isVerified: Bool {
        steps.allSatisfy { step in
            switch step.outcome {
            case .passed, .skipped: true
            case .failed, .notReached: false
            }
        }
    }

    /// The first failure, or `nil` when there is none.
    public var failure: ReceiptVerificationError? {
        for case .failed(let error) in steps.lazy.map(\.outcome) { return error }
        return nil
    }

    /// What came of one check, or `nil` when it is not part of this verification.
    public func outcome(of check: ReceiptCheck) -> Outcome? {
        steps.first { $0.check == check }?.outcome
    }
}
