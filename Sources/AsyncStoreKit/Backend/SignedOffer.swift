public import Foundation

/// A promotional offer with the signature of the app's server.
public struct SignedOffer: Sendable, Hashable {
    /// The identifier of the offer.
    public var id: String
    /// The identifier of the key that signed it.
    public var keyID: String
    /// The nonce that was signed.
    public var nonce: UUID
    /// The signature, in base64.
    public var signature: String
    /// When it was signed, in milliseconds since 1970.
    public var timestamp: Int64

    /// Describes a signed offer.
    public init(id: String, keyID: String, nonce: UUID, signature: String, timestamp: Int64) {
        self.id = id
        self.keyID = keyID
        self.nonce = nonce
        self.signature = signature
        self.timestamp = timestamp
    }
}
