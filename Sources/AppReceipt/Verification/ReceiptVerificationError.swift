/// Why something that claims to come from the App Store is not accepted: the check that failed, and how.
public struct ReceiptVerificationError: Error, Hashable, Sendable {
    /// The code of the problem.
    public var code: Code { details.value.code }

    /// The check that found it.
    public var check: ReceiptCheck { details.value.check }

    /// The problem in one sentence, with details.
    public var reason: String { details.value.reason }

    /// Where the input is damaged, for ``Code-swift.struct/malformed``.
    public var malformation: MalformedReceiptError? { details.value.malformation }

    // Handed on as a reference, as those of `MalformedReceiptError`.
    private let details: Shared<Details>

    private struct Details: Hashable, Sendable {
        let code: Code
        let check: ReceiptCheck
        let reason: String
        var malformation: MalformedReceiptError?
    }

    package init(_ code: Code, _ check: ReceiptCheck, _ reason: String) {
        details = Shared(Details(code: code, check: check, reason: reason))
    }

    package init(_ malformation: MalformedReceiptError, _ check: ReceiptCheck) {
        details = Shared(Details(code: .malformed, check: check, reason: malformation.description, malformation: malformation))
    }
}

extension ReceiptVerificationError {
    /// What can be wrong; the set may grow.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// A stable word for logs and servers.
        public let rawValue: String

        /// Creates a code from its stable word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The bytes are not those of a receipt or a signed transaction.
        public static let malformed = Code(rawValue: "malformed")
        /// There is no signature, or more than the one there should be.
        public static let signerCount = Code(rawValue: "signerCount")
        /// The certificate that the signer refers to is not enclosed.
        public static let signerCertificateMissing = Code(rawValue: "signerCertificateMissing")
        /// The signature, or the key it needs, is of a kind that is not supported.
        public static let unsupportedAlgorithm = Code(rawValue: "unsupportedAlgorithm")
        /// The content differs from the signed content.
        public static let contentMismatch = Code(rawValue: "contentMismatch")
        /// The signature doesn't match the signer's key and the signed bytes.
        public static let signatureInvalid = Code(rawValue: "signatureInvalid")
        /// The chain of certificates breaks off, or has another number of links than the App Store's.
        public static let chainIncomplete = Code(rawValue: "chainIncomplete")
        /// A certificate was not signed by the one above it.
        public static let certificateSignatureInvalid = Code(rawValue: "certificateSignatureInvalid")
        /// The chain ends, but not at a trusted root.
        public static let untrustedRoot = Code(rawValue: "untrustedRoot")
        /// The receipt does not say when it was made, so that no certificate's validity can be judged.
        public static let creationDateMissing = Code(rawValue: "creationDateMissing")
        /// A certificate was not yet valid when the receipt was made.
        public static let certificateNotYetValid = Code(rawValue: "certificateNotYetValid")
        /// A certificate was no longer valid when the receipt was made.
        public static let certificateExpired = Code(rawValue: "certificateExpired")
        /// A certificate that signed another is not that of an authority, or not of one with so many others below it.
        public static let notAnAuthority = Code(rawValue: "notAnAuthority")
        /// A certificate's key is used for something the certificate does not allow.
        public static let keyUsageViolation = Code(rawValue: "keyUsageViolation")
        /// A certificate has a critical extension that is not understood.
        public static let unknownCriticalExtension = Code(rawValue: "unknownCriticalExtension")
        /// The signer's certificate is not marked as one for App Store receipts.
        public static let leafMarkerMissing = Code(rawValue: "leafMarkerMissing")
        /// The intermediate certificate is not marked as Apple's for developers.
        public static let intermediateMarkerMissing = Code(rawValue: "intermediateMarkerMissing")
        /// The receipt does not name an app.
        public static let bundleIDMissing = Code(rawValue: "bundleIDMissing")
        /// The receipt is another app's.
        public static let bundleIDMismatch = Code(rawValue: "bundleIDMismatch")
        /// The receipt is for another version of the app, or for none.
        public static let versionMismatch = Code(rawValue: "versionMismatch")
        /// The receipt lacks what ties it to a device.
        public static let deviceHashMissing = Code(rawValue: "deviceHashMissing")
        /// The receipt was issued for another device.
        public static let deviceHashMismatch = Code(rawValue: "deviceHashMismatch")
        /// The receipt, of a volume purchase, has ended.
        public static let receiptExpired = Code(rawValue: "receiptExpired")
        /// The payload is genuine, and of another kind than the one asked for.
        public static let unexpectedPayload = Code(rawValue: "unexpectedPayload")
        /// Renewal information and transaction belong to different subscriptions.
        public static let subscriptionMismatch = Code(rawValue: "subscriptionMismatch")
        /// The receipt or transaction comes from another environment than the ones accepted.
        public static let environmentMismatch = Code(rawValue: "environmentMismatch")
        /// The verifier lacks the app's Apple ID, without which the payload's app can't be checked.
        public static let appStoreIDMissing = Code(rawValue: "appStoreIDMissing")
        /// The payload is for the app with another Apple ID, or names none.
        public static let appStoreIDMismatch = Code(rawValue: "appStoreIDMismatch")
        /// The payload was signed longer ago than is accepted, or in the future.
        public static let signedDateOutOfRange = Code(rawValue: "signedDateOutOfRange")
        /// A certificate was revoked by its issuer.
        public static let certificateRevoked = Code(rawValue: "certificateRevoked")
        /// The revocation status of a certificate isn't known, and the verifier requires it.
        public static let revocationUnknown = Code(rawValue: "revocationUnknown")
    }
}

extension ReceiptVerificationError: CustomStringConvertible {
    /// One line with the check, the code and the reason.
    public var description: String {
        "\(check.rawValue): \(reason) (\(code.rawValue))"
    }
}
