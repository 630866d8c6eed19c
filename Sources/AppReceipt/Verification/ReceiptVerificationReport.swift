/// The checks of a verification with their outcomes. A verification ends at the first check that fails.
public struct ReceiptVerificationReport: Hashable, Sendable {
    /// The checks that were made, in order. Only the last one can have failed.
    public private(set) var steps: [Step] = []

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
    }

    /// Whether all requested checks passed.
    public var isVerified: Bool { !steps.isEmpty && failure == nil }

    /// The failure; `nil` if every check passed.
    public var failure: ReceiptVerificationError? {
        guard case .failed(let error)? = steps.last?.outcome else { return nil }
        return error
    }

    /// Returns the outcome of a check; `nil` if the check wasn't made.
    public func outcome(of check: ReceiptCheck) -> Outcome? {
        steps.first { $0.check == check }?.outcome
    }
}

extension ReceiptVerificationReport {
    /// Makes a verification. The error that it throws is the failure of the report.
    init(of verify: (inout ReceiptVerificationReport) throws(ReceiptVerificationError) -> Void) {
        do throws(ReceiptVerificationError) {
            try verify(&self)
        } catch {
            // The check may have passed for another part of the input.
            steps.removeAll { $0.check == error.check }
            steps.append(Step(check: error.check, outcome: .failed(error)))
        }
    }

    /// Records that a check has passed. A check that is made again keeps its place.
    mutating func pass(_ check: ReceiptCheck, _ finding: String) {
        let step = Step(check: check, outcome: .passed(finding))
        guard let place = steps.firstIndex(where: { $0.check == check }) else { return steps.append(step) }
        steps[place] = step
    }

    mutating func skip(_ check: ReceiptCheck, _ reason: String) {
        steps.append(Step(check: check, outcome: .skipped(reason)))
    }
}
