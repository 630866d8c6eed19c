package import Foundation
import ReceiptCryptography

/// A payload and its signature.
///
/// The payload and the signature are created separately at first use.
package final class SimulatedSignedText: Sendable {
    /// The subject of a payload.
    enum Subject: Sendable, Hashable {
        case transaction(SimulatedHistoryRecord)
        case renewal(SimulatedRenewal)
        case appTransaction(SimulatedAppTransaction)
    }

    private struct Parts: Sendable {
        /// The subject, until the payload is created.
        var subject: Subject?
        var payload = Data()
        var jws: String?
    }

    package let seal: SigningContext
    private let parts: Protected<Parts>

    init(_ subject: Subject, _ seal: SigningContext) {
        parts = Protected(Parts(subject: subject))
        self.seal = seal
    }

    /// The payload, JSON. Reading the payload doesn't create the signature.
    package var payload: Data {
        parts.withLock { payload(in: &$0) }
    }

    /// The JSON Web Signature of ``payload``.
    package var jws: String {
        parts.withLock { parts in
            if let jws = parts.jws { return jws }
            let jws = sign(payload(in: &parts))
            parts.jws = jws
            return jws
        }
    }

    package var isSigned: Bool { parts.withLock { $0.jws != nil } }

    /// SHA-384 over the salt and the device identifier, both as lower-case UUIDs, by Apple's documentation of
    /// `deviceVerificationID`.
    package var deviceVerification: Data {
        Self.deviceVerification(seal)
    }

    static func deviceVerification(_ seal: SigningContext) -> Data {
        let text = seal.nonce.uuidString.lowercased() + seal.deviceID.uuidString.lowercased()
        return Data(SignatureDigest.sha384.hash(Array(text.utf8)[...]))
    }

    private func payload(in parts: inout Parts) -> Data {
        guard let subject = parts.subject else { return parts.payload }
        parts.payload =
            switch subject {
            case .transaction(let record): record.signedPayload(seal)
            case .renewal(let renewal): renewal.signedPayload(seal)
            case .appTransaction(let transaction): transaction.signedPayload(seal)
            }
        parts.subject = nil
        return parts.payload
    }

    private func sign(_ payload: Data) -> String {
        var issuer = SimulatedJWSIssuer()
        issuer.signs = seal.signs
        let jws = issuer.issue(payload: payload)
        return seal.isVerified ? jws : Self.invalidating(jws)
    }

    /// Returns the text with another first character of its signature.
    private static func invalidating(_ jws: String) -> String {
        guard let dot = jws.lastIndex(of: ".") else { return jws }
        let signature = jws[jws.index(after: dot)...]
        return jws[...dot] + (signature.first == "A" ? "B" : "A") + signature.dropFirst()
    }
}
