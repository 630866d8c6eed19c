/// The reason why a receipt or a signed payload isn't accepted.
public struct ReceiptVerificationError: Error, Hashable, Sendable {
    /// The code of the problem.
    public var code: Code { details.value.code }

    /// The failed check.
    public var check: ReceiptCheck { details.value.check }

    /// The problem in one sentence, with details.
    public var reason: String { details.value.reason }

    /// The damage of the input, for ``Code-swift.struct/malformed``.
    public var malformation: MalformedReceiptError? { details.value.malformation }

    // A reference, for the same reason as in `MalformedReceiptError`.
    private var details: Shared<Details>

    private struct Details: Hashable, Sendable {
        let code: Code
        var check: ReceiptCheck
        let reason: String
        var malformation: MalformedReceiptError?
    }

    // Not inlined, because the verifiers create errors in many places.
    @inline(never)
    package init(_ code: Code, _ check: ReceiptCheck, _ reason: String) {
        details = Shared(Details(code: code, check: check, reason: reason))
    }

    package init(_ malformation: MalformedReceiptError, _ check: ReceiptCheck) {
        details = Shared(
            Details(code: .malformed, check: check, reason: malformation.description, malformation: malformation))
    }

    /// The error of a signed text inside a notification, as an error of the notification.
    var inContent: ReceiptVerificationError {
        var details = details.value
        details.check = .content
        var error = self
        error.details = Shared(details)
        return error
    }

    /// Reads a part of the input, whose damage is a failure of the structure.
    package static func reading<Part>(
        _ read: () throws(MalformedReceiptError) -> Part
    ) throws(ReceiptVerificationError) -> Part {
        do throws(MalformedReceiptError) {
            return try read()
        } catch {
            throw ReceiptVerificationError(error, .structure)
        }
    }
}

extension ReceiptVerificationError {
    /// The codes of problems, an open set.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// A stable string for logs and servers.
        public let rawValue: String

        /// Creates a code from its raw value.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The bytes aren't a receipt or a signed payload.
        public static let malformed = Code(rawValue: "malformed")
        /// There is no signature, or more than one.
        public static let signerCount = Code(rawValue: "signerCount")
        /// The signer's certificate isn't enclosed.
        public static let signerCertificateMissing = Code(rawValue: "signerCertificateMissing")
        /// The algorithm of the signature or the kind of key isn't supported.
        public static let unsupportedAlgorithm = Code(rawValue: "unsupportedAlgorithm")
        /// The content differs from the signed content.
        public static let contentMismatch = Code(rawValue: "contentMismatch")
        /// The signature doesn't match the signer's key and the signed bytes.
        public static let signatureInvalid = Code(rawValue: "signatureInvalid")
        /// The chain of certificates is incomplete, or its length differs from the App Store's chains.
        public static let chainIncomplete = Code(rawValue: "chainIncomplete")
        /// A certificate wasn't signed by its issuer's certificate.
        public static let certificateSignatureInvalid = Code(rawValue: "certificateSignatureInvalid")
        /// The chain ends at a root that isn't trusted.
        public static let untrustedRoot = Code(rawValue: "untrustedRoot")
        /// The receipt has no creation date, so the validity of the certificates can't be checked.
        public static let creationDateMissing = Code(rawValue: "creationDateMissing")
        /// A certificate wasn't valid yet when the receipt was created.
        public static let certificateNotYetValid = Code(rawValue: "certificateNotYetValid")
        /// A certificate had expired when the receipt was created.
        public static let certificateExpired = Code(rawValue: "certificateExpired")
        /// A certificate that issued another isn't an authority's, or has more authorities below it than it allows.
        public static let notAnAuthority = Code(rawValue: "notAnAuthority")
        /// A certificate doesn't allow this use of its key.
        public static let keyUsageViolation = Code(rawValue: "keyUsageViolation")
        /// A certificate has an unknown critical extension.
        public static let unknownCriticalExtension = Code(rawValue: "unknownCriticalExtension")
        /// The signer's certificate lacks Apple's marker for App Store receipts.
        public static let leafMarkerMissing = Code(rawValue: "leafMarkerMissing")
        /// The intermediate certificate lacks Apple's marker for Worldwide Developer Relations.
        public static let intermediateMarkerMissing = Code(rawValue: "intermediateMarkerMissing")
        /// The receipt doesn't name an app.
        public static let bundleIDMissing = Code(rawValue: "bundleIDMissing")
        /// The receipt belongs to another app.
        public static let bundleIDMismatch = Code(rawValue: "bundleIDMismatch")
        /// The receipt belongs to another version of the app, or names no version.
        public static let versionMismatch = Code(rawValue: "versionMismatch")
        /// The receipt or payload isn't bound to a device.
        public static let deviceHashMissing = Code(rawValue: "deviceHashMissing")
        /// The receipt was issued for another device.
        public static let deviceHashMismatch = Code(rawValue: "deviceHashMismatch")
        /// The receipt of a volume purchase has expired.
        public static let receiptExpired = Code(rawValue: "receiptExpired")
        /// The payload is genuine but of an unexpected kind.
        public static let unexpectedPayload = Code(rawValue: "unexpectedPayload")
        /// Renewal information and transaction belong to different subscriptions.
        public static let subscriptionMismatch = Code(rawValue: "subscriptionMismatch")
        /// The receipt or payload comes from another environment.
        public static let environmentMismatch = Code(rawValue: "environmentMismatch")
        /// The verifier has no Apple ID, which it needs to check the app of the payload.
        public static let appStoreIDMissing = Code(rawValue: "appStoreIDMissing")
        /// The payload names another Apple ID or none.
        public static let appStoreIDMismatch = Code(rawValue: "appStoreIDMismatch")
        /// The payload is older than allowed, or was signed in the future.
        public static let signedDateOutOfRange = Code(rawValue: "signedDateOutOfRange")
    }
}

extension ReceiptVerificationError: CustomStringConvertible {
    /// One line with the check, the code and the reason.
    public var description: String {
        "\(check.rawValue): \(reason) (\(code.rawValue))"
    }
}
