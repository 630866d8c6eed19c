import AppReceipt
import AppStoreSimulator
import Foundation
import ReceiptCryptography
import ReceiptTestFixtures
import TestHarness
import Testing

@Suite(.bounded) struct LocalReceiptVerifierTests {
    private var fixture = ReceiptFixture()

    @Test(arguments: SignatureDigest.allCases, [(false, true), (false, false), (true, true), (true, false)])
    mutating func `a good receipt passes every check, however it is signed`(
        digest: SignatureDigest, form: (attributes: Bool, named: Bool)
    ) {
        fixture.issuer.digest = digest
        fixture.issuer.hasSignedAttributes = form.attributes
        fixture.issuer.namesSignatureDigest = form.named
        let report = fixture.report()
        expectEqual(report.failures, [:])
        #expect(report.isVerified)
        expectEqual(report.failure, nil)
        expectEqual(report.steps.map(\.check), ReceiptCheck.allCases.filter { $0 != .age })
        expectEqual(report.outcome(of: .expiration), .skipped("the receipt has no expiration date"))
    }

    @Test func `verify throws the first failure and nothing otherwise`() throws {
        expectEqual(try fixture.verifier.verify(Data(fixture.bytes())).transactions.count, 2)
        var verifier = fixture.verifier
        verifier.bundleID = "com.example.other"
        #expect { try verifier.verify(Data(fixture.bytes())) } throws: {
            ($0 as? ReceiptVerificationError)?.code == .bundleIDMismatch
        }
    }

    @Test func `checks that aren't requested are skipped, and the receipt is verified`() {
        let verifier = LocalReceiptVerifier(
            bundleID: .any, environment: nil, device: nil, trustAnchors: fixture.verifier.trustAnchors)
        let report = verifier.report(on: Data(fixture.bytes()))
        #expect(report.isVerified)
        for check in [.bundleID, .version, .device, .environment, .expiration] as [ReceiptCheck] {
            guard case .skipped = report.outcome(of: check) else {
                Issue.record("\(check) was not skipped")
                continue
            }
        }
    }

    @Test mutating func `a receipt for another app fails`() {
        fixture.receipt.bundleID = "com.example.app2"
        // The device hash includes the bundle identifier. Here it is that of the other app, so the hash is right.
        expectEqual(fixture.report().failures, [.bundleID: .bundleIDMismatch])
        fixture.receipt.bundleID = "COM.example.app"
        expectEqual(fixture.report().failures, [.bundleID: .bundleIDMismatch])
    }

    @Test mutating func `bundle identifiers are compared by bytes, not by canonical equivalence`() {
        fixture.receipt.bundleID = "com.example.caf\u{E9}"
        fixture.verifier.bundleID = "com.example.cafe\u{301}"
        expectEqual(fixture.report().failures, [.bundleID: .bundleIDMismatch])
    }

    @Test mutating func `a receipt for another version, environment or device fails`() {
        fixture.receipt.appVersion = "1.2.4"
        expectEqual(fixture.report().failures, [.version: .versionMismatch])
        fixture = ReceiptFixture()
        fixture.receipt.environment = .sandbox
        expectEqual(fixture.report().failures, [.environment: .environmentMismatch])
        fixture = ReceiptFixture()
        fixture.receipt.deviceIdentifier[15] ^= 1
        expectEqual(fixture.report().failures, [.device: .deviceHashMismatch])
    }

    @Test mutating func `a volume purchase receipt is valid until it expires`() {
        let end = ReceiptFixture.creationDate.addingTimeInterval(100)
        fixture.receipt.expirationDate = end
        fixture.verifier.date = end.addingTimeInterval(-1)
        #expect(fixture.report().isVerified)
        fixture.verifier.date = end
        expectEqual(fixture.report().failures, [.expiration: .receiptExpired])
        fixture.verifier.date = nil
        expectEqual(fixture.report().failures, [.expiration: .receiptExpired], "the current date is long after it")
        fixture.receipt.expirationDate = .distantFuture
        #expect(fixture.report().isVerified)
    }

    @Test mutating func `a receipt without a required field fails`() throws {
        let empty = fixture.issuer.container(around: DEREncoding.element(0x31, []))
        expectEqual(fixture.report(on: empty).failures, [.validity: .creationDateMissing])
        let date = UnsignedContainer.attribute(12, DEREncoding.receiptTime(ReceiptFixture.creationDate))
        let dated = fixture.issuer.container(around: DEREncoding.element(0x31, date))
        expectEqual(fixture.report(on: dated).failures, [.environment: .environmentMismatch])
        fixture.verifier.environment = nil
        expectEqual(fixture.report(on: dated).failures, [.bundleID: .bundleIDMissing])
        fixture.verifier.bundleID = .any
        expectEqual(fixture.report(on: dated).failures, [.version: .versionMismatch])
        fixture.verifier.version = nil
        expectEqual(fixture.report(on: dated).failures, [.device: .deviceHashMissing])
        fixture.verifier.device = nil
        expectEqual(fixture.report(on: dated).failures, [:])
    }

    @Test mutating func `an untrusted root fails, even with a chain like the App Store's`() {
        fixture.verifier.trustAnchors = [.appStore]
        expectEqual(fixture.report().failures, [.trust: .untrustedRoot])
        fixture.verifier.trustAnchors = []
        expectEqual(fixture.report().failures, [.trust: .untrustedRoot])
        fixture.verifier.trustAnchors = .pinning(SimulatedJWSIssuer.rootCertificate) + [.appStoreG3]
        expectEqual(fixture.report().failures, [.trust: .untrustedRoot])
    }

    @Test mutating func `a root with the trusted name and another key fails`() throws {
        var parts = try ReceiptFixture.certificates()
        parts.root.key = .rsa(try #require(SimulatedSigningKeys.leaf))
        let trusted = fixture.verifier.trustAnchors
        fixture.sign(with: parts)
        fixture.verifier.trustAnchors = trusted
        expectEqual(fixture.report().failures, [.trust: .untrustedRoot])
    }

    @Test mutating func `trusting local testing doesn't trust other chains`() {
        fixture.verifier.trustAnchors = [.appStore, .localTesting]
        expectEqual(fixture.report().failures, [.trust: .untrustedRoot])
    }

    @Test mutating func `the intermediate must be enclosed, the trusted root doesn't need to be`() throws {
        let chain = try #require(SimulatedCertificateChain.receipts)
        fixture.issuer.enclosedCertificates = [chain.leaf, chain.intermediate]
        #expect(fixture.report().isVerified)
        fixture.issuer.enclosedCertificates = [chain.root, chain.intermediate, chain.leaf]
        #expect(fixture.report().isVerified)
        fixture.issuer.enclosedCertificates = [chain.leaf, chain.root]
        expectEqual(fixture.report().failures, [.trust: .chainIncomplete])
        fixture.issuer.enclosedCertificates = [chain.leaf, chain.intermediate]
        fixture.verifier.trustAnchors = [.appStore]
        expectEqual(fixture.report().failures, [.trust: .chainIncomplete])
    }

    @Test mutating func `a receipt without the signer's certificate or without certificates fails`() throws {
        let chain = try #require(SimulatedCertificateChain.receipts)
        for enclosed in [[chain.intermediate, chain.root], []] {
            fixture.issuer.enclosedCertificates = enclosed
            let report = fixture.report()
            expectEqual(report.failures, [.signer: .signerCertificateMissing])
            expectEqual(report.steps.map(\.check), [.structure, .signer], "the verification ends at the failure")
            #expect(!report.isVerified)
        }
    }

    @Test
    mutating func `a hundred certificates with the intermediate's name cost a limited number of signature checks`()
        throws
    {
        let chain = try #require(SimulatedCertificateChain.receipts)
        var impostor = try ReceiptFixture.certificates().intermediate
        let key = SimulatedKey.rsa(try #require(SimulatedSigningKeys.leaf))
        let impostors = (0..<13).map { index in
            impostor.serialNumber = Int64(100 + index)
            impostor.key = key
            return impostor.signed(by: impostor.key)
        }
        fixture.issuer.enclosedCertificates = [chain.leaf] + impostors + [chain.intermediate, chain.root]
        #expect(fixture.report().isVerified)
        fixture.issuer.enclosedCertificates = [chain.leaf] + impostors + [chain.root]
        expectEqual(fixture.report().failures[.chain], .certificateSignatureInvalid)
        fixture.issuer.enclosedCertificates = [chain.leaf] + impostors + impostors
        expectEqual(fixture.report().failures, [.structure: .malformed])
    }
}
