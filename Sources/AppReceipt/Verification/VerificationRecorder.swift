import Foundation

/// Runs checks and records their outcomes.
struct VerificationRecorder {
    private var steps: [ReceiptVerificationReport.Step] = []

    /// Runs a check and returns its finding; `nil` if the check fails or a check that it depends on didn't pass.
    mutating func check<Finding>(
        _ check: ReceiptCheck, after conditions: ReceiptCheck...,
        body: () throws(ReceiptVerificationError) -> (Finding, String)
    ) -> Finding? {
        guard allHold(conditions) else {
            record(.notReached, of: check)
            return nil
        }
        do throws(ReceiptVerificationError) {
            let (finding, detail) = try body()
            record(.passed(detail), of: check)
            return finding
        } catch {
            fail(check, error)
            return nil
        }
    }

    /// Records the outcome of a check, and replaces an earlier outcome.
    // This function, `allHold` and `fail` aren't inlined into the specializations of `check`.
    @inline(never)
    private mutating func record(_ outcome: ReceiptVerificationReport.Outcome, of check: ReceiptCheck) {
        steps.removeAll { $0.check == check }
        steps.append(.init(check: check, outcome: outcome))
    }

    @inline(never)
    private func allHold(_ checks: [ReceiptCheck]) -> Bool {
        checks.allSatisfy(holds)
    }

    private func outcome(of check: ReceiptCheck) -> ReceiptVerificationReport.Outcome? {
        steps.first { $0.check == check }?.outcome
    }

    /// Checks that the input is readable. Call this function again for more of the input; the last outcome wins.
    mutating func checkStructure<Finding>(_ body: () throws(MalformedReceiptError) -> (Finding, String)) -> Finding? {
        check(.structure) { () throws(ReceiptVerificationError) in
            do throws(MalformedReceiptError) {
                return try body()
            } catch {
                throw ReceiptVerificationError(error, .structure)
            }
        }
    }

    @inline(never)
    mutating func fail(_ check: ReceiptCheck, _ error: ReceiptVerificationError) {
        record(.failed(error), of: check)
    }

    mutating func skip(_ check: ReceiptCheck, _ reason: String) {
        record(.skipped(reason), of: check)
    }

    /// Whether a check has failed so far.
    var hasFailed: Bool {
        steps.contains { if case .failed = $0.outcome { true } else { false } }
    }

    private func holds(_ check: ReceiptCheck) -> Bool {
        switch outcome(of: check) {
        case .passed, .skipped: true
        case .failed, .notReached, nil: false
        }
    }

    /// Returns a report about the checks. Checks without an outcome weren't reached.
    func report(_ checks: [ReceiptCheck]) -> ReceiptVerificationReport {
        ReceiptVerificationReport(steps: checks.map { .init(check: $0, outcome: outcome(of: $0) ?? .notReached) })
    }
}

extension VerificationRecorder {
    /// Checks the certificates of a receipt or a signed payload, and returns why the chain is trusted.
    mutating func checkChain(_ chain: CertificateChain?, at date: Date?, isDateKnown: Bool) -> CertificateChain.Trust? {
        let chain = check(.chain, after: .signer) { () throws(ReceiptVerificationError) in
            guard let chain else {
                throw ReceiptVerificationError(.chainIncomplete, .chain, "there are no certificates")
            }
            try chain.checkSignatures()
            return (chain, chain.description)
        }
        let trust = check(.trust, after: .chain) { () throws(ReceiptVerificationError) in
            let trust = try chain?.trust()
            return (trust, trust?.detail ?? "")
        }
        if isDateKnown {
            let _: Void? = check(.validity, after: .chain) { () throws(ReceiptVerificationError) in
                guard let date else {
                    throw ReceiptVerificationError(
                        .creationDateMissing, .validity, "the receipt has neither a creation date nor an issue date")
                }
                try chain?.checkValidity(at: date)
                return ((), "at \(date)")
            }
        }
        if let trust, let trust, !trust.requiresAppStoreShape {
            skip(.constraints, "the signer's certificate itself is trusted")
            skip(.markers, "the signer's certificate itself is trusted")
            return trust
        }
        let _: Void? = check(.constraints, after: .chain) { () throws(ReceiptVerificationError) in
            try chain?.checkConstraints()
            return ((), "authorities and key usage")
        }
        let _: Void? = check(.markers, after: .chain) { () throws(ReceiptVerificationError) in
            try chain?.checkMarkers()
            return ((), "both of Apple's markers")
        }
        return trust ?? nil
    }

