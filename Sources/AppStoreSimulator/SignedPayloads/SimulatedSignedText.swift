package import Foundation
import ReceiptCryptography

/// A payload as the App Store hands it over: signed when somebody asks for the signature, and only once.
package final class SimulatedSignedText: Sendable {
    /// What a payload is about.
    enum Subject: Sendable, Hashable {
        case transaction(SimulatedHistoryRecord)
        case renewal(SimulatedRenewal)
        case appTransaction(SimulatedAppTransaction)
    }

    private struct Text {
        let payload: Data
        let jws: String
    }

    /// What is signed together with the payload.
    package let seal: SimulatedSeal
    private let subject: Subject
    private let text = Locked<Text?>(nil)

    init(_ subject: Subject, _ seal: SimulatedSeal) {
        self.subject = subject
        self.seal = seal
    }

    /// The payload, JSON.
    package var payload: Data { signed().payload }

    /// The JSON Web Signature.
    package var jws: String { signed().jws }

    /// SHA-384 over the salt and the device, both as UUIDs in lower case, by Apple's documentation of `deviceVerificationID`.
    package var deviceVerification: Data {
        Self.deviceVerification(seal)
    }

    static func deviceVerification(_ seal: SimulatedSeal) -> Data {
        let text = seal.nonce.uuidString.lowercased() + seal.deviceID.uuidString.lowercased()
        return Data(SignatureDigest.sha384.hash(Array(text.utf8)[...]))
    }

    private func signed() -> Text {
        text.withLock { text in
            if let text { return text }
            let new = make()
            text = new
            return new
        }
    }

    private func make() -> Text {
        let payload =
            switch subject {
            case .transaction(let record): record.signedPayload(seal)
            case .renewal(let renewal): renewal.signedPayload(seal)
            case .appTransaction(let transaction): transaction.signedPayload(seal)
            }
        var issuer = SimulatedJWSIssuer()
        issuer.signs = seal.signs
        let jws = issuer.issue(payload: payload)
        return Text(payload: payload, jws: seal.isVerified ? jws : Self.spoiled(jws))
    }

    /// The same text with another first character of its signature.
    private static func spoiled(_ jws: String) -> String {
        guard let dot = jws.lastIndex(of: ".") else { return jws }
        let signature = jws[jws.index(after: dot)...]
        return jws[...dot] + (signature.first == "A" ? "B" : "A") + signature.dropFirst()
    }
}
