public import Foundation

/// A signed value and the result of its verification.
@frozen public enum VerificationResult<SignedType> {
    /// The signature or another part of the signed value is invalid. Decide yourself whether to use the value.
    case unverified(SignedType, VerificationResult<SignedType>.VerificationError)
    /// The signature is valid.
    case verified(SignedType)

    /// The reason that a signed value failed verification.
    public enum VerificationError: Error, LocalizedError, Hashable, Sendable {
        /// A certificate was revoked.
        case revokedCertificate
        /// The certificate chain doesn't lead to Apple's root certificate.
        case invalidCertificateChain
        /// The value was signed for another device.
        case invalidDeviceVerification
        /// The value can't be decoded.
        case invalidEncoding
        /// The signature is invalid.
        case invalidSignature
        /// A required property is missing.
        case missingRequiredProperties

        /// The error message for customers.
        public var errorDescription: String? {
            switch self {
            case .revokedCertificate: "A certificate of the App Store was revoked."
            case .invalidCertificateChain: "The certificate chain doesn't lead to Apple's root certificate."
            case .invalidDeviceVerification: "The purchase was signed for another device."
            case .invalidEncoding: "The purchase data can't be decoded."
            case .invalidSignature: "The signature of the purchase is invalid."
            case .missingRequiredProperties: "The purchase is incomplete."
            }
        }
    }

    /// The value, if it is verified.
    ///
    /// - Throws: ``VerificationError``
    public var payloadValue: SignedType {
        get throws {
            switch self {
            case .verified(let value): return value
            case .unverified(_, let error): throw error
            }
        }
    }

    /// The value, verified or not.
    public var unsafePayloadValue: SignedType {
        switch self {
        case .verified(let value), .unverified(let value, _): value
        }
    }
}

extension VerificationResult: Equatable where SignedType: Equatable {}
extension VerificationResult: Hashable where SignedType: Hashable {}
extension VerificationResult: Sendable where SignedType: Sendable {}

extension VerificationResult: CustomDebugStringConvertible where SignedType: CustomDebugStringConvertible {
    /// The value, and the reason if verification failed.
    public var debugDescription: String {
        switch self {
        case .verified(let value): "verified \(value.debugDescription)"
        case .unverified(let value, let error): "unverified (\(error)) \(value.debugDescription)"
        }
    }
}
