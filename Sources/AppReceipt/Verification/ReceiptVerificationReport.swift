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
    /// Makes a check, records its outcome, and returns its finding.
    mutating func check<Finding>(
        _ check: ReceiptCheck, body: () throws(ReceiptVerificationError) -> (Finding, String)
    ) throws(ReceiptVerificationError) -> Finding {
        do throws(ReceiptVerificationError) {
            let (finding, detail) = try body()
            record(.passed(detail), of: check)
            return finding
        } catch {
            record(.failed(error), of: check)
            throw error
        }
    }

    /// Checks that the input is readable. Call this function again for more of the input; the last outcome wins.
    mutating func checkStructure<Finding>(
        _ body: () throws(MalformedReceiptError) -> (Finding, String)
    ) throws(ReceiptVerificationError) -> Finding {
        try check(.structure) { () throws(ReceiptVerificationError) in
            do throws(MalformedReceiptError) {
                return try body()
            } catch {
                throw ReceiptVerificationError(error, .structure)
            }
        }
    }

    mutating func skip(_ check: ReceiptCheck, _ reason: String) {
        record(.skipped(reason), of: check)
    }

    /// Records the outcome of a check. A passed check that is made again keeps its place, unless it fails.
    // Not inlined into the specializations of `check`.
    @inline(never)
    private mutating func record(_ outcome: Outcome, of check: ReceiptCheck) {
        let step = Step(check: check, outcome: outcome)
        guard let place = steps.firstIndex(where: { $0.check == check }) else { return steps.append(step) }
        if case .failed = outcome {
            steps.remove(at: place)
            steps.append(step)
        } else {
            steps[place] = step
        }
    }
}
