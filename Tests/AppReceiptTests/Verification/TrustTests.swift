import AppStoreSimulator
import Foundation
import ReceiptCryptography
import ReceiptTestFixtures
import TestHarness
import Testing

@testable import AppReceipt

/// The search for chains, and the trust in certificates.
@Suite(.bounded) struct TrustTests {
    private typealias Parts = (
        root: SimulatedCertificate, intermediate: SimulatedCertificate, leaf: SimulatedCertificate
    )

    @Test func `Apple's roots are the certificates with the digests that Apple publishes`() throws {
        for (anchor, root) in [(ReceiptTrustAnchor.appStore, AppleRoots.rootCA), (.appStoreG3, AppleRoots.rootCAG3)] {
            let certificate = try #require(anchor.certificate)
            expectEqual(certificate.fingerprint, root.fingerprint)
            #expect(certificate.isSelfIssued && certificate.extensions.isAuthority == true)
            expectEqual(anchor.name, certificate.subject.commonName)
            expectEqual(
                certificate.isSigned(by: certificate),
                (certificate.publicKey.description.contains("RSA") || anchor == .appStoreG3))
        }
        let hexadecimal = AppleRoots.rootCAG3.fingerprint.map {
            String($0 >> 4, radix: 16) + String($0 & 15, radix: 16)
        }.joined()
        expectEqual(hexadecimal, "63343abfb89a6a03ebb57e9b3f5fa7be7c4f5c756f3017b3a8c488c3653e9179")
    }

