public import Foundation

/// The binding of a signed text to the device that received it from StoreKit.
public struct SignedDeviceVerification: Hashable, Sendable, Codable {
    /// The SHA-384 of the nonce followed by the device identifier, both as lowercase UUIDs.
    public let hash: Data
    /// A salt.
    public let nonce: UUID

    /// Returns whether StoreKit issued the signed text for the device with an `AppStore.deviceVerificationID`.
    ///
    /// Apple documents the calculation with `deviceVerificationID`.
    public func matches(_ deviceVerificationID: UUID) -> Bool {
        let text = nonce.uuidString.lowercased() + deviceVerificationID.uuidString.lowercased()
        return DigestAlgorithm.sha384.hash(Array(text.utf8)[...]).elementsEqual(hash)
    }

    /// Reads the two fields; `nil` unless both can be read. Then the text isn't bound to a device, and a verifier that
    /// expects one refuses it.
    static func read(_ fields: inout SignedPayloadFields) throws(MalformedReceiptError) -> SignedDeviceVerification? {
        try fields.auxiliary { (fields) throws(MalformedReceiptError) in
            let hash = try fields.data("deviceVerification")
            let nonce = try fields.assignedUUID("deviceVerificationNonce")
            guard let hash, let nonce else { return nil }
            return SignedDeviceVerification(hash: hash, nonce: nonce)
        }
    }
}
