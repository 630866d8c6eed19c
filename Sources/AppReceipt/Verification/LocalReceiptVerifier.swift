public import Foundation

/// Verifies App Store receipts on the device or on a server, without a connection, and reads them.
///
/// A receipt is accepted when its signature covers its content, the signer's certificate leads to a trusted root
/// through a chain of the App Store's shape, all certificates were valid when the receipt was made, and it was issued
/// for this app, version and device. Verification is a pure function of its input: it may run in several tasks at once,
/// takes time in proportion to the receipt's size, and never traps, whatever the bytes.
public struct LocalReceiptVerifier: ReceiptVerifier, Hashable {
    /// The app that the receipt has to be for.
    public var bundleID: ExpectedBundleID

    /// The app's version that the receipt has to name; `nil` accepts every version, which is right where a receipt may
    /// be older than the app.
    public var version: String?

    /// The environment the receipt has to come from; `nil` accepts every one, which is right where TestFlight and
    /// review run the same code.
    public var environment: ReceiptEnvironment?

    /// The device for which the receipt has to have been issued; `nil` accepts every device, as on a server.
    ///
    /// Without a device, a receipt copied from another customer's device passes.
    public var device: DeviceIdentifier?

    /// The date at which a volume purchase's receipt must not have expired; `nil` for the moment of verification.
    public var date: Date?

    /// The certificates that are trusted; Apple Root CA unless said otherwise.
    public var trustAnchors: [ReceiptTrustAnchor]

    /// Creates a verifier. Whatever is `nil` is not checked; signature and certificates always are.
    public init(
        bundleID: ExpectedBundleID, version: String? = nil, environment: ReceiptEnvironment? = nil, device: DeviceIdentifier? = nil,
        date: Date? = nil, trustAnchors: [ReceiptTrustAnchor] = [.appStore]
    ) {
        self.bundleID = bundleID
        self.version = version
        self.environment = environment
        self.device = device
        self.date = date
        self.trustAnchors = trustAnchors
    }

    /// Verifies a receipt file and reads it, away from the caller's actor.
    ///
    /// - Throws: a ``ReceiptVerificationError`` for the first check that failed, or `CancellationError` when the task
    ///   was cancelled before verification began.
    @concurrent public func verify(_ receiptData: Data) async throws -> Receipt {
        try Task.checkCancellation()
        return try verifySynchronously(receiptData)
    }

    /// Verifies a receipt file and reads it, on the calling thread.
    ///
    /// - Throws: the first check that failed.
    public func verify(_ receiptData: Data) throws(ReceiptVerificationError) -> Receipt {
        try verifySynchronously(receiptData)
    }

    private func verifySynchronously(_ receiptData: Data) throws(ReceiptVerificationError) -> Receipt {
        let container: CMSSignedData
        do throws(MalformedReceiptError) {
            container = try CMSSignedData(receiptData)
        } catch {
            throw ReceiptVerificationError(error, .structure)
        }
        let (report, receipt) = examine(container)
        if let failure = report.failure { throw failure }
        guard let receipt else { throw ReceiptVerificationError(.malformed, .structure, "the receipt could not be read") }
        return receipt
    }
}

extension ReceiptVerifier where Self == LocalReceiptVerifier {
    /// Verification on the device: signature, certificates up to Apple's root, app, version and device.
    ///
    /// - Parameters:
    ///   - bundleID: the app, as a constant in the code; `.any` accepts every app's receipt.
    ///   - version: the app's version, where the receipt must not be older than the app.
    ///   - environment: the environment the receipt has to come from; `nil` accepts every one.
    ///   - device: the device for which the receipt was issued; `nil` accepts every device, as on a server.
    ///   - trustAnchors: Apple Root CA, unless a test trusts another on purpose.
    public static func local(
        bundleID: ExpectedBundleID, version: String? = nil, environment: ReceiptEnvironment? = nil, device: DeviceIdentifier? = nil,
        trustAnchors: [ReceiptTrustAnchor] = [.appStore]
    ) -> LocalReceiptVerifier {
        LocalReceiptVerifier(
            bundleID: bundleID, version: version, environment: environment, device: device, trustAnchors: trustAnchors)
    }
}
