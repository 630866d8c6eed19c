import AppReceipt
import AppStoreSimulator
import Foundation
import ReceiptCryptography
import ReceiptTestFixtures
import TestHarness
import Testing

@Suite(.bounded) struct SignedTransactionVerifierTests {
    private var fixture = SignedTransactionFixture()

    private func bent(
        _ bend: (inout (root: SimulatedCertificate, intermediate: SimulatedCertificate, leaf: SimulatedCertificate))
            throws -> Void
    ) throws -> [ReceiptCheck: ReceiptVerificationError.Code] {
        var fixture = fixture
        var parts = try SignedTransactionFixture.certificates()
        try bend(&parts)
        let chain = SimulatedCertificateChain(root: parts.root, intermediate: parts.intermediate, leaf: parts.leaf)
        fixture.issuer.chain = chain
        fixture.verifier.trustAnchors = .pinning(Data(chain.root))
        return fixture.failures()
    }

    @Test mutating func `only the pinned root is trusted, not a root in the token`() throws {
        fixture.verifier.trustAnchors = SignedTransactionVerifier(bundleID: .any, environment: nil).trustAnchors
        expectEqual(fixture.failures(), [.trust: .untrustedRoot])
        fixture.verifier.trustAnchors = [.appStore, .appStoreG3, .localTesting]
        expectEqual(fixture.failures(), [.trust: .untrustedRoot])
        fixture.verifier.trustAnchors = [
            try .fingerprint(sha256: Data(SHA256.hash(Array(SimulatedJWSIssuer.rootCertificate))))
        ]
        expectEqual(fixture.failures(), [:])
    }

    @Test func `a chain with any single defect fails`() throws {
        let signed = SignedTransactionFixture.signedDate
        expectEqual(try bent { _ in }, [:])
        expectEqual(try bent { $0.leaf.notAfter = signed.addingTimeInterval(-1) }, [.validity: .certificateExpired])
        expectEqual(
            try bent { $0.intermediate.notBefore = signed.addingTimeInterval(1) }, [.validity: .certificateNotYetValid])
        expectEqual(try bent { $0.leaf.markers = [] }, [.markers: .leafMarkerMissing])
        expectEqual(try bent { $0.intermediate.markers = [] }, [.markers: .intermediateMarkerMissing])
        expectEqual(try bent { $0.intermediate.isAuthority = false }, [.constraints: .notAnAuthority])
        expectEqual(try bent { $0.leaf.issuer = "Another issuer" }, [.trust: .chainIncomplete])
        expectEqual(try bent { $0.leaf.digest = .sha256 }, [:])
        let leafKey = try SignedTransactionFixture.certificates().leaf.key
        expectEqual(try bent { $0.intermediate.key = leafKey }, [:])
    }

    @Test func `a chain with another length or order fails`() throws {
        let chain = try #require(SimulatedCertificateChain.signedTransactions)
        func failures(_ certificates: [[UInt8]]) throws -> [ReceiptCheck: ReceiptVerificationError.Code] {
            fixture.failures(
                try fixture.token(header: "{\"alg\":\"ES256\",\(SignedTransactionFixture.x5c(certificates))}"))
        }
        expectEqual(try failures([chain.leaf, chain.intermediate, chain.root]), [:])
        expectEqual(try failures([chain.leaf, chain.intermediate]), [:], "the root is known")
        expectEqual(try failures([chain.leaf]), [.trust: .chainIncomplete])
        expectEqual(try failures([chain.leaf, chain.root]), [.trust: .chainIncomplete])
        expectEqual(
            try failures([chain.leaf, chain.root, chain.intermediate]), [:],
            "the order of the other certificates is irrelevant")
        expectEqual(try failures([chain.root, chain.intermediate, chain.leaf]), [.signer: .unsupportedAlgorithm])
        expectEqual(try failures([]), [.structure: .malformed])
        expectEqual(try failures(Array(repeating: chain.leaf, count: 4)), [.structure: .malformed])
    }

    @Test(arguments: ["none", "HS256", "ES384", "RS256", "es256", ""]) mutating func `only ES256 is accepted`(
        algorithm: String
    ) {
        fixture.issuer.algorithm = algorithm
        expectEqual(fixture.failures(), [.signer: .unsupportedAlgorithm])
    }

