import AppReceipt
public import Foundation

/// The revocation status of a certificate.
public enum RevocationStatus: Hashable, Sendable {
    /// The issuer says that the certificate isn't revoked.
    case good
    /// The issuer has revoked the certificate.
    case revoked(Date)
    /// The status is unknown, with the reason for logs.
    case unknown(String)
}
