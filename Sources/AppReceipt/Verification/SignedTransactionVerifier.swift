public import Foundation

/// Verifies signed data from StoreKit 2 and the App Store Server without a network connection: transactions, renewal
/// information, app transactions, notifications and requests for retention messages.
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
/// To check for revoked certificates too, use ``payload(jws:revocation:)`` and the other functions with this parameter.
public struct SignedTransactionVerifier: Sendable, Hashable {
    /// The app that a payload must name.
    public var bundleID: ExpectedBundleID

    /// The required environment; `nil` accepts every environment.
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
    /// The verifier compares the Apple ID of notifications, app transactions and requests for retention messages.
    /// Production notifications and requests for retention messages require it, unless ``bundleID`` accepts any app. A
    /// request names the app only by its Apple ID.
    public var appStoreID: Int64?

    /// The maximum age of a payload, in seconds since its signed date; `nil` accepts any age.
    ///
    /// The limit prevents an attacker from replaying an old payload. Use a limit for notifications and requests for
    /// retention messages, but not for transactions that an app has stored. Apple repeats a notification for up to
    /// three days. Because clocks differ, the signed date may be up to five minutes after ``date``. The signed texts
    /// inside a notification may have any age.
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
    ///   - environment: The required environment; `nil` accepts every environment.
    ///   - appStoreID: The app's Apple ID. Production notifications and requests for retention messages require it.
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

    /// Verifies a notification of App Store Server Notifications, version 2, and the signed texts inside.
    ///
    /// - Parameter signedPayload: `signedPayload` in the body of Apple's request.
    /// - Throws: the error of the first failed check, for the notification or a signed text inside;
    ///   ``ReceiptVerificationError/Code-swift.struct/unexpectedPayload`` for a payload of another kind.
    public func notification(signedPayload: String) throws(ReceiptVerificationError) -> AppStoreServerNotification {
        try Self.expect("a notification", in: payload(signedPayload, bundleID), \.notification)
    }

    /// Verifies the notification in the body of Apple's request: `{"signedPayload":"…"}`.
    ///
    /// - Throws: the errors of ``notification(signedPayload:)``, and
    ///   ``ReceiptVerificationError/Code-swift.struct/malformed`` for any other body, including a body larger than
    ///   1 MiB plus 1 KiB.
    public func notification(requestBody: Data) throws(ReceiptVerificationError) -> AppStoreServerNotification {
        try notification(signedPayload: Self.signedPayload(in: requestBody))
    }

    /// Verifies a request for a retention message.
    ///
    /// - Parameter signedPayload: `signedPayload` in the body of Apple's request.
    /// - Throws: the error of the first failed check; ``ReceiptVerificationError/Code-swift.struct/appStoreIDMissing``
    ///   if the verifier has no ``appStoreID``; ``ReceiptVerificationError/Code-swift.struct/unexpectedPayload`` for
    ///   a payload of another kind.
    public func realtimeRequest(signedPayload: String) throws(ReceiptVerificationError) -> RealtimeRetentionRequest {
        try Self.expect("a request for a retention message", in: payload(signedPayload, bundleID), \.realtimeRequest)
    }

    /// Verifies the request for a retention message in the body of Apple's request: `{"signedPayload":"…"}`.
    ///
    /// - Parameter requestBody: the body.
    /// - Throws: the errors of ``realtimeRequest(signedPayload:)``, and
    ///   ``ReceiptVerificationError/Code-swift.struct/malformed`` for any other body, including a body larger than
    ///   1 MiB plus 1 KiB.
    public func realtimeRequest(requestBody: Data) throws(ReceiptVerificationError) -> RealtimeRetentionRequest {
        try realtimeRequest(signedPayload: Self.signedPayload(in: requestBody))
    }

    /// Returns the signed text in the body of a request.
    static func signedPayload(in requestBody: Data) throws(ReceiptVerificationError) -> String {
        let signedPayload: String?
        do throws(MalformedReceiptError) {
            signedPayload = try AppStoreServerNotification.signedPayload(inRequestBody: requestBody)
        } catch {
            throw ReceiptVerificationError(error, .structure)
        }
        guard let signedPayload else {
            throw ReceiptVerificationError(.malformed, .structure, "the body has no signedPayload")
        }
        return signedPayload
    }

    /// Verifies a payload and returns the outcome of every check.
    public func report(on jws: String) -> ReceiptVerificationReport {
        examine(jws, bundleID, stopsAtSignature: false).report
    }

    private func payload(_ jws: String, _ bundleID: ExpectedBundleID) throws(ReceiptVerificationError) -> SignedPayload
    {
        try examined(jws, bundleID).payload
    }

    /// Returns a verified payload with its certificate chain.
    func examined(
        _ jws: String, _ bundleID: ExpectedBundleID
    ) throws(ReceiptVerificationError) -> (payload: SignedPayload, chain: CertificateChain) {
        let examination = examine(jws, bundleID, stopsAtSignature: true)
        if let failure = examination.report.failure { throw failure }
        guard let payload = examination.payload, let chain = examination.chain, examination.report.isVerified else {
            throw ReceiptVerificationError(.malformed, .structure, "the payload can't be read")
        }
        return (payload, chain)
    }

    /// Verifies the texts inside a verified notification. They must belong to the same app.
    func verifyTexts(in notification: AppStoreServerNotification) throws(ReceiptVerificationError) {
        var verifier = self
        verifier.maximumAge = nil
        if let text = notification.signedTransactionInfo { _ = try verifier.transaction(jws: text) }
        if let text = notification.signedAppTransactionInfo { _ = try verifier.appTransaction(jws: text) }
        guard let text = notification.signedRenewalInfo else { return }
        if let transaction = notification.transaction {
            _ = try verifier.renewalInfo(jws: text, of: transaction)
        } else {
            _ = try Self.expect("signed renewal information", in: verifier.payload(text, .any), \.renewalInfo)
        }
    }

    static func expect<Info>(
        _ expected: String, in payload: SignedPayload, _ info: (SignedPayload) -> Info?
    ) throws(ReceiptVerificationError) -> Info {
        guard let info = info(payload) else {
            throw ReceiptVerificationError(
                .unexpectedPayload, .structure, "expected \(expected), found \(payload.kind.rawValue)")
        }
        return info
    }
}
