public import Foundation

/// Verifies signed data from StoreKit 2 and the App Store Server without a network connection: transactions, renewal
/// information, app transactions and notifications. To read notifications, import the module `AppStoreServer`.
///
/// The verifier accepts a payload if all of these conditions are true:
///
/// - The payload has an ES256 signature.
/// - An intermediate certificate of the pinned root issued the signer's certificate, and both have Apple's markers.
/// - All certificates were valid at the signed date.
/// - The payload belongs to the app, the environment and the device.
///
/// The verifier never trusts a root from the payload, and accepts no other algorithm.
///
/// On a server, import the module `AppStoreServer` and use its `AppStoreServerVerifier`, which sets the values that a
/// server needs.
public struct SignedTransactionVerifier: Sendable, Hashable {
    /// The app that a payload must name.
    public var bundleID: ExpectedBundleID

    /// The required environment; `nil` accepts the App Store and the sandbox.
    ///
    /// On a server, require an environment, because any sandbox account has genuine sandbox transactions.
    public var environment: ReceiptEnvironment?

    /// The device that received the payload from StoreKit: `AppStore.deviceVerificationID`; `nil` accepts every device,
    /// as on a server.
    public var deviceVerificationID: UUID?

    /// The trusted certificates; by default Apple Root CA - G3.
    public var trustAnchors: [ReceiptTrustAnchor]

    /// The app's Apple ID from the app information in App Store Connect, if known.
    ///
    /// The verifier compares the Apple ID of notifications and app transactions. Those of production require it, unless
    /// ``bundleID`` accepts any app. An app transaction doesn't require it if ``deviceVerificationID`` is set, because
    /// an app doesn't know its Apple ID.
    public var appStoreID: Int64?

    /// The maximum age of a payload, in seconds since its signed date; `nil` accepts any age.
    ///
    /// The limit prevents an attacker from replaying an old payload. Use a limit for notifications, but not for
    /// transactions that an app has stored. Apple repeats a notification for up to three days. Because clocks differ,
    /// the signed date may be up to five minutes after ``date``. The signed texts inside a notification may have any
    /// age, but are signed at most five minutes after the notification.
    public var maximumAge: TimeInterval?

    /// Whether the certificates must also be valid at ``date``, not only at the signed date.
    ///
    /// Apple's certificates expire after about two years, but earlier signatures stay genuine. Use this option for new
    /// payloads, not for a transaction history.
    public var requiresCurrentCertificates = false

    /// The date for ``maximumAge`` and ``requiresCurrentCertificates``; `nil` for the current date.
    public var date: Date?

    /// Creates a verifier. Parameters that are `nil` aren't checked. The signature and the certificates are always
    /// checked.
    ///
    /// - Parameters:
    ///   - bundleID: The app that a payload must name.
    ///   - environment: The required environment; `nil` accepts the App Store and the sandbox.
    ///   - appStoreID: The app's Apple ID. Production notifications and production app transactions require it.
    ///   - maximumAge: The maximum age of a payload, in seconds; `nil` accepts any age.
    ///   - deviceVerificationID: The device that received the payload; `nil` accepts every device.
    ///   - trustAnchors: The trusted certificates.
    public init(
        bundleID: ExpectedBundleID, environment: ReceiptEnvironment?, appStoreID: Int64? = nil,
        maximumAge: TimeInterval? = nil, deviceVerificationID: UUID? = nil,
        trustAnchors: [ReceiptTrustAnchor] = [.appStoreG3]
    ) {
        self.bundleID = bundleID
        self.appStoreID = appStoreID
        self.maximumAge = maximumAge
        self.environment = environment
        self.deviceVerificationID = deviceVerificationID
        self.trustAnchors = trustAnchors
    }

    /// Verifies a payload of any kind.
    ///
    /// Renewal information doesn't name an app, so this function accepts it only if the verifier accepts any app.
    /// Otherwise, use ``renewalInfo(jws:of:)``. The signed texts inside a notification are verified too.
    ///
    /// - Throws: the error of the first failed check.
    public func payload(jws: String) throws(ReceiptVerificationError) -> SignedPayload {
        try payload(jws, bundleID)
    }

    /// Verifies a signed transaction.
    ///
    /// - Parameter jws: `signedTransactionInfo` of the App Store Server API, or `jwsRepresentation` of StoreKit 2.
    /// - Throws: the error of the first failed check; ``ReceiptVerificationError/Code-swift.struct/unexpectedPayload``
    ///   for a payload of another kind.
    public func transaction(jws: String) throws(ReceiptVerificationError) -> SignedTransactionInfo {
        try Self.expect("a signed transaction", in: payload(jws, bundleID), \.transaction)
    }

