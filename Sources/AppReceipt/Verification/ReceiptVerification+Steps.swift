import Foundation

extension ReceiptVerification {
    /// Verifies a container that has been read already.
    package func report(on container: CMSSignedData) -> ReceiptVerificationReport {
        var recorder = VerificationRecorder()
        let claims = recorder.check(.structure) { () throws(ReceiptVerificationError) in
            do throws(MalformedReceiptError) {
                return (try ReceiptClaims(container), "PKCS#7 signed data with \(container.content.count) bytes of receipt")
            } catch {
                throw ReceiptVerificationError(error, .structure)
            }
        }
        checkSignature(container, &recorder)
        checkCertificates(container, claims, &recorder)
        checkClaims(claims, &recorder)
        return recorder.report(ReceiptCheck.allCases)
    }

    private func checkSignature(_ container: CMSSignedData, _ recorder: inout VerificationRecorder) {
        let signer = recorder.check(.signer) { () throws(ReceiptVerificationError) in
            let signer = try ReceiptSigner(container)
            return (signer, signer.certificate.subject.description)
        }
        let message = recorder.check(.content, after: .signer) { () throws(ReceiptVerificationError) in
            try signer?.message(of: container) ?? ([], "")
        }
        let _: Void? = recorder.check(.signature, after: .content) { () throws(ReceiptVerificationError) in
            ((), try signer?.checkSignature(of: message ?? []) ?? "")
        }
    }

    private func checkCertificates(_ container: CMSSignedData, _ claims: ReceiptClaims?, _ recorder: inout VerificationRecorder) {
        let roots = TrustedRoots(trustAnchors)
        let chain = recorder.check(.chain, after: .signer) { () throws(ReceiptVerificationError) in
            let chain = try CertificateChain(from: ReceiptSigner(container).certificate, among: container.certificates, trusting: roots)
            return (chain, chain.description)
        }
        let date = claims?.creationDate
        recorder.checkChain(chain, roots, judgedAt: date, isDateKnown: claims != nil)
    }

    private func checkClaims(_ claims: ReceiptClaims?, _ recorder: inout VerificationRecorder) {
        recorder.checkEnvironment(claims?.environment.map { ReceiptEnvironment.reading($0).environment }, is: environment)
        recorder.checkBundleID(claims?.bundleID, is: bundleID)
        if let version {
            let _: Void? = recorder.check(.version, after: .structure) { () throws(ReceiptVerificationError) in
                guard let named = claims?.version, named.utf8.elementsEqual(version.utf8) else {
                    let named = claims?.version.map { "version \($0)" } ?? "no version"
                    throw ReceiptVerificationError(.versionMismatch, .version, "the receipt is for \(named), not for \(version)")
                }
                return ((), named)
            }
        } else {
            recorder.skip(.version, "no version was given")
        }
        checkDevice(claims, &recorder)
        checkExpiration(claims, &recorder)
    }

    /// The hash is SHA-1 over the device's identifier, the opaque value and the bundle identifier as it is encoded.
    private func checkDevice(_ claims: ReceiptClaims?, _ recorder: inout VerificationRecorder) {
        guard let device else {
            recorder.skip(.device, "no device was given")
            return
        }
        let _: Void? = recorder.check(.device, after: .structure) { () throws(ReceiptVerificationError) in
            guard let opaqueValue = claims?.opaqueValue, let bundleID = claims?.encodedBundleID, let hash = claims?.deviceHash else {
                throw ReceiptVerificationError(.deviceHashMissing, .device, "the receipt lacks the hash, its salt or the bundle identifier")
            }
            let expected = DigestAlgorithm.sha1.hash((device.bytes + opaqueValue + bundleID)[...])
            guard hash.elementsEqual(expected) else {
                throw ReceiptVerificationError(.deviceHashMismatch, .device, "the receipt was issued for another device")
            }
            return ((), "the hash is this device's")
        }
    }

    private func checkExpiration(_ claims: ReceiptClaims?, _ recorder: inout VerificationRecorder) {
        guard let claims else { return }
        guard let expirationDate = claims.expirationDate else {
            recorder.skip(.expiration, "the receipt has no end")
            return
        }
        guard let date else {
            recorder.skip(.expiration, "the receipt ends at \(expirationDate), and no date was given to judge by")
            return
        }
        let _: Void? = recorder.check(.expiration, after: .structure) { () throws(ReceiptVerificationError) in
            guard date < expirationDate else {
                throw ReceiptVerificationError(.receiptExpired, .expiration, "the receipt ended at \(expirationDate)")
            }
            return ((), "until \(expirationDate)")
        }
    }
}
