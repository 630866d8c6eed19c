public import Foundation

extension LocalReceiptVerifier {
    /// Verifies a receipt file and returns the checks that were made, up to the first failure.
    public func report(on receiptData: Data) -> ReceiptVerificationReport {
        ReceiptVerificationReport { (report) throws(ReceiptVerificationError) in _ = try verify(receiptData, &report) }
    }

    /// Verifies and reads a receipt file.
    func verify(
        _ receiptData: Data, _ report: inout ReceiptVerificationReport
    ) throws(ReceiptVerificationError) -> Receipt {
        let (container, header) = try ReceiptVerificationError.reading { () throws(MalformedReceiptError) in
            let container = try CMSSignedData(receiptData)
            return (container, try ReceiptHeader(container))
        }
        report.pass(.structure, "PKCS#7 signed data with \(container.content.count) bytes of receipt")
        let signer = try ReceiptSigner(container)
        report.pass(.signer, signer.candidates[0].subject.description)
        let (message, content) = try signer.message(of: container)
        report.pass(.content, content)
        let (signers, algorithms) = try signer.checkSignature(of: message)
        report.pass(.signature, algorithms)
        // The key starts with the signers, because another of the same certificates may sign other data.
        let cache = VerifiedChainCache.shared
        let key = VerifiedChainCache.Key((signers + container.certificates).map(\.encoding), trusting: trustAnchors)
        let chain =
            cache.chain(for: key, at: header.creationDate)
            ?? cache.newChain(for: key, from: signers[...], among: container.certificates[...], at: header.creationDate)
        let trust = try report.checkChain(chain, at: header.creationDate, forbidsOldAlgorithms: false)
        try report.checkEnvironment(header.environment, is: environment, trustedBy: trust)
        try report.checkBundleID(header.bundleID, is: bundleID)
        try report.checkVersion(header.applicationVersion, is: version)
        try report.checkDevice(device, header.matches)
        try report.checkExpiration(header.expirationDate, at: date ?? Date())
        return try ReceiptVerificationError.reading { () throws(MalformedReceiptError) in
            try Receipt(container, header)
        }
    }
}

extension ReceiptVerificationReport {
    fileprivate mutating func checkVersion(
        _ named: String?, is version: String?
    ) throws(ReceiptVerificationError) {
        guard let version else { return skip(.version, "no version was given") }
        guard let named, named.utf8.elementsEqual(version.utf8) else {
            let named = named.map { "version \($0)" } ?? "no version"
            throw ReceiptVerificationError(
                .versionMismatch, .version, "the receipt is for \(named) instead of \(version)")
        }
        pass(.version, named)
    }

    fileprivate mutating func checkExpiration(
        _ expirationDate: Date?, at date: Date
    ) throws(ReceiptVerificationError) {
        guard let expirationDate else { return skip(.expiration, "the receipt has no expiration date") }
        guard date < expirationDate else {
            throw ReceiptVerificationError(.receiptExpired, .expiration, "the receipt expired at \(expirationDate)")
        }
        pass(.expiration, "until \(expirationDate)")
    }
}

extension ReceiptHeader {
    /// Compares the device hash: the SHA-1 of the device's identifier, the opaque value and the encoded bundle
    /// identifier. Returns `nil` if the receipt lacks one of them.
    fileprivate func matches(_ device: DeviceIdentifier) -> Bool? {
        guard let opaqueValue, let encodedBundleID, let deviceHash else { return nil }
        return deviceHash.elementsEqual(
            DigestAlgorithm.sha1.hash((device.bytes + opaqueValue + encodedBundleID)[...]))
    }
}
