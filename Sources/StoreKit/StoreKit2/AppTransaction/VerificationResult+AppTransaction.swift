import AppStoreSimulator
public import Foundation

extension VerificationResult where SignedType == AppTransaction {
    /// The whole as a JSON Web Signature.
    public var jwsRepresentation: String { unsafePayloadValue.text.jws }

    /// The header, JSON.
    public var headerData: Data { unsafePayloadValue.text.part(0) }

    /// The payload, JSON.
    public var payloadData: Data { unsafePayloadValue.text.payload }

    /// What is signed: header and payload as they stand in the JSON Web Signature.
    public var signedData: Data { unsafePayloadValue.text.signedData }

    /// The signature: the numbers `r` and `s`, 32 bytes each.
    public var signatureData: Data { unsafePayloadValue.text.part(2) }

    /// When it was signed.
    public var signedDate: Date { unsafePayloadValue.signedDate }

    /// What ties it to the device: SHA-384 over `deviceVerificationNonce` and `AppStore.deviceVerificationID`.
    public var deviceVerification: Data { unsafePayloadValue.deviceVerification }

    /// The salt of `deviceVerification`.
    public var deviceVerificationNonce: UUID { unsafePayloadValue.deviceVerificationNonce }
}
