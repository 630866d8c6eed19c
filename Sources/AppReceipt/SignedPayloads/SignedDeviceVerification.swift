public import Foundation

/// What ties a signed text to the device that StoreKit handed it to.
public struct SignedDeviceVerification: Hashable, Sendable, Codable {
    /// SHA-384 over nonce and device, both as UUIDs in lower case, one behind the other.
    public let hash: Data
    /// A salt.
    public let nonce: UUID

    /// Whether the text was handed to the device with this identifier: `AppStore.deviceVerificationID` of StoreKit.
    ///
    /// The rule is that of Apple's documentation of `deviceVerificationID`.
    public func matches(_ deviceVerificationID: UUID) -> Bool {
        let text = nonce.uuidString.lowercased() + deviceVerificationID.uuidString.lowercased()
        return DigestAlgorithm.sha384.hash(Array(text.utf8)[...]).elementsEqual(hash)
    }

    /// Reads the two fields; `nil` unless both are there.
    static func read(_ fields: inout SignedPayloadFields) throws(MalformedReceiptError) -> SignedDeviceVerification? {
        let hash = try fields.data("deviceVerification")
        let nonce = try fields.uuid("deviceVerificationNonce")
        guard let hash, let nonce else { return nil }
        return SignedDeviceVerification(hash: hash, nonce: nonce)
    }
}
