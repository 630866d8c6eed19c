public import Foundation

/// The revocation status of a certificate.
public enum RevocationStatus: Hashable, Sendable {
    /// The issuer says that the certificate isn't revoked.
    case good
    /// The issuer has revoked the certificate.
    case revoked(Date)
    /// The status couldn't be found out; the text says why, for logs.
    case unknown(String)
}
