/// A transaction, or a subscription's renewal information, as today's App Store signs it: `signedTransactionInfo` and `signedRenewalInfo` of the
/// App Store Server API and its notifications, and `jwsRepresentation` of StoreKit 2.
public struct SignedTransaction: Hashable, Sendable {
    /// The token.
    public let jws: String
    /// What it says.
    public let content: Content

    /// The two things a token can be about.
    public enum Content: Hashable, Sendable {
        /// One transaction.
        case transaction(SignedTransactionInfo)
        /// What becomes of a subscription.
        case renewal(SignedRenewalInfo)
    }

    /// Verifies a token and decodes it; throws the first thing that is wrong with it.
    public init(jws: String, verifying verification: SignedTransactionVerification) throws(ReceiptVerificationError) {
        let (report, transaction) = verification.examine(jws)
        if let failure = report.failure { throw failure }
        guard let transaction, report.isVerified else {
            throw ReceiptVerificationError(.malformed, .structure, "the token could not be read")
        }
        self = transaction
    }

    /// Decodes a token without believing it: for showing what it claims, never for granting anything.
    public static func unverified(jws: String) throws(MalformedReceiptError) -> SignedTransaction {
        try SignedTransaction(jws: jws, JSONWebSignature(jws))
    }

    init(jws: String, _ token: JSONWebSignature) throws(MalformedReceiptError) {
        self.jws = jws
        do throws(MalformedReceiptError) {
            let fields = try SignedPayloadFields(token.payload, "the token's payload")
            // Only transactions have an identifier of their own, only renewal information a renewal status.
            if fields["transactionId"] != nil {
                content = .transaction(try SignedTransactionInfo(fields))
            } else if fields["autoRenewStatus"] != nil || fields["autoRenewProductId"] != nil {
                content = .renewal(try SignedRenewalInfo(fields))
            } else {
                throw MalformedReceiptError(
                    .unsupported, at: 0, expected: "a transaction (transactionId) or renewal information (autoRenewStatus)")
            }
        } catch {
            throw error.relocated(by: token.inputOffset(ofPayload:))
        }
    }

    /// The transaction, if that is what the token is about.
    public var transaction: SignedTransactionInfo? {
        if case .transaction(let info) = content { info } else { nil }
    }

    /// The renewal information, if that is what the token is about.
    public var renewal: SignedRenewalInfo? {
        if case .renewal(let info) = content { info } else { nil }
    }
}