    @Test func `empty, zero, long, swapped and DER signatures fail`() throws {
        let token = fixture.token()
        let dot = try #require(token.lastIndex(of: "."))
        let message = String(token[...dot])
        func failures(_ signature: [UInt8]) -> [ReceiptCheck: ReceiptVerificationError.Code] {
            fixture.failures(message + SimulatedJWSIssuer.base64URL(Data(signature)))
        }
        let expected: [ReceiptCheck: ReceiptVerificationError.Code] = [.signature: .signatureInvalid]
        let key = try #require(SimulatedSigningKeys.transactionLeaf)
        let good = try #require(key.signature(of: Array(message.dropLast().utf8), .sha256))
        expectEqual(failures(good.r + good.s), [:])
        expectEqual(failures([]), expected)
        expectEqual(failures(Array(repeating: 0, count: 64)), expected)
        expectEqual(failures(Array(repeating: 0, count: 31) + [1] + Array(repeating: 0, count: 31) + [1]), expected)
        expectEqual(failures(Array(repeating: 0xFF, count: 64)), expected)
        expectEqual(failures(good.s + good.r), expected)
        expectEqual(failures(good.r + good.s + [0]), expected)
        expectEqual(failures([0] + good.r + good.s), expected)
        expectEqual(
            failures(SimulatedKey.ellipticCurve(key).signature(of: Array(message.dropLast().utf8), .sha256)), expected)
    }

    @Test func `a payload or header with another token's signature fails`() {
        let token = fixture.token().split(separator: ".")
        var other = fixture
        other.payload = fixture.payload.replacingOccurrences(of: "weekly", with: "yearly")
        let otherToken = other.token().split(separator: ".")
        let swapped = "\(token[0]).\(otherToken[1]).\(token[2])"
        expectEqual(fixture.failures(swapped), [.signature: .signatureInvalid])
        expectEqual(fixture.failures("\(token[0]).\(token[1]).\(otherToken[2])"), [.signature: .signatureInvalid])
    }

    @Test func `invalid headers are malformed`() throws {
        let chain = try #require(SimulatedCertificateChain.signedTransactions)
        let x5c = SignedTransactionFixture.x5c([chain.leaf, chain.intermediate, chain.root])
        let headers = [
            "{\"alg\":\"ES256\"}", "{\(x5c)}", "[]", "", "{\"alg\":\"ES256\",\"alg\":\"ES256\",\(x5c)}",
            "{\"alg\":5,\(x5c)}",
            "{\"alg\":\"ES256\",\"crit\":[\"b64\"],\"b64\":false,\(x5c)}", "{\"alg\":\"ES256\",\"x5c\":\"\"}",
            "{\"alg\":\"ES256\",\"x5c\":[\"!\"]}", "{\"alg\":\"ES256\",\"x5c\":[\"AAAA\"]}",
            "{\"alg\":\"ES256\",\"x5c\":[5]}",
        ]
        for header in headers {
            expectEqual(
                try fixture.failures(fixture.token(header: header)), [.structure: .malformed], "\(header.prefix(60))")
        }
    }

    @Test func `tokens must have three parts in strict base64url`() throws {
        let token = fixture.token()
        let parts = token.split(separator: ".")
        let malformed = [
            "", ".", "..", "\(parts[0]).\(parts[1])", "\(token).", "\(token).\(parts[2])", "\(token)=", "\(token)==",
            " \(token)",
            "\(token)\n",
            token.replacingOccurrences(of: ".", with: ".+"), "\(token)AAA", "é\(token)",
            // The last of the signature's 86 characters has four unused bits, which must be zero.
            String(token.dropLast()) + "B",
        ]
        for token in malformed {
            expectEqual(fixture.failures(token), [.structure: .malformed], "\(token.suffix(20))")
        }
        expectEqual(fixture.failures(token + "A"), [.signature: .signatureInvalid])
    }

    @Test func `payloads that are neither transaction nor renewal`() {
        for payload in ["{}", "[]", "5", "{\"productId\":\"p\"}", "{\"transactionId\":", "\u{FEFF}{}"] {
            var fixture = fixture
            fixture.payload = payload
            expectEqual(fixture.failures(), [.structure: .malformed], "\(payload)")
        }
    }

    @Test func `a truncated or mutated token is never valid with other contents`() throws {
        let seed = MutationGenerator.seed
        var generator = MutationGenerator(seed: seed ^ 2)
        let token = Array(fixture.token().utf8)
        for count in stride(from: 0, to: token.count, by: 5) {
            #expect(fixture.verifier.report(on: String(decoding: token[..<count], as: UTF8.self)).failure != nil)
        }
        let good = try SignedPayload.unverified(jws: fixture.token()).transaction
        for round in 0..<MutationGenerator.count(60) {
            let spoiled = String(decoding: generator.mutate(token), as: UTF8.self)
            guard let transaction = try? fixture.verifier.transaction(jws: spoiled) else { continue }
            expectEqual(transaction, good, "seed \(seed), round \(round)")
        }
    }
}
