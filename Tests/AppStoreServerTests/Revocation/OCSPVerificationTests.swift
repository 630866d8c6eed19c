import AppStoreSimulator
import Foundation
import ReceiptTestFixtures
import TestHarness
import Testing

@testable import AppReceipt
@testable import AppStoreServer

@Suite(.bounded) struct OCSPVerificationTests {
    /// A change to a responder and its expected outcome.
    struct Change: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var nonce: [UInt8]?
        let expected: Outcome
        let apply: @Sendable (inout SimulatedResponder) throws -> Void

        init(
            _ name: String, nonce: [UInt8]? = nil, _ expected: Outcome,
            _ apply: @escaping @Sendable (inout SimulatedResponder) throws -> Void = { _ in }
        ) {
            testDescription = name
            self.nonce = nonce
            self.expected = expected
            self.apply = apply
        }
    }

    enum Outcome: Equatable, Sendable {
        case status(OCSPResponse.Status)
        case malformed, otherCertificate, nonceMismatch, untrustedResponder, signatureInvalid, outdated
    }

    private static func outcome(
        _ responder: SimulatedResponder, nonce: [UInt8]? = nil, bytes: (([UInt8]) -> [UInt8])? = nil
    ) throws -> Outcome {
        let certificate = try Certificate(responder.chain.leaf[...])
        let issuer = try Certificate(responder.chain.intermediate[...])
        let request = OCSPRequest(
            certificate: try #require(OCSPCertificateID(certificate, issuer: issuer)), nonce: nonce)
        let response = responder.response(to: request.encoding)
        #expect(!response.isEmpty)
        let verification = OCSPVerification(request: request, issuer: issuer, date: SimulatedResponder.now)
        do throws(OCSPVerification.Failure) {
            return .status(try verification.status(in: (bytes?(response) ?? response)[...]).status)
        } catch {
            switch error {
            case .malformed: return .malformed
            case .otherCertificate: return .otherCertificate
            case .nonceMismatch: return .nonceMismatch
            case .untrustedResponder: return .untrustedResponder
            case .signatureInvalid: return .signatureInvalid
            case .outdated: return .outdated
            }
        }
    }

    private static func key(_ key: ECDSAPrivateKey?) throws -> SimulatedKey { .ellipticCurve(try #require(key)) }

    /// Answers of an authorized responder.
    private static func delegated(
        _ name: String, _ expected: Outcome,
        _ change: @escaping @Sendable (inout SimulatedCertificate) -> Void = { _ in }
    ) -> Change {
        Change(name, expected) { responder in
            responder.certificates = [responder.delegate(change)]
            responder.signer = responder.leafKey
            responder.responderName = SimulatedResponder.name
        }
    }

    static let changes: [Change] = [
        Change("good", .status(.good)),
        Change("revoked", .status(.revoked(SimulatedResponder.revocationDate))) { $0.statuses = [3: .revoked] },
        Change("unknown to the responder", .status(.unknown)) { $0.statuses = [3: .unknown] },
        Change("a responder named by its key", .status(.good)) { $0.isNamedByKey = true },
        Change("a nonce that is repeated", nonce: [1, 2, 3], .status(.good)),
        Change("a nonce that isn't repeated", nonce: [1, 2, 3], .nonceMismatch) { $0.repeatsNonce = false },
        Change("an answer about another certificate", .otherCertificate) { responder in
            responder.answered = { $0.dropLast() + [7] }
        },
        Change("data that was changed after the signature", .signatureInvalid) { responder in
            // The year of a date.
            responder.spoil = { data in
                var data = data
                if let index = data.indices.last(where: { data[$0] == 0x18 }) { data[index + 5] ^= 1 }
                return data
            }
        },
        Change("a stranger who signs in the issuer's name", .signatureInvalid) { $0.signer = $0.leafKey },
        Change("a stranger who signs in another name", .untrustedResponder) {
            $0.signer = $0.leafKey
            $0.responderName = SimulatedResponder.name
        },
        delegated("a responder of the issuer's", .status(.good)),
        delegated("a delegate without the usage of OCSP signing", .untrustedResponder) { $0.extendedKeyUsage = [] },
        delegated("a delegate for another usage", .untrustedResponder) {
            $0.extendedKeyUsage = [[1, 3, 6, 1, 5, 5, 7, 3, 1]]
        },
        delegated("a delegate who names another issuer", .untrustedResponder) {
            $0.issuer = "Simulated App Store Test Root"
        },
        delegated("a delegate whose certificate has ended", .untrustedResponder) {
            $0.notAfter = SimulatedResponder.now.addingTimeInterval(-1)
        },
        delegated("a delegate whose certificate hasn't begun", .untrustedResponder) {
            $0.notBefore = SimulatedResponder.now.addingTimeInterval(1)
        },
        delegated("a delegate whose key may not sign", .untrustedResponder) { $0.keyUsage = 0x06 },
        Change("a delegate certified by the delegate", .untrustedResponder) { responder in
            var certificate = SimulatedCertificate(
                subject: SimulatedResponder.name, issuer: responder.chain.leafIssuer, serialNumber: 9,
                key: responder.leafKey,
                isAuthority: false)
            certificate.extendedKeyUsage = [[1, 3, 6, 1, 5, 5, 7, 3, 9]]
            responder.certificates = [certificate.signed(by: responder.leafKey)]
            responder.signer = responder.leafKey
            responder.responderName = SimulatedResponder.name
        },
        Change("an answer that has been replaced", .outdated) {
            $0.nextUpdate = SimulatedResponder.now.addingTimeInterval(-301)
        },
        Change("an answer of a clock that is a little behind", .status(.good)) {
            $0.nextUpdate = SimulatedResponder.now.addingTimeInterval(-299)
        },
        Change("an answer from the future", .outdated) {
            $0.thisUpdate = SimulatedResponder.now.addingTimeInterval(301)
        },
        Change("an answer that ends before it begins", .outdated) {
            $0.thisUpdate = SimulatedResponder.now.addingTimeInterval(200)
            $0.nextUpdate = SimulatedResponder.now.addingTimeInterval(100)
        },
        Change("a fresh answer without an end", .status(.good)) {
            $0.nextUpdate = nil
            $0.thisUpdate = SimulatedResponder.now
        },
        Change("an old answer without an end", .outdated) {
            $0.nextUpdate = nil
            $0.thisUpdate = SimulatedResponder.now.addingTimeInterval(-3_901)
        },
        Change("good and then revoked", .status(.revoked(SimulatedResponder.revocationDate))) {
            $0.furtherAnswers = [.init(status: .revoked)]
        },
        Change("good and then unknown", .status(.unknown)) { $0.furtherAnswers = [.init(status: .unknown)] },
        Change("revoked, and then good and unknown", .status(.revoked(SimulatedResponder.revocationDate))) {
            $0.statuses = [3: .revoked]
            $0.furtherAnswers = [.init(status: .good), .init(status: .unknown)]
        },
        Change("good, and revoked by a SHA-256", .status(.revoked(SimulatedResponder.revocationDate))) {
            $0.furtherAnswers = [.init(status: .revoked, hash: .sha256)]
        },
        Change(
            "about another certificate, and revoked by a SHA-384", .status(.revoked(SimulatedResponder.revocationDate))
        ) {
            $0.answered = { $0.dropLast() + [7] }
            $0.furtherAnswers = [.init(status: .revoked, hash: .sha384)]
        },
        Change("a revocation that is no longer current", .status(.revoked(SimulatedResponder.revocationDate))) {
            $0.statuses = [3: .revoked]
            $0.nextUpdate = SimulatedResponder.now.addingTimeInterval(-301)
        },
        Change("good and outdated, and then good and current", .status(.good)) {
            $0.nextUpdate = SimulatedResponder.now.addingTimeInterval(-301)
            $0.furtherAnswers = [.init(status: .good, nextUpdate: SimulatedResponder.now.addingTimeInterval(9))]
        },
        Change("a revocation from the future", .outdated) {
            $0.statuses = [3: .revoked]
            $0.thisUpdate = SimulatedResponder.now.addingTimeInterval(301)
        },
        Change("an unknown critical extension", .malformed) { $0.criticalExtension = [1, 2, 3] },
        Change("more certificates than are read", .malformed) {
            $0.certificates = Array(repeating: $0.chain.leaf, count: 9)
        },
    ]

    @Test(arguments: changes) func `a response must be signed, current and for the certificate`(
        change: Change
    ) throws {
        var responder = try SimulatedResponder()
        try change.apply(&responder)
        expectEqual(try Self.outcome(responder, nonce: change.nonce), change.expected)
    }

    @Test func `the answer that expires first limits the status`() throws {
        var responder = try SimulatedResponder()
        let end = SimulatedResponder.now.addingTimeInterval(9)
        responder.furtherAnswers = [.init(status: .good, nextUpdate: end)]
        let issuer = try Certificate(responder.chain.intermediate[...])
        let leaf = try Certificate(responder.chain.leaf[...])
        let request = OCSPRequest(certificate: try #require(OCSPCertificateID(leaf, issuer: issuer)))
        let verification = OCSPVerification(request: request, issuer: issuer, date: SimulatedResponder.now)
        expectEqual(try verification.status(in: responder.response(to: request.encoding)[...]).end, end)
    }

    @Test func `a truncated or mutated response never becomes another answer`() throws {
        var responder = try SimulatedResponder()
        responder.statuses = [3: .revoked]
        let revoked = Outcome.status(.revoked(SimulatedResponder.revocationDate))
        let count = 400
        for place in stride(from: 0, to: count, by: 9) {
            expectEqual(try Self.outcome(responder) { Array($0.prefix(place)) }, .malformed, "\(place)")
            let spoiled = try Self.outcome(responder) { bytes in
                var bytes = bytes
                if place < bytes.count { bytes[place] ^= 0x41 }
                return bytes
            }
            if case .status = spoiled { expectEqual(spoiled, revoked, "\(place)") }
        }
        let tryLater = DEREncoding.sequence([DEREncoding.element(0x0A, [3])])
        expectEqual(try Self.outcome(responder) { _ in tryLater }, .malformed)
    }

    @Test func `a certificate names its responder by an address of HTTP`() throws {
        func address(_ text: String?) throws -> URL? {
            try Certificate(SimulatedResponder(address: text).chain.leaf[...]).responderAddress
        }
        expectEqual(try address("http://ocsp.example.com/a"), URL(string: "http://ocsp.example.com/a"))
        expectEqual(try address("https://ocsp.example.com"), URL(string: "https://ocsp.example.com"))
        for text in [nil, "file:///etc/passwd", "ldap://example.com", "ocsp.example.com", ""] {
            expectEqual(try address(text), nil, "\(text ?? "")")
        }
    }
}
