public import Foundation

/// Verifies what today's App Store signs, on the device or on a server, without a connection: transactions, renewal
/// information, app transactions, notifications and requests for retention messages.
///
/// A payload is accepted when it is signed with ES256 by a certificate that leads, over one intermediate, to the pinned
/// root, when both carry Apple's markers and all were valid at the signed date, and when it belongs to this app,
/// environment and device. The root is pinned, never taken from the payload; of the algorithms a payload may name, one
/// is accepted.
///
/// Whether Apple has revoked a certificate is not asked. ``payload(jws:revocation:)`` and its siblings ask.
public struct SignedTransactionVerifier: Sendable, Hashable {
    /// The app that a payload has to name.
    public var bundleID: ExpectedBundleID

    /// The environment a payload has to come from; `nil` accepts every one.
    ///
    /// A server should name it: everybody with a sandbox account has genuine sandbox transactions.
    public var environment: ReceiptEnvironment?

    /// The device that a payload has to have been handed to: `AppStore.deviceVerificationID`; `nil` accepts every
    /// device, as on a server.
    public var deviceVerificationID: UUID?

    /// The certificates that are trusted; Apple Root CA - G3 unless said otherwise.
    public var trustAnchors: [ReceiptTrustAnchor]

    /// The app's Apple ID, as App Store Connect shows it in the app's information; `nil` if the verifier doesn't know
    /// it.
    ///
    /// It is compared in notifications, app transactions and requests for retention messages. For a notification of
    /// production and for a request for a retention message, the verifier has to know it, unless ``bundleID`` accepts
    /// any app: a request names the app by its Apple ID alone.
    public var appStoreID: Int64?

    /// How old a payload may be, in seconds since its signed date; `nil` accepts any age.
    ///
    /// A limit bounds how long a payload that was copied can be sent again. Use it for payloads that are made for one
    /// request, such as notifications and requests for retention messages, and not for a transaction that an app has
    /// kept. Apple repeats a notification for up to three days. A signed date up to five minutes ahead of ``date`` is
    /// accepted, because clocks differ. The signed texts inside a notification may have any age: the notification
    /// itself is fresh.
    public var maximumAge: TimeInterval?

    /// Whether the certificates also have to be valid at ``date``, and not only when the payload was signed.
    ///
    /// Apple signs with certificates that end after about two years, and earlier signatures stay genuine. Use this
    /// for payloads that are fresh, not for a history.
    public var requiresCurrentCertificates = false

    /// The moment by which ``maximumAge`` and ``requiresCurrentCertificates`` go; `nil` for the device's clock.
    public var date: Date?

    /// Creates a verifier. Whatever is `nil` is not checked; signature and certificates always are.
    ///
    /// - Parameters:
    ///   - bundleID: The app that a payload has to name.
    ///   - environment: The environment a payload has to come from; `nil` accepts every one.
    ///   - appStoreID: The app's Apple ID. Notifications of production and requests for retention messages need it.
    ///   - maximumAge: How old a payload may be, in seconds; `nil` accepts any age.
    ///   - deviceVerificationID: The device that a payload has to have been handed to; `nil` accepts every device.
    ///   - trustAnchors: The certificates that are trusted.
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

    /// Verifies a payload of any kind, and returns what it says.
    ///
    /// Renewal information names no app; alone it passes only where any app is accepted (see ``renewalInfo(jws:of:)``).
    /// The signed texts inside a notification are verified, too.
    ///
    /// - Throws: the first check that failed.
    public func payload(jws: String) throws(ReceiptVerificationError) -> SignedPayload {
        try payload(jws, bundleID)
    }

    /// Verifies a signed transaction and returns what it says.
    ///
    /// - Parameter jws: the transaction: `signedTransactionInfo` of the App Store Server API, or `jwsRepresentation` of
    ///   StoreKit 2.
    /// - Throws: the first check that failed; ``ReceiptVerificationError/Code-swift.struct/unexpectedPayload`` for a
    ///   payload of another kind.
    public func transaction(jws: String) throws(ReceiptVerificationError) -> SignedTransactionInfo {
        try Self.expect("a signed transaction", in: payload(jws, bundleID), \.transaction)
    }

