/// One thing that is checked before a receipt or a signed transaction is accepted, in the order in which they are.
public enum ReceiptCheck: String, Hashable, Sendable, CaseIterable, Codable {
    /// The bytes have the structure they should have.
    case structure
    /// There is one signer, and its certificate is enclosed.
    case signer
    /// The content is the one that was signed; the signed texts inside a notification are verified themselves.
    case content
    /// The signature belongs to the signer's key.
    case signature
    /// Every certificate was signed by the next.
    case chain
    /// The chain ends at a root that is trusted.
    case trust
    /// Every certificate was valid when the receipt was made or the transaction signed.
    case validity
    /// Authorities are authorities, and keys are used for what they are for.
    case constraints
    /// The certificates carry Apple's marker extensions.
    case markers
    /// It comes from the store it should come from: production, sandbox or local testing.
    case environment
    /// It belongs to this app.
    case bundleID
    /// It belongs to this version of the app.
    case version
    /// It was issued for this device.
    case device
    /// It was signed a short time ago.
    case age
    /// It has not ended.
    case expiration
    /// No certificate has been revoked.
    case revocation
}
