import AppStoreSimulator
public import Foundation

extension VerificationResult where SignedType == AppTransaction {
    /// The app transaction as a JSON Web Signature.
    public var jwsRepresentation: String { unsafePayloadValue.text.jws }

    /// The header, JSON.
    public var headerData: Data { unsafePayloadValue.text.part(0) }

    /// The payload, JSON.
    public var payloadData: Data { unsafePayloadValue.text.payload }

    /// The signed data: header and payload of the JSON Web Signature.
    public var signedData: Data { unsafePayloadValue.text.signedData }

    /// The signature: the numbers `r` and `s`, 32 bytes each.
    public var signatureData: Data { unsafePayloadValue.text.part(2) }

    /// The date of the signature.
    public var signedDate: Date { unsafePayloadValue.signedDate }

    /// The data that ties the app transaction to the device: SHA-384 over `deviceVerificationNonce` and
    /// `AppStore.deviceVerificationID`.
    public var deviceVerification: Data { unsafePayloadValue.deviceVerification }

    /// The salt of `deviceVerification`.
    public var deviceVerificationNonce: UUID { unsafePayloadValue.deviceVerificationNonce }
}
