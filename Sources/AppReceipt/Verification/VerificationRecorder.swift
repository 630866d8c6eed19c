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

    /// Checks that something can be read; a later reading of more of it may still find that it cannot.
    mutating func checkStructure<Finding>(_ body: () throws(MalformedReceiptError) -> (Finding, String)) -> Finding? {
        check(.structure) { () throws(ReceiptVerificationError) in
            do throws(MalformedReceiptError) {
                return try body()
            } catch {
                throw ReceiptVerificationError(error, .structure)
            }
        }
    }

    mutating func fail(_ check: ReceiptCheck, _ error: ReceiptVerificationError) {
        outcomes[check] = .failed(error)
    }

    mutating func skip(_ check: ReceiptCheck, _ reason: String) {
        outcomes[check] = .skipped(reason)
    }

    /// Whether a check has failed so far.
    var hasFailed: Bool {
        outcomes.values.contains { if case .failed = $0 { true } else { false } }
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
    /// The checks of the certificates, the same for receipts and for signed payloads. Returns how the chain came to be
    /// trusted.
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
                        .creationDateMissing, .validity, "the receipt says neither when it was made nor when it was issued")
                }
                try chain?.checkValidity(at: date)
                return ((), "at \(date)")
            }
        }
        if let trust, let trust, !trust.asksForAppStoreShape {
            skip(.constraints, "the signer's certificate is trusted by itself")
            skip(.markers, "the signer's certificate is trusted by itself")
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

    /// Checks that the certificates are valid at a moment after the signature, too.
    mutating func checkCurrentValidity(of chain: CertificateChain?, at now: Date) {
        guard case .passed? = outcomes[.validity] else { return }
        let _: Void? = check(.validity, after: .chain) { () throws(ReceiptVerificationError) in
            try chain?.checkValidity(at: now)
            return ((), "at the signed date and at \(now)")
        }
    }

    /// Checks the app that a signed payload names: by its bundle identifier, by its Apple ID, or by both.
    mutating func checkApp(_ claims: SignedPayloadClaims, is expectation: ExpectedBundleID, _ appStoreID: Int64?) {
        if claims.kind != .realtimeRequest { checkBundleID(claims.bundleID, is: expectation) }
        guard [.notification, .appTransaction, .realtimeRequest].contains(claims.kind) else { return }
        let namesOnlyAppleID = claims.kind == .realtimeRequest
        let isProduction = claims.environment == .production
        guard let appStoreID else {
            if case .any = expectation {
                if namesOnlyAppleID { skip(.bundleID, "any app is accepted") }
                return
            }
            if namesOnlyAppleID || (isProduction && claims.kind == .notification && holds(.bundleID)) {
                fail(
                    .bundleID,
                    ReceiptVerificationError(
                        .appStoreIDMissing, .bundleID, "the verifier needs the app's Apple ID for this payload"))
            }
            return
        }
        // Outside production, Apple leaves the Apple ID out. An app that is another by its bundle identifier stays
        // that.
        guard namesOnlyAppleID || (holds(.bundleID) && (isProduction || claims.appStoreID != nil)) else { return }
        let _: Void? = check(.bundleID, after: .structure) { () throws(ReceiptVerificationError) in
            guard claims.appStoreID == appStoreID else {
                let named = claims.appStoreID.map { "the app with the Apple ID \($0)" } ?? "no app with an Apple ID"
                throw ReceiptVerificationError(
                    .appStoreIDMismatch, .bundleID, "it belongs to \(named), not to \(appStoreID)")
            }
            return ((), [claims.bundleID, "\(appStoreID)"].compactMap { $0 }.joined(separator: ", "))
        }
    }

    /// Checks the environment. Signatures of local testing, which anyone can create, are accepted for local testing
    /// only.
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
            guard !isTesting || named == .xcode else {
                throw ReceiptVerificationError(
                    .environmentMismatch, .environment, "\(origin), and is signed by a certificate of local testing")
            }
            return ((), named?.rawValue ?? "")
        }
    }
}
