import AppReceipt
import AppStoreSimulator
import Foundation
import ReceiptCryptography
import ReceiptTestFixtures
import TestHarness
import Testing

@Suite(.bounded) struct CertificateTests {
    private func parts() throws -> (
        root: SimulatedCertificate, intermediate: SimulatedCertificate, leaf: SimulatedCertificate
    ) {
        try ReceiptFixture.certificates()
    }

    @Test func `every field is read`() throws {
        let parts = try parts()
        let encoding = parts.leaf.signed(by: parts.intermediate.key)
        let certificate = try Certificate(encoding[...])
        expectEqual(certificate.subject.commonName, parts.leaf.subject)
        expectEqual(certificate.issuer.commonName, parts.leaf.issuer)
        expectEqual(certificate.serialNumber, [3])
        expectEqual(certificate.notBefore, parts.leaf.notBefore)
        expectEqual(certificate.notAfter, parts.leaf.notAfter)
        expectEqual(certificate.extensions.isAuthority, false)
        expectEqual(certificate.extensions.keyUsage, .digitalSignature)
        #expect(certificate.extensions.identifiers.contains(.receiptSigningMarker))
        #expect(certificate.extensions.unknownCritical.isEmpty)
        #expect(!certificate.isSelfIssued)
        expectEqual(certificate.publicKey.description, "RSA of 2048 bits")
        expectEqual(certificate.encoding, encoding[...])
        let issuer = try Certificate(parts.intermediate.signed(by: parts.root.key)[...])
        #expect(certificate.isSigned(by: issuer))
        #expect(!certificate.isSigned(by: certificate))
        #expect(!issuer.isSigned(by: certificate))
    }

    @Test func `a truncated or extended certificate is malformed`() throws {
        let parts = try parts()
        let encoding = parts.leaf.signed(by: parts.intermediate.key)
        for count in encoding.indices {
            #expect(throws: MalformedReceiptError.self) { try Certificate(encoding[..<count]) }
        }
        #expect(throws: MalformedReceiptError.self) { try Certificate((encoding + [0])[...]) }
    }

    @Test func `the outer signature algorithm must equal the inner one`() throws {
        let parts = try parts()
        let encoding = parts.leaf.signed(by: parts.intermediate.key)
        let certificate = try Certificate(encoding[...])
        var changed = encoding
        // From sha256WithRSAEncryption to sha384WithRSAEncryption, behind tag and length of the sequence and its
        // identifier.
        let place = certificate.signatureAlgorithm.encoding.startIndex + 12
        try #require(changed[place] == 11)
        changed[place] = 12
        let error = #expect(throws: MalformedReceiptError.self) { try Certificate(changed[...]) }
        expectEqual(error?.offset, certificate.signatureAlgorithm.encoding.startIndex)
    }

    @Test func `duplicate extensions are malformed`() throws {
        var parts = try parts()
        parts.leaf.markers += parts.leaf.markers
        let encoding = parts.leaf.signed(by: parts.intermediate.key)
        expectError(\MalformedReceiptError.code, .invalidValue) { try Certificate(encoding[...]) }
    }

    @Test func `certificates are read as DER, not as BER`() throws {
        let parts = try parts()
        var encoding = parts.leaf.signed(by: parts.intermediate.key)
        // The outermost length in three octets instead of two.
        try #require(encoding[1] == 0x82)
        encoding.replaceSubrange(1..<2, with: [0x83, 0x00])
        expectError(\MalformedReceiptError.code, .invalidEncoding) { try Certificate(encoding[...]) }
    }

