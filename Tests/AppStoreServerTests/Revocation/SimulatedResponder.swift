import AppStoreSimulator
import Foundation
import ReceiptCryptography
import ReceiptTestFixtures
import Testing

@testable import AppReceipt

/// An OCSP responder for the simulator's certificates. Tests can modify each part of its answers.
struct SimulatedResponder: Sendable {
    static let now = Date(timeIntervalSince1970: 1_790_000_000)
    static let revocationDate = Date(timeIntervalSince1970: 1_780_000_000)
    static let name = "Simulated Responder"

    enum Status: Sendable {
        case good, revoked, unknown
    }

    /// The certificates with responder addresses.
    let chain: SimulatedCertificateChain
    private let intermediateKey: SimulatedKey
    private let rootKey: SimulatedKey
    let leafKey: SimulatedKey

    /// The statuses by serial number; every other certificate is good.
    var statuses: [UInt8: Status] = [:]
    var thisUpdate = SimulatedResponder.now.addingTimeInterval(-3_600)
    var nextUpdate: Date? = SimulatedResponder.now.addingTimeInterval(3_600)
    /// The signer; by default the issuer of the certificate.
    var signer: SimulatedKey?
    /// The responder's name; by default the issuer's name.
    var responderName: String?
    var isNamedByKey = false
    var certificates: [[UInt8]] = []
    var repeatsNonce = true
    /// Changes the signed bytes after the signature.
    var spoil: @Sendable ([UInt8]) -> [UInt8] = { $0 }
    /// Returns the identifier of the certificate in the answer from the identifier in the request.
    var answered: @Sendable ([UInt8]) -> [UInt8] = { $0 }
    var criticalExtension: [UInt64]?
    /// Further answers, which follow the first one.
    var furtherAnswers: [Answer] = []

    struct Answer: Sendable {
        var status: Status
        /// The hash function of the certificate's identifier.
        var hash = DigestAlgorithm.sha1
        /// `nil` for the dates of the first answer.
        var nextUpdate: Date?
    }

