/// What came of every check of a verification.
public struct ReceiptVerificationReport: Hashable, Sendable {
    /// Every check of the verification, in order.
    public let steps: [Step]

    /// A check and what came of it.
    public struct Step: Hashable, Sendable {
        /// What was checked.
        public let check: ReceiptCheck
        /// What came of it.
        public let outcome: Outcome
    }

    /// What came of a check.
    public enum Outcome: Hashable, Sendable {
        /// It held; the text says what was found.
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

/// Runs checks one after another and keeps what came of each.
struct VerificationRecorder {
    private var outcomes: [ReceiptCheck: ReceiptVerificationReport.Outcome] = [:]

    /// Runs a check and returns what it found, unless one of those it builds on did not hold.
    mutating func check<Finding>(
        _ check: ReceiptCheck, after conditions: ReceiptCheck..., body: () throws(ReceiptVerificationError) -> (Finding, String)
    ) -> Finding? {
        guard conditions.allSatisfy(holds) else {
            outcomes[check] = .notReached
            return nil
        }
        do throws(ReceiptVerificationError) {
            let (finding, detail) = try body()
            outcomes[check] = .passed(detail)
            return finding
        } catch {
            outcomes[check] = .failed(error)
            return nil
        }
    }

    mutating func skip(_ check: ReceiptCheck, _ reason: String) {
        outcomes[check] = .skipped(reason)
    }

    private func holds(_ check: ReceiptCheck) -> Bool {
        switch outcomes[check] {
        case .passed, .skipped: true
        case .failed, .notReached, nil: false
        }
    }

    /// The report about these checks; one that was never come to counts as not reached.
    func report(_ checks: [ReceiptCheck]) -> ReceiptVerificationReport {
        ReceiptVerificationReport(steps: checks.map { .init(check: $0, outcome: outcomes[$0] ?? .notReached) })
    }
}
