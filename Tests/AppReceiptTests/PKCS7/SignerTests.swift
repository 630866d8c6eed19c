import AppReceipt
import AppStoreSimulator
import Foundation
import ReceiptCryptography
import ReceiptTestFixtures
import TestHarness
import Testing

/// Containers with defects that no issuer creates.
@Suite(.bounded) struct SignerTests {
    private static let sha256: [UInt64] = [2, 16, 840, 1, 101, 3, 4, 2, 1]
    private static let data = DEREncoding.objectIdentifier([1, 2, 840, 113549, 1, 7, 1])

    private let fixture = ReceiptFixture()
    private let content = ReceiptFixture().receipt.encoded()
    private let key: SimulatedKey
    private let chain: SimulatedCertificateChain

    init() throws {
        key = .rsa(try #require(SimulatedSigningKeys.leaf))
        chain = try #require(SimulatedCertificateChain.receipts)
    }

    private func algorithm(_ identifier: [UInt64], _ parameters: [UInt8] = DEREncoding.null) -> [UInt8] {
        DEREncoding.sequence([DEREncoding.objectIdentifier(identifier), parameters])
    }

    private struct Signer {
        var identifier: [UInt8]?
        var digestAlgorithm: [UInt8]?
        /// The encodings of the signed attributes.
        var attributes: [[UInt8]]?
        var isIndefinite = false
        var signatureAlgorithm: [UInt8]?
        var digest = SignatureDigest.sha256
        var message: [UInt8]?
    }

    private func encode(_ signer: Signer) -> [UInt8] {
        let set = signer.attributes.map { DEREncoding.element(0x31, Array($0.joined())) }
        let issuer = DEREncoding.sequence([
            SimulatedCertificate.name(chain.leafIssuer), DEREncoding.integer(chain.leafSerialNumber),
        ])
        let sent: [UInt8] =
            switch (signer.attributes, signer.isIndefinite) {
            case (nil, _): []
            case (let attributes?, true): [0xA0, 0x80] + attributes.joined() + [0, 0]
            case (let attributes?, false): DEREncoding.element(0xA0, Array(attributes.joined()))
            }
        return DEREncoding.sequence([
            DEREncoding.integer(1), signer.identifier ?? issuer, signer.digestAlgorithm ?? algorithm(Self.sha256), sent,
            signer.signatureAlgorithm ?? key.signatureAlgorithm(signer.digest),
            DEREncoding.octetString(
                SignatureMemo.shared.signature(of: signer.message ?? set ?? content, by: key, signer.digest)),
        ])
    }

    private func failures(_ signers: [Signer], contentType: [UInt8] = Self.data) -> [ReceiptCheck:
        ReceiptVerificationError.Code]
    {
        let signed = DEREncoding.sequence([
            DEREncoding.integer(1), DEREncoding.set([algorithm(Self.sha256)]),
            DEREncoding.sequence([contentType, DEREncoding.explicit(0, DEREncoding.octetString(content))]),
            DEREncoding.element(0xA0, chain.leaf + chain.intermediate + chain.root),
            DEREncoding.set(signers.map(encode)),
        ])
        let container = DEREncoding.sequence([
            DEREncoding.objectIdentifier([1, 2, 840, 113549, 1, 7, 2]), DEREncoding.explicit(0, signed),
        ])
        return fixture.report(on: container).failures
    }

    private func attribute(_ number: UInt64, _ values: [UInt8]...) -> [UInt8] {
        DEREncoding.sequence([
            DEREncoding.objectIdentifier([1, 2, 840, 113549, 1, 9, number]), DEREncoding.set(values),
        ])
    }

    private var typeAttribute: [UInt8] { attribute(3, Self.data) }
    private var digestAttribute: [UInt8] { attribute(4, DEREncoding.octetString(SHA256.hash(content))) }

    @Test func `an unmodified fixture passes all checks`() {
        expectEqual(failures([Signer()]), [:])
        expectEqual(failures([Signer(attributes: [typeAttribute, digestAttribute])]), [:])
        // RFC 5652, 5.3: attributes of other types are allowed, as is any order.
        let time = attribute(5, DEREncoding.time(ReceiptFixture.creationDate))
        expectEqual(failures([Signer(attributes: [digestAttribute, time, typeAttribute])]), [:])
    }

    @Test func `a container must have exactly one signer`() {
        expectEqual(failures([]), [.signer: .signerCount])
        expectEqual(failures([Signer(), Signer(digest: .sha1)]), [.signer: .signerCount])
    }

    @Test func `a signer without an enclosed certificate fails`() {
        let otherSerialNumber = DEREncoding.sequence([
            SimulatedCertificate.name(chain.leafIssuer), DEREncoding.integer(4),
        ])
        expectEqual(failures([Signer(identifier: otherSerialNumber)]), [.signer: .signerCertificateMissing])
        let otherIssuer = DEREncoding.sequence([SimulatedCertificate.name("Another issuer"), DEREncoding.integer(3)])
        expectEqual(failures([Signer(identifier: otherIssuer)]), [.signer: .signerCertificateMissing])
        expectEqual(
            failures([Signer(identifier: DEREncoding.element(0x80, [1, 2, 3]))]), [.signer: .signerCertificateMissing])
    }

    @Test func `a signer that refers to another certificate fails`() {
        let intermediate = DEREncoding.sequence([
            SimulatedCertificate.name("Simulated App Store Test Root"), DEREncoding.integer(2),
        ])
        expectEqual(failures([Signer(identifier: intermediate)]), [.signature: .signatureInvalid])
    }

    @Test func `unknown and mismatched algorithms fail`() {
        let md5 = algorithm([1, 2, 840, 113549, 2, 5])
        expectEqual(failures([Signer(digestAlgorithm: md5)]), [.content: .unsupportedAlgorithm])
        let parameters = algorithm(Self.sha256, DEREncoding.integer(1))
        expectEqual(failures([Signer(digestAlgorithm: parameters)]), [.content: .unsupportedAlgorithm])
        let absent = algorithm(Self.sha256, [])
        expectEqual(failures([Signer(digestAlgorithm: absent)]), [:])
        // Signed with SHA-1 although the container names SHA-256.
        expectEqual(failures([Signer(digest: .sha1)]), [.signature: .unsupportedAlgorithm])
        let pss = algorithm([1, 2, 840, 113549, 1, 1, 10], DEREncoding.sequence([]))
        expectEqual(failures([Signer(signatureAlgorithm: pss)]), [.signature: .unsupportedAlgorithm])
        let ecdsa = algorithm([1, 2, 840, 10045, 4, 3, 2], [])
        expectEqual(failures([Signer(signatureAlgorithm: ecdsa)]), [.signature: .signatureInvalid])
    }

    @Test func `signed attributes of other content fail`() {
        let otherDigest = attribute(4, DEREncoding.octetString(SHA256.hash(content + [0])))
        expectEqual(failures([Signer(attributes: [typeAttribute, otherDigest])]), [.content: .contentMismatch])
        let shortened = attribute(4, DEREncoding.octetString(Array(SHA256.hash(content).prefix(16))))
        expectEqual(failures([Signer(attributes: [typeAttribute, shortened])]), [.content: .contentMismatch])
        let otherType = attribute(3, DEREncoding.objectIdentifier([1, 2, 840, 113549, 1, 7, 2]))
        expectEqual(failures([Signer(attributes: [otherType, digestAttribute])]), [.content: .contentMismatch])
        // The content itself is signed although there are signed attributes.
        expectEqual(
            failures([Signer(attributes: [typeAttribute, digestAttribute], message: content)]),
            [.signature: .signatureInvalid])
        expectEqual(
            failures([Signer(attributes: [typeAttribute, digestAttribute], isIndefinite: true)]),
            [.content: .contentMismatch])
    }

    @Test func `missing, repeated and multivalued signed attributes fail`() {
        for attributes in [
            [], [typeAttribute], [digestAttribute], [typeAttribute, typeAttribute, digestAttribute],
            [typeAttribute, digestAttribute, digestAttribute], [attribute(3), digestAttribute],
            [attribute(3, Self.data, DEREncoding.objectIdentifier([1, 2, 3])), digestAttribute],
            [typeAttribute, attribute(4, DEREncoding.integer(1))],
        ] {
            expectEqual(failures([Signer(attributes: attributes)]), [.structure: .malformed])
        }
    }

    @Test func `content of another type needs signed attributes`() {
        let other = DEREncoding.objectIdentifier([1, 2, 3, 4])
        expectEqual(failures([Signer()], contentType: other), [.content: .contentMismatch])
        expectEqual(failures([Signer(attributes: [attribute(3, other), digestAttribute])], contentType: other), [:])
    }
}
