public import Foundation

/// Finds out whether a certificate has been revoked by its issuer.
///
/// ``OCSPRevocationChecker`` asks the issuer's responder. Write a checker of your own to ask another source, such as a
/// list that your servers share.
public protocol RevocationChecker: Sendable {
    /// Whether a certificate is refused if its status can't be found out (hard fail). Otherwise the certificate is
    /// accepted (soft fail).
    var requiresAnswer: Bool { get }

    /// Returns the status of a certificate. A failure is an ``RevocationStatus/unknown(_:)`` status.
    ///
    /// Called once for every certificate below the root each time a payload is verified: keep what you know. Several
    /// calls may be made at once.
    ///
    /// - Parameters:
    ///   - certificate: The certificate in DER. Its chain has been verified.
    ///   - issuer: The certificate of its issuer in DER.
    func status(of certificate: Data, issuer: Data) async -> RevocationStatus
}
