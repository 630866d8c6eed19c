package import Foundation
import ReceiptCryptography

/// A payload as the App Store hands it over, and its signature.
///
/// The payload and the signature are made separately, each when it is first asked for, and once.
package final class SimulatedSignedText: Sendable {
    /// What a payload is about.
    enum Subject: Sendable, Hashable {
        case transaction(SimulatedHistoryRecord)
        case renewal(SimulatedRenewal)
        case appTransaction(SimulatedAppTransaction)
    }

    private struct Parts: Sendable {
        var payload: Data?
        var jws: String?
    }

    /// What is signed together with the payload.
    package let seal: SigningContext
    private let subject: Subject
    private let parts = Locked(Parts())

    init(_ subject: Subject, _ seal: SigningContext) {
        self.subject = subject
        self.seal = seal
    }

    /// The payload, JSON. Reading it signs nothing.
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

    /// Whether the signature has been made.
    package var isSigned: Bool { parts.withLock { $0.jws != nil } }

    /// SHA-384 over the salt and the device, both as UUIDs in lower case, by Apple's documentation of `deviceVerificationID`.
    package var deviceVerification: Data {
        Self.deviceVerification(seal)
    }

    static func deviceVerification(_ seal: SigningContext) -> Data {
        let text = seal.nonce.uuidString.lowercased() + seal.deviceID.uuidString.lowercased()
        return Data(SignatureDigest.sha384.hash(Array(text.utf8)[...]))
    }

    private func payload(in parts: inout Parts) -> Data {
        if let payload = parts.payload { return payload }
        let payload =
            switch subject {
            case .transaction(let record): record.signedPayload(seal)
            case .renewal(let renewal): renewal.signedPayload(seal)
            case .appTransaction(let transaction): transaction.signedPayload(seal)
            }
        parts.payload = payload
        return payload
    }

    private func sign(_ payload: Data) -> String {
        var issuer = SimulatedJWSIssuer()
        issuer.signs = seal.signs
        let jws = issuer.issue(payload: payload)
        return seal.isVerified ? jws : Self.spoiled(jws)
    }

    /// The same text with another first character of its signature.
    private static func spoiled(_ jws: String) -> String {
        guard let dot = jws.lastIndex(of: ".") else { return jws }
        let signature = jws[jws.index(after: dot)...]
        return jws[...dot] + (signature.first == "A" ? "B" : "A") + signature.dropFirst()
    }
}