    /// Checks that no certificate of a signed payload depends on SHA-1 or on a short RSA key. Apple's certificates for
    /// signed payloads don't, but old ones for receipts do.
    mutating func checkAlgorithms(of chain: CertificateChain?) {
        guard holds(.constraints) else { return }
        let _: Void? = check(.constraints, after: .chain) { () throws(ReceiptVerificationError) in
            try chain?.checkAlgorithms()
            return ((), "authorities, key usage and algorithms")
        }
    }

    mutating func checkBundleID(_ named: String?, is expectation: ExpectedBundleID) {
        guard case .exactly(let expected) = expectation else {
            skip(.bundleID, "any app is accepted\(named.map { ", this is \($0)" } ?? "")")
            return
        }
        let _: Void? = check(.bundleID, after: .structure) { () throws(ReceiptVerificationError) in
            guard let named else {
                throw ReceiptVerificationError(.bundleIDMissing, .bundleID, "there is no bundle identifier")
            }
            guard expectation.matches(named) else {
                throw ReceiptVerificationError(
                    .bundleIDMismatch, .bundleID, "it belongs to \(named), not to \(expected)")
            }
            return ((), named)
        }
    }

    /// Checks that the certificates are also valid at a date after the signature.
    mutating func checkCurrentValidity(of chain: CertificateChain?, at now: Date) {
        guard case .passed? = outcome(of: .validity) else { return }
        let _: Void? = check(.validity, after: .chain) { () throws(ReceiptVerificationError) in
            try chain?.checkValidity(at: now)
            return ((), "at the signed date and at \(now)")
        }
    }

    /// Checks the app that a signed payload names: by its bundle identifier and, if the payload has one, its Apple ID.
    ///
    /// - Parameter isOnDevice: Whether the payload must belong to a device, whose app doesn't know its Apple ID.
    mutating func checkApp(
        _ claims: SignedPayloadClaims, is expectation: ExpectedBundleID, _ appStoreID: Int64?, isOnDevice: Bool
    ) {
        checkBundleID(claims.bundleID, is: expectation)
        guard [.notification, .appTransaction].contains(claims.kind) else { return }
        let isProduction = claims.environment == .production
        guard let appStoreID else {
            if case .any = expectation { return }
            let isKnownOtherwise = claims.kind == .appTransaction && isOnDevice
            if isProduction && !isKnownOtherwise && holds(.bundleID) {
                fail(
                    .bundleID,
                    ReceiptVerificationError(
                        .appStoreIDMissing, .bundleID, "the verifier needs the app's Apple ID for this payload"))
            }
            return
        }
        // Payloads outside production may lack the Apple ID. A failed check of the bundle identifier isn't replaced.
        guard holds(.bundleID), isProduction || claims.appStoreID != nil else { return }
        let _: Void? = check(.bundleID, after: .structure) { () throws(ReceiptVerificationError) in
            guard claims.appStoreID == appStoreID else {
                let named = claims.appStoreID.map { "the app with the Apple ID \($0)" } ?? "no app with an Apple ID"
                throw ReceiptVerificationError(
                    .appStoreIDMismatch, .bundleID, "it belongs to \(named), not to \(appStoreID)")
            }
            return ((), [claims.bundleID, "\(appStoreID)"].compactMap { $0 }.joined(separator: ", "))
        }
    }

    /// Checks the environment. Anyone can create signatures of local testing, so they are accepted only if that
    /// environment is expected.
    mutating func checkEnvironment(
        _ named: ReceiptEnvironment?, is expected: ReceiptEnvironment?, trustedBy trust: CertificateChain.Trust?
    ) {
        let isTesting = trust?.isLocalTesting ?? false
        guard expected != nil || isTesting else {
            skip(.environment, named.map { "\($0.rawValue); no environment was given" } ?? "no environment was given")
            return
        }
        let _: Void? = check(.environment, after: .structure) { () throws(ReceiptVerificationError) in
            let origin = named.map { "it comes from \($0.rawValue)" } ?? "it names no environment"
            guard expected.map({ named?.rawValue.hasSameBytes(as: $0.rawValue) ?? false }) ?? true else {
                throw ReceiptVerificationError(
                    .environmentMismatch, .environment, "\(origin), and \(expected?.rawValue ?? "") is expected")
            }
            guard !isTesting || (named == .xcode && expected == .xcode) else {
                throw ReceiptVerificationError(
                    .environmentMismatch, .environment,
                    "\(origin), and is signed by a certificate of local testing, which only the environment "
                        + "\(ReceiptEnvironment.xcode.rawValue) accepts")
            }
            return ((), named?.rawValue ?? "")
        }
    }
}