    @Test func `an expired or foreign certificate before the right one doesn't hide it`() throws {
        var fixture = ReceiptFixture()
        let chain = try #require(SimulatedCertificateChain.receipts)
        let parts = try ReceiptFixture.certificates()
        let root = parts.root.key
        var expired = parts.intermediate
        expired.notAfter = ReceiptFixture.creationDate.addingTimeInterval(-1)
        var foreign = parts.intermediate
        foreign.markers = []
        var keyless = parts.intermediate
        keyless.key = .rsa(try #require(SimulatedSigningKeys.leaf))
        var oldRoot = parts.root
        oldRoot.notAfter = ReceiptFixture.creationDate.addingTimeInterval(-1)
        var oldLeaf = parts.leaf
        oldLeaf.notAfter = ReceiptFixture.creationDate.addingTimeInterval(-1)
        for (name, decoys) in [
            ("expired intermediate", [expired.signed(by: root)]), ("without markers", [foreign.signed(by: root)]),
            ("another key", [keyless.signed(by: root)]), ("expired root", [oldRoot.signed(by: root)]),
            ("expired copy of the leaf", [oldLeaf.signed(by: parts.intermediate.key)]),
            (
                "all of them",
                [
                    expired.signed(by: root), foreign.signed(by: root), keyless.signed(by: root),
                    oldRoot.signed(by: root),
                    oldLeaf.signed(by: parts.intermediate.key),
                ]
            ),
        ] {
            fixture.issuer.enclosedCertificates = decoys + [chain.leaf, chain.intermediate, chain.root]
            expectEqual(fixture.report().failures, [:], "\(name)")
            fixture.issuer.enclosedCertificates = decoys + [chain.leaf, chain.root]
            #expect(fixture.report().failures != [:], "\(name), and the right one missing")
        }
    }

    @Test func `the third certificate of a token is irrelevant`() throws {
        let fixture = SignedTransactionFixture()
        let chain = try #require(SimulatedCertificateChain.signedTransactions)
        let parts = try SignedTransactionFixture.certificates()
        var expired = parts.root
        expired.notAfter = SignedTransactionFixture.signedDate.addingTimeInterval(-1)
        var other = parts.root
        other.key = parts.leaf.key
        let thirds = [
            expired.signed(by: parts.root.key), other.signed(by: parts.leaf.key), chain.leaf, chain.intermediate,
        ]
        for third in thirds.map({ [$0] }) + [[]] {
            let header = "{\"alg\":\"ES256\",\(SignedTransactionFixture.x5c([chain.leaf, chain.intermediate] + third))}"
            expectEqual(fixture.failures(try fixture.token(header: header)), [:])
        }
        // A root that is trusted by its digest must be enclosed.
        var pinned = fixture
        pinned.verifier.trustAnchors = [try .fingerprint(sha256: Data(SHA256.hash(chain.root)))]
        let without = try fixture.token(
            header: "{\"alg\":\"ES256\",\(SignedTransactionFixture.x5c([chain.leaf, chain.intermediate]))}")
        expectEqual(pinned.failures(without), [.trust: .chainIncomplete])
        expectEqual(pinned.failures(fixture.token()), [:])
    }

    @Test func `the number of signature checks for a chain is limited for any number of certificates with one name`()
        throws
    {
        let parts = try ReceiptFixture.certificates()
        let date = ReceiptFixture.creationDate
        func certificate(_ bytes: [UInt8]) throws -> Certificate { try Certificate(bytes[...]) }
        let leaf = try certificate(parts.leaf.signed(by: parts.intermediate.key))
        // Fifteen intermediates signed the leaf, and none has a trusted root: the maximum number of candidates.
        let enclosed = try (0..<15).map { index in
            var copy = parts.intermediate
            copy.serialNumber = Int64(100 + index)
            copy.subject = parts.leaf.issuer
            copy.issuer = parts.leaf.issuer
            copy.issuer = index.isMultiple(of: 2) ? parts.root.subject : parts.leaf.issuer
            return try certificate(copy.signed(by: parts.intermediate.key))
        }
        var search = CertificateChainSearch(
            among: enclosed, trusting: TrustedRoots(.pinning(SimulatedReceiptIssuer.rootCertificate)), at: date)
        let chain = search.chain(from: [leaf])
        #expect(chain?.passedChecks(at: date) != CertificateChain.allChecks)
        #expect((1...ReadingLimits.chainSignatureChecks).contains(search.signatureChecks))

        let root = try certificate(parts.root.signed(by: parts.root.key))
        let intermediate = try certificate(parts.intermediate.signed(by: parts.root.key))
        var usual = CertificateChainSearch(
            among: [leaf, intermediate, root], trusting: TrustedRoots(.pinning(SimulatedReceiptIssuer.rootCertificate)),
            at: date)
        let found = usual.chain(from: [leaf])
        expectEqual(found?.passedChecks(at: date), CertificateChain.allChecks)
        expectEqual(usual.signatureChecks, 2, "one for each link, and no more")
    }

    @Test func `signatures beyond the limit are treated as invalid`() throws {
        let parts = try ReceiptFixture.certificates()
        var impostor = parts.intermediate
        impostor.key = .rsa(try #require(SimulatedSigningKeys.leaf))
        impostor.serialNumber = 1_000
        let encoding = impostor.signed(by: parts.root.key)
        let place = try #require(Data(encoding).range(of: Data(DEREncoding.integer(1_000)))).upperBound - 1
        // None of them signed the leaf, and there are more than the limit of signature checks.
        let impostors = try (0..<UInt8(ReadingLimits.chainSignatureChecks + 3)).map { number in
            var copy = encoding
            copy[place] = number
            return try Certificate(copy[...])
        }
        var search = CertificateChainSearch(
            among: impostors, trusting: TrustedRoots(.pinning(SimulatedReceiptIssuer.rootCertificate)),
            at: ReceiptFixture.creationDate)
        let chain = search.chain(from: [try Certificate(parts.leaf.signed(by: parts.intermediate.key)[...])])
        expectEqual(search.signatureChecks, ReadingLimits.chainSignatureChecks)
        #expect(throws: ReceiptVerificationError.self) { try chain?.checkSignatures() }
        #expect(throws: ReceiptVerificationError.self) { _ = try chain?.trust() }
    }

    @Test func `a trust anchor must be in DER or PEM`() throws {
        let root = Data(SimulatedReceiptIssuer.rootCertificate)
        let lines = root.base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
        let pem = "subject=Test\n-----BEGIN CERTIFICATE-----\n\(lines)\n-----END CERTIFICATE-----\n"
        let anchor = try ReceiptTrustAnchor.certificate(root)
        expectEqual(try ReceiptTrustAnchor.certificate(Data(pem.utf8)), anchor)
        expectEqual(try ReceiptTrustAnchor.certificate(Data(pem.replacing("\n", with: "\r\n").utf8)), anchor)
        var fixture = ReceiptFixture()
        fixture.verifier.trustAnchors = [try .certificate(Data(pem.utf8))]
        #expect(fixture.report().isVerified)
        let garbage: [Data] = [
            Data(), Data("certificate".utf8), root.dropLast(), root + [0], Data((pem + pem).utf8),
            Data(pem.replacing("MII", with: "!").utf8),
            Data(root.base64EncodedString().utf8), Data(repeating: 0x41, count: 3 << 20),
        ]
        for bytes in garbage {
            #expect(throws: MalformedReceiptError.self) { try ReceiptTrustAnchor.certificate(bytes) }
        }
        for count in [0, 20, 31, 33] {
            #expect(throws: MalformedReceiptError.self) {
                try ReceiptTrustAnchor.fingerprint(sha256: Data(count: count))
            }
        }
    }

    @Test func `self-signed tokens are accepted for local testing only, if it is trusted explicitly`() throws {
        var fixture = SignedTransactionFixture()
        let key = SimulatedKey.ellipticCurve(try #require(SimulatedSigningKeys.transactionLeaf))
        let name = "StoreKit Testing in Xcode"
        let certificate = SimulatedCertificate(
            subject: name, issuer: name, serialNumber: 1, key: key, isAuthority: true
        ).signed(by: key)
        let header = "{\"alg\":\"ES256\",\(SignedTransactionFixture.x5c([certificate]))}"
        expectEqual(fixture.failures(try fixture.token(header: header))[.trust], .untrustedRoot)
        fixture.verifier.trustAnchors = .pinning(Data(certificate))
        expectEqual(fixture.failures(try fixture.token(header: header)), [:])
        fixture.verifier.trustAnchors = [.appStoreG3, .localTesting]
        for (environment, accepts) in [
            ("Xcode", true), ("LocalTesting", true), ("Production", false), ("Sandbox", false), ("xcode", false),
            ("Tomorrow", false),
        ] {
            fixture.payload = SignedTransactionFixture.transaction.replacing("\"Sandbox\"", with: "\"\(environment)\"")
            let token = try fixture.token(header: header)
            fixture.verifier.environment = nil
            expectEqual(fixture.failures(token), [.environment: .environmentMismatch], "\(environment)")
            fixture.verifier.environment = .xcode
            expectEqual(
                fixture.failures(token), (accepts ? [:] : [.environment: .environmentMismatch]), "\(environment)")
            fixture.verifier.environment = .production
            expectEqual(fixture.failures(token), [.environment: .environmentMismatch], "\(environment)")
        }
        fixture.payload = SignedTransactionFixture.transaction.replacing("\"environment\"", with: "\"surroundings\"")
        fixture.verifier.environment = nil
        expectEqual(fixture.failures(try fixture.token(header: header)), [.environment: .environmentMismatch])
    }

    @Test func `a receipt of local testing needs its name, and a verifier that requires and trusts it`() throws {
        var fixture = ReceiptFixture()
        let key = SimulatedKey.rsa(try #require(SimulatedSigningKeys.leaf))
        let name = "StoreKit Testing in Xcode"
        let certificate = SimulatedCertificate(
            subject: name, issuer: name, serialNumber: 7, key: key, isAuthority: true)
        var chain = SimulatedCertificateChain(root: certificate, intermediate: certificate, leaf: certificate)
        chain.leafIssuer = name
        chain.leafSerialNumber = 7
        fixture.issuer.chain = chain
        fixture.issuer.enclosedCertificates = [chain.leaf]
        fixture.verifier.trustAnchors = [.appStore, .localTesting]
        fixture.verifier.environment = nil
        expectEqual(fixture.report().failures, [.environment: .environmentMismatch])
        fixture.verifier.environment = .xcode
        expectEqual(fixture.report().failures, [.environment: .environmentMismatch])
        fixture.receipt.environment = .xcode
        expectEqual(fixture.report().failures, [:])
        fixture.verifier.environment = nil
        expectEqual(fixture.report().failures, [.environment: .environmentMismatch])
        fixture.verifier.environment = .production
        expectEqual(fixture.report().failures, [.environment: .environmentMismatch])
        fixture.verifier.environment = .xcode
        fixture.verifier.trustAnchors = .pinning(Data(chain.leaf))
        expectEqual(fixture.report().failures, [:])
        fixture.verifier.trustAnchors = [try .fingerprint(sha256: Data(SHA256.hash(chain.leaf)))]
        expectEqual(fixture.report().failures, [.constraints: .keyUsageViolation])
        for anchors in [ReceiptFixture().verifier.trustAnchors, [.appStore]] {
            fixture.verifier.trustAnchors = anchors
            expectEqual(fixture.report().failures[.trust], .untrustedRoot)
        }
    }

    /// A key of 1,024 bits.
    private static let shortKey = RSAPrivateKey(
        modulus: bytes(
            """
            BFA1DF6010008025FAA78E928ED5106ECF446373F61F986CC26A361E1A6D1717A02C2025227C238A90DB86511D0C86E6\
            FD2CA1792A448A34080321C698D88F7C34CD9A390E297F8D0249602B3B55515F02FDE24F8A53219C06876781643B9335\
            44034A99493B9DE61AA5BA19A4D05018C468624F479CF3C1592E9FC564D565C5
            """),
        primes: (
            bytes(
                """
                F576755DC5BA1D4B5A705240C0619A8237FE43A9B753CDCA5EA472248E36C52D0BB9B606B6FD2189408E4B4816C15D2D\
                2C78AE29D276131281B6FED89F30D6EB
                """),
            bytes(
                """
                C7DBD6A378815B36EBF7B8F72472BAF83CDBFD780FBD785D4387F2F077AB76169C5AD67B366A5C42FB0D34BBB1F4B6BC\
                898D7D211EDA58F826210072F012EA0F
                """)
        ),
        exponents: (
            bytes(
                """
                1ED9D5A4848E80D210BADF4BAE225656198D869995261E4E5A18D713CB200D263D3C0929CCE401CC0B661706277E0425\
                025AE4A0F307CE1BDC5BD0AA0F500723
                """),
            bytes(
                """
                0D9145FBE8F5571CDE5DFDC78148EC9A677F43B0BFD8CBF000E29CC2684D5281EC715A3819149558D2B42DCD442269B9\
                58D92B127186BF1D717132179B669D4F
                """)
        ),
        coefficient: bytes(
            """
            04D3656AD978F0F0DF719DFA97FFD3A3FF3B36F4FC44149374291D7329EBC8AE5BC22969D2D6137B1F247A82636FB22A\
            A6F8062B1E3D22E5147F100690881B45
            """))

    private static func bytes(_ hexadecimal: String) -> [UInt8] {
        let digits = Array(hexadecimal)
        return stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(String(digits[$0...$0 + 1]), radix: 16) }
    }

    @Test func `the certificates of a token need SHA-256 and long keys, those of a receipt don't`() throws {
        let parts = try SignedTransactionFixture.certificates()
        let (long, short) = (
            SimulatedKey.rsa(try #require(SimulatedSigningKeys.root)), SimulatedKey.rsa(try #require(Self.shortKey))
        )
        func failures(
            _ change: (inout Parts) -> Void
        ) -> [ReceiptCheck: ReceiptVerificationError.Code] {
            var parts = parts
            parts.root.key = long
            change(&parts)
            let chain = SimulatedCertificateChain(root: parts.root, intermediate: parts.intermediate, leaf: parts.leaf)
            var fixture = SignedTransactionFixture()
            fixture.issuer.chain = chain
            fixture.verifier.trustAnchors = .pinning(Data(chain.root))
            let results = [fixture.failures(), fixture.failures()]
            expectEqual(results[0], results[1], "the second time, the chain may come from the cache")
            return results[0]
        }
        expectEqual(failures { _ in }, [:])
        expectEqual(failures { $0.root.digest = .sha1 }, [:], "the trust anchor's signature isn't needed")
        for change: (inout Parts) -> Void in [
            { $0.intermediate.digest = .sha1 }, { $0.root.key = short }, { $0.intermediate.key = short },
        ] {
            expectEqual(failures(change), [.constraints: .unsupportedAlgorithm])
        }
        var receipt = ReceiptFixture()
        var old = try ReceiptFixture.certificates()
        old.intermediate.digest = .sha1
        receipt.issuer.chain = SimulatedCertificateChain(
            root: old.root, intermediate: old.intermediate, leaf: old.leaf)
        expectEqual(receipt.report().failures, [:])
    }
}