    init(address: String? = "http://127.0.0.1:9/") throws {
        rootKey = .ellipticCurve(try #require(SimulatedSigningKeys.transactionRoot))
        intermediateKey = .ellipticCurve(try #require(SimulatedSigningKeys.transactionIntermediate))
        leafKey = .ellipticCurve(try #require(SimulatedSigningKeys.transactionLeaf))
        var parts = SimulatedCertificateChain.certificates(root: rootKey, intermediate: intermediateKey, leaf: leafKey)
        parts.intermediate.responderAddress = address
        parts.leaf.responderAddress = address
        chain = SimulatedCertificateChain(root: parts.root, intermediate: parts.intermediate, leaf: parts.leaf)
    }

    /// A certificate that the intermediate issued for another responder.
    func delegate(_ change: (inout SimulatedCertificate) -> Void = { _ in }) -> [UInt8] {
        var certificate = SimulatedCertificate(
            subject: Self.name, issuer: chain.leafIssuer, serialNumber: 9, key: leafKey, isAuthority: false)
        certificate.extendedKeyUsage = [[1, 3, 6, 1, 5, 5, 7, 3, 9]]
        change(&certificate)
        return certificate.signed(by: intermediateKey)
    }

    /// Answers a request.
    func response(to request: [UInt8]) -> [UInt8] {
        guard let question = try? Self.read(request), let serial = question.serialNumber.last else { return [] }
        let isLeaf = serial == 3
        let key = signer ?? (isLeaf ? intermediateKey : rootKey)
        let issuerName = isLeaf ? chain.leafIssuer : "Simulated App Store Test Root"
        let first = answer(answered(question.certificate), statuses[serial] ?? .good, nextUpdate)
        let bits = key.publicPoint
        let further = furtherAnswers.map { further in
            let identifier = Self.identifier(
                of: question.serialNumber, issuer: SimulatedCertificate.name(issuerName), bits, further.hash)
            return answer(identifier, further.status, further.nextUpdate ?? nextUpdate)
        }
        let responder =
            isNamedByKey
            ? DEREncoding.explicit(2, DEREncoding.octetString(DigestAlgorithm.sha1.hash(bits[...])))
            : DEREncoding.explicit(1, SimulatedCertificate.name(responderName ?? issuerName))
        var extensions: [[UInt8]] = []
        if let nonce = question.nonce, repeatsNonce {
            extensions.append(
                DEREncoding.sequence([
                    DEREncoding.objectIdentifier([1, 3, 6, 1, 5, 5, 7, 48, 1, 2]),
                    DEREncoding.octetString(DEREncoding.octetString(nonce)),
                ]))
        }
        if let criticalExtension {
            extensions.append(
                DEREncoding.sequence([
                    DEREncoding.objectIdentifier(criticalExtension), DEREncoding.boolean(true),
                    DEREncoding.octetString([5, 0]),
                ]))
        }
        let data = DEREncoding.sequence([
            responder, Self.time(thisUpdate), DEREncoding.sequence([first] + further),
            extensions.isEmpty ? [] : DEREncoding.explicit(1, DEREncoding.sequence(extensions)),
        ])
        let basic = DEREncoding.sequence([
            spoil(data), key.signatureAlgorithm(.sha256), DEREncoding.bitString(key.signature(of: data, .sha256)),
            certificates.isEmpty ? [] : DEREncoding.explicit(0, DEREncoding.sequence(certificates)),
        ])
        let bytes = DEREncoding.sequence([
            DEREncoding.objectIdentifier([1, 3, 6, 1, 5, 5, 7, 48, 1, 1]), DEREncoding.octetString(basic),
        ])
        return DEREncoding.sequence([DEREncoding.element(0x0A, [0]), DEREncoding.explicit(0, bytes)])
    }

    private func answer(_ certificate: [UInt8], _ status: Status, _ nextUpdate: Date?) -> [UInt8] {
        let encoding: [UInt8] =
            switch status {
            case .good: [0x80, 0]
            case .revoked:
                DEREncoding.element(
                    0xA1,
                    Self.time(Self.revocationDate) + DEREncoding.explicit(0, DEREncoding.element(0x0A, [1])))
            case .unknown: [0x82, 0]
            }
        return DEREncoding.sequence([
            certificate, encoding, Self.time(thisUpdate),
            nextUpdate.map { DEREncoding.explicit(0, Self.time($0)) } ?? [],
        ])
    }

    private static func identifier(
        of serialNumber: [UInt8], issuer: [UInt8], _ key: [UInt8], _ hash: DigestAlgorithm
    ) -> [UInt8] {
        let identifiers: [DigestAlgorithm: [UInt64]] = [
            .sha1: [1, 3, 14, 3, 2, 26], .sha256: [2, 16, 840, 1, 101, 3, 4, 2, 1],
            .sha384: [2, 16, 840, 1, 101, 3, 4, 2, 2],
        ]
        return DEREncoding.sequence([
            DEREncoding.sequence([DEREncoding.objectIdentifier(identifiers[hash] ?? []), [0x05, 0x00]]),
            DEREncoding.octetString(hash.hash(issuer[...])), DEREncoding.octetString(hash.hash(key[...])),
            DEREncoding.element(0x02, serialNumber),
        ])
    }

    /// The contents of a request, read with separate code.
    private static func read(
        _ request: [UInt8]
    ) throws -> (certificate: [UInt8], serialNumber: [UInt8], nonce: [UInt8]?) {
        var outer = try BERReader(request[...], rules: .distinguished)
        var message = try outer.next(.sequence, "").members("")
        var signed = try message.next(.sequence, "").members("")
        var list = try signed.next(.sequence, "").members("")
        var single = try list.next(.sequence, "").members("")
        let certificate = try single.next(.sequence, "")
        var names = try certificate.members("")
        _ = try names.next()
        _ = try names.next()
        _ = try names.next()
        let serialNumber = Array(try names.next(.integer, "").content)
        var nonce: [UInt8]?
        if let wrapper = try signed.nextIfPresent(.context(2), "") {
            var extensions = try wrapper.members("")
            var all = try extensions.next(.sequence, "").members("")
            var one = try all.next(.sequence, "").members("")
            _ = try one.next()
            var inside = try one.next(.octetString, "").wrapped("")
            nonce = Array(try inside.next(.octetString, "").content)
        }
        return (Array(certificate.encoding), serialNumber, nonce)
    }

    private static func time(_ date: Date) -> [UInt8] {
        DEREncoding.element(
            0x18, UTCFields(date).rfc3339.utf8.filter { (0x30...0x39).contains($0) } + [UInt8(ascii: "Z")])
    }
}

extension SimulatedKey {
    fileprivate var publicPoint: [UInt8] {
        switch self {
        case .rsa: []
        case .ellipticCurve(let key): key.publicPoint
        }
    }
}