    /// Verifies the signed renewal information of a subscription.
    ///
    /// Renewal information doesn't name an app. A verified transaction of the same subscription determines the app.
    ///
    /// - Parameters:
    ///   - jws: `signedRenewalInfo` of the App Store Server API, or `jwsRepresentation` of StoreKit 2.
    ///   - transaction: a verified transaction of the same subscription.
    /// - Throws: the error of the first failed check; ``ReceiptVerificationError/Code-swift.struct/bundleIDMismatch``
    ///   if `transaction` belongs to another app; ``ReceiptVerificationError/Code-swift.struct/subscriptionMismatch``
    ///   if it belongs to another subscription.
    public func renewalInfo(jws: String, of transaction: SignedTransactionInfo) throws(ReceiptVerificationError)
        -> SignedRenewalInfo
    {
        guard bundleID.matches(transaction.bundleID) else {
            throw ReceiptVerificationError(
                .bundleIDMismatch, .bundleID, "the transaction belongs to \(transaction.bundleID)")
        }
        let renewal = try Self.expect("signed renewal information", in: payload(jws, .any), \.renewalInfo)
        guard renewal.originalTransactionID.hasSameBytes(as: transaction.originalTransactionID) else {
            throw ReceiptVerificationError(
                .subscriptionMismatch, .bundleID,
                "the renewal information is about \(renewal.originalTransactionID), the transaction about \(transaction.originalTransactionID)"
            )
        }
        return renewal
    }

    /// Verifies a signed app transaction.
    ///
    /// - Parameter jws: `signedAppTransactionInfo` of the App Store Server API, or `jwsRepresentation` of StoreKit 2.
    /// - Throws: the error of the first failed check; ``ReceiptVerificationError/Code-swift.struct/unexpectedPayload``
    ///   for a payload of another kind.
    public func appTransaction(jws: String) throws(ReceiptVerificationError) -> SignedAppTransactionInfo {
        try Self.expect("a signed app transaction", in: payload(jws, bundleID), \.appTransaction)
    }

    /// Returns a verified payload.
    ///
    /// - Parameter read: reads the kinds of payloads that another module adds. A payload that `read` can't read is
    ///   malformed. Called after the other checks, and before the check of the signed texts inside a notification.
    package func payload(
        _ jws: String, _ bundleID: ExpectedBundleID,
        read: (SignedPayload) throws(MalformedReceiptError) -> Void = { _ in }
    ) throws(ReceiptVerificationError) -> SignedPayload {
        var report = ReceiptVerificationReport()
        return try verify(jws, bundleID, &report, read: read)
    }

    /// Verifies the texts inside a verified notification. They must belong to the same app, and can't be newer than the
    /// notification.
    func verify(_ texts: NotificationTexts, signedUntil date: Date) throws(ReceiptVerificationError) {
        var verifier = self
        verifier.maximumAge = nil
        func check(_ signedDate: Date) throws(ReceiptVerificationError) {
            guard signedDate <= date.addingTimeInterval(Self.clockTolerance) else {
                throw ReceiptVerificationError(
                    .signedDateOutOfRange, .age, "signed at \(signedDate), and the notification at \(date)")
            }
        }
        if let text = texts.signedTransactionInfo { try check(verifier.transaction(jws: text).signedDate) }
        if let text = texts.signedAppTransactionInfo { try check(verifier.appTransaction(jws: text).signedDate) }
        guard let text = texts.signedRenewalInfo else { return }
        if let transaction = texts.transaction {
            try check(verifier.renewalInfo(jws: text, of: transaction).signedDate)
        } else {
            let payload = try verifier.payload(text, .any)
            try check(Self.expect("signed renewal information", in: payload, \.renewalInfo).signedDate)
        }
    }

    /// Returns the content of a verified payload, or throws an error for a payload of another kind.
    package static func expect<Info>(
        _ expected: String, in payload: SignedPayload, _ info: (SignedPayload) -> Info?
    ) throws(ReceiptVerificationError) -> Info {
        guard let info = info(payload) else {
            throw ReceiptVerificationError(
                .unexpectedPayload, .structure, "expected \(expected), found \(payload.kind.rawValue)")
        }
        return info
    }
}
