public import Foundation

/// Verifies App Store receipts on the device, or on a server, and reads them; nobody is asked.
public struct LocalReceiptVerifier: ReceiptVerifier, Hashable {
    /// What is asked of a receipt. Without a date of its own, a volume purchase's receipt must not have ended by now.
    public var verification: ReceiptVerification

    /// Creates a verifier.
    public init(_ verification: ReceiptVerification) {
        self.verification = verification
    }

    /// Verifies a receipt file and reads it, away from the caller's actor.
    ///
    /// - Throws: a ``ReceiptVerificationError``, or `CancellationError` when the task was cancelled before it began.
    @concurrent public func verify(_ receiptData: Data) async throws -> Receipt {
        try Task.checkCancellation()
        return try verified(receiptData)
    }

    /// Verifies a receipt file and reads it, here and now.
    public func verified(_ receiptData: Data) throws(ReceiptVerificationError) -> Receipt {
        var verification = verification
        verification.date = verification.date ?? Date()
        var failure: ReceiptVerificationError?
        let receipt: Receipt
        do throws(MalformedReceiptError) {
            let container = try CMSSignedData([UInt8](receiptData)[...])
            failure = verification.report(on: container).failure
            receipt = try Receipt(container)
        } catch {
            throw failure ?? ReceiptVerificationError(error, .structure)
        }
        if let failure { throw failure }
        return receipt
    }
}

extension ReceiptVerifier where Self == LocalReceiptVerifier {
    /// Verification on the device: signature, certificates up to Apple's root, app, version and device.
    ///
    /// - Parameters:
    ///   - bundleID: the app; a constant in the code, since an information property list is as easily replaced as a receipt.
    ///   - version: the app's version, where the receipt must not be older than the app.
    ///   - device: the device for which the receipt was issued; `nil` not to ask, as on a server.
    ///   - trustAnchors: Apple's root, unless a test trusts another on purpose.
    public static func local(
        bundleID: String, version: String? = nil, device: DeviceIdentifier? = nil, trustAnchors: [ReceiptTrustAnchor] = [.appStore]
    ) -> LocalReceiptVerifier {
        LocalReceiptVerifier(ReceiptVerification(bundleID: bundleID, version: version, device: device, trustAnchors: trustAnchors))
    }
}
