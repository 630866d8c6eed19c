public import Foundation

/// What the App Store has signed, and whether the signature checks out.
@frozen public enum VerificationResult<SignedType> {
    /// It does not, or something else is wrong with it: whoever uses the value all the same decides that for themselves.
    case unverified(SignedType, VerificationResult<SignedType>.VerificationError)
    /// It does.
    case verified(SignedType)

    /// Why a signed value cannot be trusted.
    public enum VerificationError: Error, LocalizedError, Hashable, Sendable {
        /// A certificate was revoked.
        case revokedCertificate
        /// The certificates do not lead to Apple's root.
        case invalidCertificateChain
        /// It was signed for another device.
        case invalidDeviceVerification
        /// It cannot be read.
        case invalidEncoding
        /// The signature does not fit.
        case invalidSignature
        /// Something that has to be there is not.
        case missingRequiredProperties

        /// What a customer may read about the error.
        public var errorDescription: String? {
            switch self {
            case .revokedCertificate: "A certificate of the App Store was revoked."
            case .invalidCertificateChain: "The certificates do not lead to Apple's root."
            case .invalidDeviceVerification: "The purchase was signed for another device."
            case .invalidEncoding: "The purchase cannot be read."
            case .invalidSignature: "The signature of the purchase does not fit."
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
    /// The value, and what is wrong with it.
    public var debugDescription: String {
        switch self {
        case .verified(let value): "verified \(value.debugDescription)"
        case .unverified(let value, let error): "unverified (\(error)) \(value.debugDescription)"
        }
    }
}
