import AppStoreSimulator
import Foundation
import ReceiptTestFixtures
import TestHarness
import Testing

@testable import AppReceipt

@Suite(.bounded) struct VerifiedChainCacheTests {
    private let date = SignedTransactionFixture.signedDate

    private func chain() throws -> (certificates: [Certificate], anchors: [ReceiptTrustAnchor], chain: CertificateChain)
    {
        let parts = try #require(SimulatedCertificateChain.signedTransactions)
        let certificates = try [parts.leaf, parts.intermediate, parts.root].map { (bytes: [UInt8]) in
            try Certificate(bytes[...])
        }
        let anchors: [ReceiptTrustAnchor] = .pinning(SimulatedJWSIssuer.rootCertificate)
        var search = CertificateChainSearch(among: certificates, trusting: TrustedRoots(anchors), at: date)
        let chain = search.chain(from: [certificates[0]])
        return (certificates, anchors, try #require(chain))
    }

    @Test func `a lookup needs the same certificates and anchors, and a date at which the chain was valid`() throws {
        let (certificates, anchors, chain) = try chain()
        let cache = VerifiedChainCache(capacity: 4)
        let key = VerifiedChainCache.Key(certificates.map(\.encoding), trusting: anchors)
        #expect(cache.chain(for: key, at: date) == nil)
        cache.remember(chain, for: key, at: date)
        expectEqual(cache.chain(for: key, at: date)?.certificates.map(\.encoding), chain.certificates.map(\.encoding))
        #expect(cache.chain(for: .init(certificates.map(\.encoding), trusting: anchors), at: date) != nil)

        #expect(cache.chain(for: key, at: nil) == nil, "the validity is unknown")
        let end = try #require(certificates.map(\.notAfter).min())
        #expect(cache.chain(for: key, at: end) != nil)
        #expect(cache.chain(for: key, at: end.addingTimeInterval(1)) == nil)
        let start = try #require(certificates.map(\.notBefore).max())
        #expect(cache.chain(for: key, at: start.addingTimeInterval(-1)) == nil)

        #expect(
            cache.chain(for: .init(certificates.map(\.encoding), trusting: []), at: date) == nil,
            "an anchor was revoked")
        #expect(
            cache.chain(for: .init(certificates.map(\.encoding), trusting: anchors + [.localTesting]), at: date) == nil)
        #expect(cache.chain(for: .init(certificates.reversed().map(\.encoding), trusting: anchors), at: date) == nil)
        let joined = [certificates[0].encoding + certificates[1].encoding, certificates[2].encoding]
        #expect(cache.chain(for: .init(joined, trusting: anchors), at: date) == nil, "lengths are part of the digest")
    }

    @Test func `the cache never exceeds its capacity and keeps recently used chains`() throws {
        let (certificates, anchors, chain) = try chain()
        let cache = VerifiedChainCache(capacity: 3)
        let keys = (0..<10).map {
            VerifiedChainCache.Key([[UInt8($0)]] + certificates.map { Array($0.encoding) }, trusting: anchors)
        }
        cache.remember(chain, for: keys[0], at: date)
        for key in keys.dropFirst() {
            cache.remember(chain, for: key, at: date)
            #expect(cache.chain(for: keys[0], at: date) != nil)
            #expect(cache.count <= 3)
        }
        #expect(cache.chain(for: keys[9], at: date) != nil)
        #expect(cache.chain(for: keys[1], at: date) == nil)
    }

    @Test func `a chain with a failed check isn't stored`() throws {
        let (certificates, anchors, chain) = try chain()
        let cache = VerifiedChainCache(capacity: 3)
        let key = VerifiedChainCache.Key(certificates.map(\.encoding), trusting: anchors)
        cache.remember(chain, for: key, at: .distantFuture)
        cache.remember(CertificateChain(certificates: certificates, ending: .untrustedRoot), for: key, at: date)
        cache.remember(
            CertificateChain(certificates: [certificates[0]], ending: .trusted(.root(""))), for: key, at: date)
        cache.remember(nil, for: key, at: date)
        expectEqual(cache.count, 0)
    }

    @Test func `a token with an invalid signature stores no chain and costs no certificate checks`() throws {
        var fixture = SignedTransactionFixture()
        // No other test passes the trust anchors twice, so no other test caches the chain with them.
        fixture.verifier.trustAnchors += fixture.verifier.trustAnchors
        let parts = try #require(SimulatedCertificateChain.signedTransactions)
        let certificates = [parts.leaf, parts.intermediate, parts.root]
        let key = VerifiedChainCache.Key(certificates, trusting: fixture.verifier.trustAnchors)
        let token = try fixture.token(header: "{\"alg\":\"ES256\",\(SignedTransactionFixture.x5c(certificates))}")
        let forged = String(token.dropLast(8)) + "AAAAAAAA"
        expectError(\ReceiptVerificationError.code, .signatureInvalid) { try fixture.verifier.payload(jws: forged) }
        let report = fixture.verifier.report(on: forged)
        expectEqual(report.failures, [.signature: .signatureInvalid])
        expectEqual(report.steps.map(\.check), [.structure, .signer, .signature])
        #expect(VerifiedChainCache.shared.chain(for: key, at: date) == nil)
        _ = try fixture.verifier.payload(jws: token)
        #expect(VerifiedChainCache.shared.chain(for: key, at: date) != nil)
    }

    @Test func `a token with a cached chain is checked for its own signature, date and anchors`() throws {
        var fixture = SignedTransactionFixture()
        expectEqual(fixture.failures(), [:])
        let token = fixture.token()
        expectEqual(fixture.failures(token), [:], "known by now")
        expectEqual(fixture.failures(String(token.dropLast(8)) + "AAAAAAAA"), [.signature: .signatureInvalid])
        fixture.verifier.trustAnchors = [.appStoreG3]
        expectEqual(fixture.failures(token), [.trust: .untrustedRoot])
        fixture = SignedTransactionFixture()
        fixture.payload = fixture.payload.replacing(
            "\"signedDate\":1700000000500", with: "\"signedDate\":9900000000000")
        expectEqual(fixture.failures(), [.validity: .certificateExpired])
    }
}
