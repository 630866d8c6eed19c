public import Foundation

/// Verifies and reads App Store receipts without a network connection, on a device or on a server.
///
/// The verifier accepts a receipt if its signature covers its content, the signer's certificate has a chain like the
/// App Store's to a trusted root, all certificates were valid when the receipt was created, and the receipt was issued
/// for the app, version and device. You can verify receipts in several tasks at once. The time is proportional to the
/// receipt's size, and no input causes a trap.
public struct LocalReceiptVerifier: ReceiptVerifier, Hashable {
    /// The app that the receipt must belong to.
    public var bundleID: ExpectedBundleID

    /// The required version of the app; `nil` accepts every version. Use `nil` if a receipt may be older than the app.
    public var version: String?

    /// The required environment; `nil` accepts the App Store and the sandbox. Use `nil` in an app, because TestFlight
    /// and App Review have sandbox receipts. On a server, require an environment, because purchases in the sandbox are
    /// free.
    public var environment: ReceiptEnvironment?

    /// The device that the receipt must be issued for; `nil` accepts every device, as on a server.
    ///
    /// Without a device, the verifier accepts a receipt that was copied from another customer's device.
    public var device: DeviceIdentifier?

    /// The date for the expiration check of volume purchase receipts; `nil` for the current date.
    public var date: Date?

    /// The trusted certificates; by default Apple Root CA.
    public var trustAnchors: [ReceiptTrustAnchor]

    /// Creates a verifier. Parameters that are `nil` aren't checked. The signature and the certificates are always
    /// checked.
    ///
    /// - Parameters:
    ///   - bundleID: The app that the receipt must belong to.
    ///   - environment: The required environment; `nil` accepts the App Store and the sandbox.
    ///   - device: The device that the receipt must be issued for; `nil` accepts every device, as on a server.
    ///   - version: The required version of the app; `nil` accepts every version.
    ///   - date: The date for the expiration check of volume purchase receipts; `nil` for the current date.
    ///   - trustAnchors: The trusted certificates.
    public init(
        bundleID: ExpectedBundleID, environment: ReceiptEnvironment?, device: DeviceIdentifier?,
        version: String? = nil, date: Date? = nil, trustAnchors: [ReceiptTrustAnchor] = [.appStore]
    ) {
        self.bundleID = bundleID
        self.version = version
        self.environment = environment
        self.device = device
        self.date = date
        self.trustAnchors = trustAnchors
    }

    /// Verifies and reads a receipt file, outside the caller's actor.
    ///
    /// - Throws: a ``ReceiptVerificationError`` for the first failed check, or `CancellationError` if the task was
    ///   canceled before verification started.
    @concurrent public func verify(_ receiptData: Data) async throws -> Receipt {
        try Task.checkCancellation()
        return try verifySynchronously(receiptData)
    }

    /// Verifies and reads a receipt file on the calling thread.
    ///
    /// - Throws: the error of the first failed check.
    public func verify(_ receiptData: Data) throws(ReceiptVerificationError) -> Receipt {
        try verifySynchronously(receiptData)
    }

    private func verifySynchronously(_ receiptData: Data) throws(ReceiptVerificationError) -> Receipt {
        var report = ReceiptVerificationReport()
        return try verify(receiptData, &report)
    }
}

extension ReceiptVerifier where Self == LocalReceiptVerifier {
    /// Verification without a network connection: signature, certificates up to Apple's root, app, environment, version
    /// and device.
    ///
    /// - Parameters:
    ///   - bundleID: the app, as a constant in your code; `.any` accepts the receipts of all apps.
    ///   - environment: the required environment; `nil` accepts the App Store and the sandbox, as an app needs it in
    ///     TestFlight and App Review.
    ///   - version: the required version; `nil` accepts every version.
    ///   - device: the device that the receipt must be issued for; `nil` accepts every device. `PurchaseStore` replaces
    ///     `nil` with this device.
    ///   - trustAnchors: the trusted certificates; by default Apple Root CA.
    public static func local(
        bundleID: ExpectedBundleID, environment: ReceiptEnvironment?, version: String? = nil,
        device: DeviceIdentifier? = nil,
        trustAnchors: [ReceiptTrustAnchor] = [.appStore]
    ) -> LocalReceiptVerifier {
        LocalReceiptVerifier(
            bundleID: bundleID, environment: environment, device: device, version: version, trustAnchors: trustAnchors)
    }
}
