public import Foundation

extension LocalReceiptVerifier {
    /// The checks of a receipt. Only signed payloads have an age check.
    private static let checks = ReceiptCheck.allCases.filter { $0 != .age }

    /// Verifies a receipt file and returns the outcome of every check.
    public func report(on receiptData: Data) -> ReceiptVerificationReport {
        do throws(MalformedReceiptError) {
            return report(on: try CMSSignedData(receiptData))
        } catch {
            var recorder = VerificationRecorder()
            recorder.fail(.structure, ReceiptVerificationError(error, .structure))
            return recorder.report(Self.checks)
        }
    }

    /// Verifies a container and returns the outcome of every check.
    package func report(on container: CMSSignedData) -> ReceiptVerificationReport {
        examine(container).report
    }

    /// Verifies a container, and reads its purchases if all checks pass.
    func examine(_ container: CMSSignedData) -> (report: ReceiptVerificationReport, receipt: Receipt?) {
        var recorder = VerificationRecorder()
        let header = recorder.checkStructure { () throws(MalformedReceiptError) in
            (try ReceiptHeader(container), "PKCS#7 signed data with \(container.content.count) bytes of receipt")
        }
        let signers = checkSignature(container, &recorder)
        let chain = chain(from: signers, among: container.certificates, at: header?.creationDate)
        let trust = recorder.checkChain(chain, at: header?.creationDate, isDateKnown: header != nil)
        checkHeader(header, trust, &recorder)
        var receipt: Receipt?
        if let header, !recorder.hasFailed {
            receipt = recorder.checkStructure { () throws(MalformedReceiptError) in
                let receipt = try Receipt(container, header)
                return (receipt, "PKCS#7 signed data with \(receipt.transactions.count) transactions")
            }
        }
        return (recorder.report(Self.checks), receipt)
    }

    /// Returns the certificates with the key of the signature or, if there are none, those that the signer refers to.
    private func checkSignature(_ container: CMSSignedData, _ recorder: inout VerificationRecorder) -> [Certificate] {
        let signer = recorder.check(.signer) { () throws(ReceiptVerificationError) in
            let signer = try ReceiptSigner(container)
            return (signer, signer.candidates[0].subject.description)
        }
        let message = recorder.check(.content, after: .signer) { () throws(ReceiptVerificationError) in
            try signer?.message(of: container) ?? ([], "")
        }
        let signers = recorder.check(.signature, after: .content) { () throws(ReceiptVerificationError) in
            try signer?.checkSignature(of: message ?? []) ?? ([], "")
        }
        return signers ?? signer?.candidates ?? []
    }

    private func chain(from signers: [Certificate], among enclosed: [Certificate], at date: Date?) -> CertificateChain?
    {
        // The key starts with the signers, because another of the same certificates may sign other data.
        let key = VerifiedChainCache.Key((signers + enclosed).map(\.encoding), trusting: trustAnchors)
        if let chain = VerifiedChainCache.shared.chain(for: key, at: date) { return chain }
        var search = CertificateChainSearch(among: enclosed, trusting: TrustedRoots(trustAnchors), at: date)
        let chain = search.chain(from: signers)
        VerifiedChainCache.shared.remember(chain, for: key, at: date)
        return chain
    }

    private func checkHeader(
        _ header: ReceiptHeader?, _ trust: CertificateChain.Trust?, _ recorder: inout VerificationRecorder
    ) {
        recorder.checkEnvironment(header?.environment, is: environment, trustedBy: trust)
        recorder.checkBundleID(header?.bundleID, is: bundleID)
        if let version {
            let _: Void? = recorder.check(.version, after: .structure) { () throws(ReceiptVerificationError) in
                guard let named = header?.applicationVersion, named.utf8.elementsEqual(version.utf8) else {
                    let named = header?.applicationVersion.map { "version \($0)" } ?? "no version"
                    throw ReceiptVerificationError(
                        .versionMismatch, .version, "the receipt is for \(named) instead of \(version)")
                }
                return ((), named)
            }
        } else {
            recorder.skip(.version, "no version was given")
        }
        checkDevice(header, &recorder)
        checkExpiration(header, &recorder)
    }

    /// Compares the device hash: the SHA-1 of the device's identifier, the opaque value and the encoded bundle
    /// identifier.
    private func checkDevice(_ header: ReceiptHeader?, _ recorder: inout VerificationRecorder) {
        guard let device else {
            recorder.skip(.device, "no device was given")
            return
        }
        let _: Void? = recorder.check(.device, after: .structure) { () throws(ReceiptVerificationError) in
            guard let opaqueValue = header?.opaqueValue, let bundleID = header?.encodedBundleID,
                let hash = header?.deviceHash
            else {
                throw ReceiptVerificationError(
                    .deviceHashMissing, .device, "the receipt lacks the hash, its salt or the bundle identifier")
            }
            let expected = DigestAlgorithm.sha1.hash((device.bytes + opaqueValue + bundleID)[...])
            guard hash.elementsEqual(expected) else {
                throw ReceiptVerificationError(
                    .deviceHashMismatch, .device, "the receipt was issued for another device")
            }
            return ((), "the hash matches the device")
        }
    }

    private func checkExpiration(_ header: ReceiptHeader?, _ recorder: inout VerificationRecorder) {
        guard let header else { return }
        guard let expirationDate = header.expirationDate else {
            recorder.skip(.expiration, "the receipt has no expiration date")
            return
        }
        let date = date ?? Date()
        let _: Void? = recorder.check(.expiration, after: .structure) { () throws(ReceiptVerificationError) in
            guard date < expirationDate else {
                throw ReceiptVerificationError(.receiptExpired, .expiration, "the receipt expired at \(expirationDate)")
            }
            return ((), "until \(expirationDate)")
        }
    }
}
