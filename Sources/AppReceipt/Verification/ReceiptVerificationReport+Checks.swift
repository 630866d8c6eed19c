import Foundation

/// The checks that receipts and signed payloads share.
extension ReceiptVerificationReport {
    /// Checks the certificates of a receipt or a signed payload, and returns why the chain is trusted.
    ///
    /// - Parameters:
    ///   - date: When the receipt was created or the payload was signed.
    ///   - now: A later date at which the certificates must also be valid.
    ///   - forbidsOldAlgorithms: Whether no certificate may depend on SHA-1 or on a short RSA key. Apple's certificates
    ///     for signed payloads don't, but old ones for receipts do.
    mutating func checkChain(
        _ chain: CertificateChain?, at date: Date?, and now: Date? = nil, forbidsOldAlgorithms: Bool
    ) throws(ReceiptVerificationError) -> CertificateChain.Trust {
        guard let chain else {
            throw ReceiptVerificationError(.chainIncomplete, .chain, "there are no certificates")
        }
        try chain.checkSignatures()
        pass(.chain, chain.description)
        let trust = try chain.trust()
        pass(.trust, trust.detail)
        guard let date else {
            throw ReceiptVerificationError(
                .creationDateMissing, .validity, "the receipt has neither a creation date nor an issue date")
        }
        try chain.checkValidity(at: date)
        if let now { try chain.checkValidity(at: now) }
        pass(.validity, now.map { "at the signed date and at \($0)" } ?? "at \(date)")
        guard trust.requiresAppStoreShape else {
            skip(.constraints, "the signer's certificate itself is trusted")
            skip(.markers, "the signer's certificate itself is trusted")
            return trust
        }
        try chain.checkConstraints()
        if forbidsOldAlgorithms { try chain.checkAlgorithms() }
        pass(.constraints, forbidsOldAlgorithms ? "authorities, key usage and algorithms" : "authorities and key usage")
        try chain.checkMarkers()
        pass(.markers, "both of Apple's markers")
        return trust
    }

    mutating func checkBundleID(
        _ named: String?, is expectation: ExpectedBundleID
    ) throws(ReceiptVerificationError) {
        guard case .exactly(let expected) = expectation else {
            return skip(.bundleID, "any app is accepted\(named.map { ", this is \($0)" } ?? "")")
        }
        guard let named else {
            throw ReceiptVerificationError(.bundleIDMissing, .bundleID, "there is no bundle identifier")
        }
        guard expectation.matches(named) else {
            throw ReceiptVerificationError(.bundleIDMismatch, .bundleID, "it belongs to \(named), not to \(expected)")
        }
        pass(.bundleID, named)
    }

    /// Checks the app that a signed payload names: by its bundle identifier and, if the payload has one, its Apple ID.
    ///
    /// - Parameter isOnDevice: Whether the payload must belong to a device, whose app doesn't know its Apple ID.
    mutating func checkApp(
        _ claims: SignedPayloadClaims, is expectation: ExpectedBundleID, _ appStoreID: Int64?, isOnDevice: Bool
    ) throws(ReceiptVerificationError) {
        try checkBundleID(claims.bundleID, is: expectation)
        guard [.notification, .appTransaction].contains(claims.kind) else { return }
        if appStoreID == nil {
            if case .any = expectation { return }
            if claims.kind == .appTransaction, isOnDevice { return }
        }
        // Payloads outside production may lack the Apple ID.
        guard claims.environment == .production || (appStoreID != nil && claims.appStoreID != nil) else { return }
        guard let appStoreID else {
            throw ReceiptVerificationError(
                .appStoreIDMissing, .bundleID, "the verifier needs the app's Apple ID for this payload")
        }
        guard claims.appStoreID == appStoreID else {
            let named = claims.appStoreID.map { "the app with the Apple ID \($0)" } ?? "no app with an Apple ID"
            throw ReceiptVerificationError(
                .appStoreIDMismatch, .bundleID, "it belongs to \(named), not to \(appStoreID)")
        }
        pass(.bundleID, [claims.bundleID, "\(appStoreID)"].compactMap { $0 }.joined(separator: ", "))
    }

    /// Checks that a receipt or a signed payload was issued for the device.
    ///
    /// - Parameter matches: Compares the device hash; returns `nil` without one.
    mutating func checkDevice<Identifier>(
        _ device: Identifier?, _ matches: (Identifier) -> Bool?
    ) throws(ReceiptVerificationError) {
        guard let device else { return skip(.device, "no device was given") }
        switch matches(device) {
        case nil: throw ReceiptVerificationError(.deviceHashMissing, .device, "it isn't bound to a device")
        case false: throw ReceiptVerificationError(.deviceHashMismatch, .device, "it was issued for another device")
        default: pass(.device, "the hash matches the device")
        }
    }

    /// Checks the environment. Anyone can create signatures of local testing, so they are accepted only if that
    /// environment is expected.
    mutating func checkEnvironment(
        _ named: ReceiptEnvironment?, is expected: ReceiptEnvironment?, trustedBy trust: CertificateChain.Trust
    ) throws(ReceiptVerificationError) {
        guard expected != nil || trust.isLocalTesting else {
            return skip(
                .environment, named.map { "\($0.rawValue); no environment was given" } ?? "no environment was given")
        }
        let origin = named.map { "it comes from \($0.rawValue)" } ?? "it names no environment"
        guard expected.map({ named?.rawValue.hasSameBytes(as: $0.rawValue) ?? false }) ?? true else {
            throw ReceiptVerificationError(
                .environmentMismatch, .environment, "\(origin), and \(expected?.rawValue ?? "") is expected")
        }
        guard !trust.isLocalTesting || (named == .xcode && expected == .xcode) else {
            throw ReceiptVerificationError(
                .environmentMismatch, .environment,
                "\(origin), and is signed by a certificate of local testing, which only the environment "
                    + "\(ReceiptEnvironment.xcode.rawValue) accepts")
        }
        pass(.environment, named?.rawValue ?? "")
    }
}