    /// Verifies the signed renewal information of a transaction's subscription and returns what it says.
    ///
    /// Renewal information names no app: what ties it to one is its transaction, which therefore has to be verified
    /// first.
    ///
    /// - Parameters:
    ///   - jws: the renewal information: `signedRenewalInfo` of the App Store Server API, or `jwsRepresentation` of
    ///     StoreKit 2.
    ///   - transaction: a verified transaction of the same subscription.
    /// - Throws: the first check that failed; ``ReceiptVerificationError/Code-swift.struct/bundleIDMismatch`` when
    ///   `transaction` is another app's, ``ReceiptVerificationError/Code-swift.struct/subscriptionMismatch`` when it is
    ///   another subscription's.
    public func renewalInfo(jws: String, of transaction: SignedTransactionInfo) throws(ReceiptVerificationError) -> SignedRenewalInfo {
        guard bundleID.matches(transaction.bundleID) else {
            throw ReceiptVerificationError(.bundleIDMismatch, .bundleID, "the transaction belongs to \(transaction.bundleID)")
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

    /// Verifies a signed app transaction and returns what it says.
    ///
    /// - Parameter jws: the app transaction: `signedAppTransactionInfo` of the App Store Server API, or
    ///   `jwsRepresentation` of StoreKit 2.
    /// - Throws: the first check that failed; ``ReceiptVerificationError/Code-swift.struct/unexpectedPayload`` for a
    ///   payload of another kind.
    public func appTransaction(jws: String) throws(ReceiptVerificationError) -> SignedAppTransactionInfo {
        try Self.expect("a signed app transaction", in: payload(jws, bundleID), \.appTransaction)
    }

    /// Verifies a notification of App Store Server Notifications, version 2, with the signed texts inside it.
    ///
    /// - Parameter signedPayload: the value of `signedPayload` in the body that Apple posts to the server.
    /// - Throws: the first check that failed, of the notification or of a signed text inside;
    ///   ``ReceiptVerificationError/Code-swift.struct/unexpectedPayload`` for a payload of another kind.
    public func notification(signedPayload: String) throws(ReceiptVerificationError) -> AppStoreServerNotification {
        try Self.expect("a notification", in: payload(signedPayload, bundleID), \.notification)
    }

    /// Verifies the notification in the body of a request: `{"signedPayload":"…"}`, as Apple posts it to the server.
    ///
    /// - Throws: what ``notification(signedPayload:)`` throws, and
    ///   ``ReceiptVerificationError/Code-swift.struct/malformed`` for another body, or one that is more than 1 KiB
    ///   longer than the longest signed payload, which has 1 MiB.
    public func notification(requestBody: Data) throws(ReceiptVerificationError) -> AppStoreServerNotification {
        try notification(signedPayload: Self.signedPayload(in: requestBody))
    }

    /// Verifies a request for a retention message.
    ///
    /// - Parameter signedPayload: the value of `signedPayload` in the body that Apple posts to the server.
    /// - Throws: the first check that failed; ``ReceiptVerificationError/Code-swift.struct/appStoreIDMissing`` when
    ///   the verifier has no ``appStoreID``; ``ReceiptVerificationError/Code-swift.struct/unexpectedPayload`` for a
    ///   payload of another kind.
    public func realtimeRequest(signedPayload: String) throws(ReceiptVerificationError) -> RealtimeRetentionRequest {
        try Self.expect("a request for a retention message", in: payload(signedPayload, bundleID), \.realtimeRequest)
    }

    /// Verifies the request for a retention message in a body as Apple posts it: `{"signedPayload":"…"}`.
    ///
    /// - Parameter requestBody: the body.
    /// - Throws: what ``realtimeRequest(signedPayload:)`` throws, and
    ///   ``ReceiptVerificationError/Code-swift.struct/malformed`` for another body, or one that is too long for
    ///   ``notification(requestBody:)``.
    public func realtimeRequest(requestBody: Data) throws(ReceiptVerificationError) -> RealtimeRetentionRequest {
        try realtimeRequest(signedPayload: Self.signedPayload(in: requestBody))
    }

    /// The signed text in the body of a request.
    static func signedPayload(in requestBody: Data) throws(ReceiptVerificationError) -> String {
        let signedPayload: String?
        do throws(MalformedReceiptError) {
            signedPayload = try AppStoreServerNotification.signedPayload(inRequestBody: requestBody)
        } catch {
            throw ReceiptVerificationError(error, .structure)
        }
        guard let signedPayload else { throw ReceiptVerificationError(.malformed, .structure, "the body has no signedPayload") }
        return signedPayload
    }

    /// Verifies a payload and says what came of every check.
    public func report(on jws: String) -> ReceiptVerificationReport {
        examine(jws, bundleID, stopsAtSignature: false).report
    }

    private func payload(_ jws: String, _ bundleID: ExpectedBundleID) throws(ReceiptVerificationError) -> SignedPayload {
        try examined(jws, bundleID).payload
    }

    /// A verified payload with the certificates under which it was signed.
    func examined(
        _ jws: String, _ bundleID: ExpectedBundleID
    ) throws(ReceiptVerificationError) -> (payload: SignedPayload, chain: CertificateChain) {
        let examination = examine(jws, bundleID, stopsAtSignature: true)
        if let failure = examination.report.failure { throw failure }
        guard let payload = examination.payload, let chain = examination.chain, examination.report.isVerified else {
            throw ReceiptVerificationError(.malformed, .structure, "the payload could not be read")
        }
        return (payload, chain)
    }

    /// The notification has been verified, and names the app; the payloads inside it have to belong to the same app.
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
            throw ReceiptVerificationError(.unexpectedPayload, .structure, "expected \(expected), found \(payload.kind.rawValue)")
        }
        return info
    }
}
