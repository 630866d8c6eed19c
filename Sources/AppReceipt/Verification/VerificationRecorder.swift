import Foundation

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

    mutating func fail(_ check: ReceiptCheck, _ error: ReceiptVerificationError) {
        outcomes[check] = .failed(error)
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

extension VerificationRecorder {
    /// The checks that follow once the certificates form a chain, the same for receipts and for signed transactions.
    mutating func checkChain(_ chain: CertificateChain?, _ roots: TrustedRoots, at date: Date?, isDateKnown: Bool) {
        let trust = check(.trust, after: .chain) { () throws(ReceiptVerificationError) in
            guard let trust = try chain?.trust(roots) else {
                throw ReceiptVerificationError(.chainIncomplete, .trust, "there are no certificates")
            }
            return (trust, trust.detail)
        }
        if isDateKnown {
            let _: Void? = check(.validity, after: .chain) { () throws(ReceiptVerificationError) in
                guard let date else {
                    throw ReceiptVerificationError(
                        .creationDateMissing, .validity, "the receipt says neither when it was made nor when it was issued")
                }
                try chain?.checkValidity(at: date)
                return ((), "at \(date)")
            }
        }
        guard trust?.asksForAppStoreShape ?? true else {
            skip(.constraints, "the signer's certificate is trusted by itself")
            skip(.markers, "the signer's certificate is trusted by itself")
            return
        }
        let _: Void? = check(.constraints, after: .chain) { () throws(ReceiptVerificationError) in
            try chain?.checkConstraints()
            return ((), "authorities and key usage")
        }
        let _: Void? = check(.markers, after: .chain) { () throws(ReceiptVerificationError) in
            try chain?.checkMarkers()
            return ((), "both of Apple's markers")
        }
    }
}

extension VerificationRecorder {
    mutating func checkBundleID(_ named: String?, is expectation: ExpectedBundleID) {
        guard case .exactly(let expected) = expectation else {
            skip(.bundleID, "any app is accepted\(named.map { ", this is \($0)" } ?? "")")
            return
        }
        let _: Void? = check(.bundleID, after: .structure) { () throws(ReceiptVerificationError) in
            guard let named else {
                throw ReceiptVerificationError(.bundleIDMissing, .bundleID, "no app is named")
            }
            guard expectation.matches(named) else {
                throw ReceiptVerificationError(.bundleIDMismatch, .bundleID, "it belongs to \(named), not to \(expected)")
            }
            return ((), named)
        }
    }

    mutating func checkEnvironment(_ named: ReceiptEnvironment?, is expected: ReceiptEnvironment?) {
        guard let expected else {
            skip(.environment, named.map { "\($0.rawValue); no environment was given" } ?? "no environment was given")
            return
        }
        let _: Void? = check(.environment, after: .structure) { () throws(ReceiptVerificationError) in
            guard named == expected else {
                let named = named?.rawValue ?? "no environment"
                throw ReceiptVerificationError(.environmentMismatch, .environment, "it comes from \(named), not from \(expected.rawValue)")
            }
            return ((), expected.rawValue)
        }
    }
}

extension CertificateChain.Trust {
    fileprivate var detail: String {
        switch self {
        case .root(let name): name
        case .signer(let name): "\(name), which signed by itself"
        case .localTesting: "a certificate of local testing, which proves nothing"
        }
    }

    fileprivate var asksForAppStoreShape: Bool {
        if case .root = self { true } else { false }
    }
}