    @Test func `keys of other kinds are unsupported and verify no signature`() throws {
        func key(_ algorithm: [[UInt8]], _ bits: [UInt8]) throws -> PublicKey {
            let encoding = DEREncoding.sequence([DEREncoding.sequence(algorithm), DEREncoding.bitString(bits)])
            var reader = try BERReader(encoding[...], rules: .distinguished)
            return try PublicKey(reader.next())
        }
        func rsa(_ modulus: Int, _ exponent: Int) -> [UInt8] {
            DEREncoding.sequence([
                DEREncoding.integer(magnitude: Array(repeating: 0xFF, count: modulus)),
                DEREncoding.integer(magnitude: Array(repeating: 0xFF, count: exponent)),
            ])
        }
        let rsaEncryption = [DEREncoding.objectIdentifier([1, 2, 840, 113549, 1, 1, 1]), DEREncoding.null]
        let unsupported = [
            try key([DEREncoding.objectIdentifier([1, 3, 101, 112])], Array(repeating: 1, count: 32)),
            try key(
                [
                    DEREncoding.objectIdentifier([1, 2, 840, 10045, 2, 1]),
                    DEREncoding.objectIdentifier([1, 3, 132, 0, 10]),
                ], [4]),
            try key(rsaEncryption, rsa(127, 3)), try key(rsaEncryption, rsa(513, 3)),
            try key(rsaEncryption, rsa(256, 9)),
        ]
        for key in unsupported {
            guard case .unsupported = key else {
                Issue.record("\(key) is taken as supported")
                continue
            }
            #expect(!key.isValidSignature([1], of: [1], scheme: .rsa(.sha256)))
            #expect(!key.isValidSignature([0x30, 6, 2, 1, 1, 2, 1, 1], of: [1], scheme: .ecdsa(.sha256)))
        }
        #expect(throws: MalformedReceiptError.self) { try key(rsaEncryption, rsa(256, 3) + [0]) }
        #expect(throws: MalformedReceiptError.self) { try key(rsaEncryption, [0x30, 0]) }
    }

    @Test func `a key on a curve is an uncompressed point, and a signature's numbers are as long as a coordinate`()
        throws
    {
        let key = try #require(SimulatedSigningKeys.transactionLeaf)
        let message = Array("in-app".utf8)
        let signature = try #require(key.signature(of: message, .sha256))
        let point = key.publicPoint
        func accepts(_ point: [UInt8], r: [UInt8] = signature.r, s: [UInt8] = signature.s) -> Bool {
            let encoding = DEREncoding.sequence([DEREncoding.integer(magnitude: r), DEREncoding.integer(magnitude: s)])
            return PublicKey.ellipticCurve(.p256, point: point[...])
                .isValidSignature(encoding[...], of: message[...], scheme: .ecdsa(.sha256))
        }
        #expect(accepts(point))
        let (x, y) = (Array(point[1..<33]), Array(point[33...]))
        let parity = 2 + (point[64] & 1)
        let others: [[UInt8]] = [
            [], [4], [parity] + x, [parity + 4] + x + y, Array(point.dropLast()), point + [0], [4, 0] + x + y,
            [0] + point,
        ]
        for other in others { #expect(!accepts(other), "\(other.count) bytes, \(other.first ?? 0)") }
        #expect(!accepts(point, r: [1] + signature.r))
        #expect(!accepts(point, s: [1] + signature.s))
        #expect(!accepts(point, r: [1] + Array(repeating: 0, count: 60)))
    }

    @Test func `ECDSA signatures are exactly two positive integers in DER`() throws {
        let chain = try #require(SimulatedCertificateChain.signedTransactions)
        let leaf = try Certificate(chain.leaf[...])
        let issuer = try Certificate(chain.intermediate[...])
        func accepts(_ signature: [UInt8]) -> Bool {
            issuer.publicKey.isValidSignature(signature[...], of: leaf.signedPart, scheme: .ecdsa(.sha384))
        }
        let good = Array(leaf.signature)
        #expect(accepts(good))
        let firstLength = Int(good[3])
        let r = Array(good[4..<(4 + firstLength)])
        let s = Array(good[(6 + firstLength)...])
        func encode(_ r: [UInt8], _ s: [UInt8], _ tail: [UInt8] = []) -> [UInt8] {
            DEREncoding.sequence([DEREncoding.element(2, r), DEREncoding.element(2, s), tail])
        }
        #expect(accepts(encode(r, s)))
        let spoiled: [String: [UInt8]] = [
            "empty": [], "an element behind": encode(r, s, [5, 0]), "a byte behind": good + [0],
            "one number": encode(r, []),
            "padded r": encode([0] + r, s), "padded s": encode(r, [0] + s),
            "long length": [0x30, 0x81] + good.dropFirst(),
            "indefinite length": [0x30, 0x80] + good.dropFirst(2) + [0, 0], "a SET": [0x31] + good.dropFirst(),
            "negative r": encode([0x80 | r[0]] + r.dropFirst(), s).count == good.count
                ? encode([0xFF] + r.dropFirst(), s) : [],
            "zero": encode([0], [0]), "one": encode([1], [1]), "swapped": encode(s, r), "r and s side by side": r + s,
        ]
        for (name, signature) in spoiled {
            #expect(!accepts(signature), "\(name)")
        }
    }
}
