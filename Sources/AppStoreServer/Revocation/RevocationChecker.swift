import AppReceipt
public import Foundation

/// Checks whether a certificate was revoked by its issuer.
///
/// ``OCSPRevocationChecker`` sends a request to the issuer's responder. Write your own checker to use another source,
/// such as a list that your servers share.
public protocol RevocationChecker: Sendable {
    /// Whether to reject a certificate with an unknown status (hard fail). Otherwise, the certificate is accepted (soft
    /// fail).
    var requiresAnswer: Bool { get }

    /// Returns the status of a certificate. A failure is an ``RevocationStatus/unknown(_:)`` status.
    ///
    /// If the task is canceled, return an unknown status soon. The verification then fails, even if an answer isn't
    /// required.
    ///
    /// Each verification calls this function for every certificate below the root, possibly several times at once.
    /// Cache the results.
    ///
    /// - Parameters:
    ///   - certificate: The certificate in DER. Its chain has been verified.
    ///   - issuer: The certificate of its issuer in DER.
    func status(of certificate: Data, issuer: Data) async -> RevocationStatus
}
