public import Foundation

extension LocalReceiptVerifier {
    /// Verifies a receipt file and returns the checks that were made, up to the first failure.
    public func report(on receiptData: Data) -> ReceiptVerificationReport {
        ReceiptVerificationReport { (report) throws(ReceiptVerificationError) in _ = try verify(receiptData, &report) }
    }

    /// Verifies a container and returns the checks that were made, up to the first failure.
    package func report(on container: CMSSignedData) -> ReceiptVerificationReport {
        ReceiptVerificationReport { (report) throws(ReceiptVerificationError) in _ = try verify(container, &report) }
    }

    /// Verifies and reads a receipt file.
    func verify(
        _ receiptData: Data, _ report: inout ReceiptVerificationReport
    ) throws(ReceiptVerificationError) -> Receipt {
        try verify(report.reading { () throws(MalformedReceiptError) in try CMSSignedData(receiptData) }, &report)
    }

    private func verify(
        _ container: CMSSignedData, _ report: inout ReceiptVerificationReport
    ) throws(ReceiptVerificationError) -> Receipt {
        report.pass(.structure, "PKCS#7 signed data")
        let header = try report.reading { () throws(MalformedReceiptError) in try ReceiptHeader(container) }
        report.pass(.structure, "PKCS#7 signed data with \(container.content.count) bytes of receipt")
        let signer = try ReceiptSigner(container)
        report.pass(.signer, signer.candidates[0].subject.description)
        let (message, content) = try signer.message(of: container)
        report.pass(.content, content)
        let (signers, algorithms) = try signer.checkSignature(of: message)
        report.pass(.signature, algorithms)
        let chain = chain(from: signers, among: container.certificates, at: header.creationDate)
        let trust = try report.checkChain(chain, at: header.creationDate, forbidsOldAlgorithms: false)
        try report.checkEnvironment(header.environment, is: environment, trustedBy: trust)
        try report.checkBundleID(header.bundleID, is: bundleID)
        try checkVersion(header, &report)
        try checkDevice(header, &report)
        try checkExpiration(header, &report)
        let receipt = try report.reading { () throws(MalformedReceiptError) in try Receipt(container, header) }
        report.pass(.structure, "PKCS#7 signed data with \(receipt.transactions.count) transactions")
        return receipt
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

    private func checkVersion(
        _ header: ReceiptHeader, _ report: inout ReceiptVerificationReport
    ) throws(ReceiptVerificationError) {
        guard let version else { return report.skip(.version, "no version was given") }
        guard let named = header.applicationVersion, named.utf8.elementsEqual(version.utf8) else {
            let named = header.applicationVersion.map { "version \($0)" } ?? "no version"
            throw ReceiptVerificationError(
                .versionMismatch, .version, "the receipt is for \(named) instead of \(version)")
        }
        report.pass(.version, named)
    }

    /// Compares the device hash: the SHA-1 of the device's identifier, the opaque value and the encoded bundle
    /// identifier.
    private func checkDevice(
        _ header: ReceiptHeader, _ report: inout ReceiptVerificationReport
    ) throws(ReceiptVerificationError) {
        guard let device else { return report.skip(.device, "no device was given") }
        guard let opaqueValue = header.opaqueValue, let bundleID = header.encodedBundleID, let hash = header.deviceHash
        else {
            throw ReceiptVerificationError(
                .deviceHashMissing, .device, "the receipt lacks the hash, its salt or the bundle identifier")
        }
        let expected = DigestAlgorithm.sha1.hash((device.bytes + opaqueValue + bundleID)[...])
        guard hash.elementsEqual(expected) else {
            throw ReceiptVerificationError(.deviceHashMismatch, .device, "the receipt was issued for another device")
        }
        report.pass(.device, "the hash matches the device")
    }

    private func checkExpiration(
        _ header: ReceiptHeader, _ report: inout ReceiptVerificationReport
    ) throws(ReceiptVerificationError) {
        guard let expirationDate = header.expirationDate else {
            return report.skip(.expiration, "the receipt has no expiration date")
        }
        guard date ?? Date() < expirationDate else {
            throw ReceiptVerificationError(.receiptExpired, .expiration, "the receipt expired at \(expirationDate)")
        }
        report.pass(.expiration, "until \(expirationDate)")
    }
}
