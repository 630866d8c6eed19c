/// The checks of receipts and signed payloads, in order.
public enum ReceiptCheck: String, Hashable, Sendable, CaseIterable, Codable {
    /// The bytes have the expected structure.
    case structure
    /// There is exactly one signer with an enclosed certificate.
    case signer
    /// The content is the signed content, and the signed texts inside a notification are valid.
    case content
    /// The signature is valid for the signer's key.
    case signature
    /// Every certificate was signed by the next.
    case chain
    /// The chain ends at a trusted root.
    case trust
    /// Every certificate was valid when the receipt was created or the payload was signed.
    case validity
    /// Issuers are certificate authorities, and the keys may be used for their purpose.
    case constraints
    /// The certificates carry Apple's marker extensions.
    case markers
    /// The receipt or payload comes from the expected environment.
    case environment
    /// The receipt or payload belongs to the app.
    case bundleID
    /// The receipt belongs to the version of the app.
    case version
    /// The receipt or payload was issued for the device.
    case device
    /// The payload was signed recently.
    case age
    /// The receipt hasn't expired.
    case expiration
}
