import AppReceipt
import AppStoreSimulator
import Foundation
import ReceiptTestFixtures
import TestHarness
import Testing

/// All mutated input leads to a typed error or a receipt, but never to a valid receipt with other contents.
@Suite(.bounded) struct ReceiptMutationTests {
    private var fixture = ReceiptFixture(purchases: 1)

    @Test func `mutated receipts are read or rejected`() throws {
        let seed = MutationGenerator.seed
        print("RECEIPT_TEST_SEED=\(seed)")
        var generator = MutationGenerator(seed: seed)
        let originals = [fixture.bytes(), try BERStream.reencode(fixture.bytes(), pieceSize: 50)]
        let attributes = fixture.receipt.encoded()
        var counts = [0, 0]
        for round in 0..<MutationGenerator.count(1_000) {
            // Most bytes of a file are certificates, so a third of the mutations change the attributes only.
            let bytes =
                round % 3 == 2
                ? UnsignedContainer.around(generator.mutate(attributes)) : generator.mutate(originals[round % 3])
            do throws(MalformedReceiptError) {
                let container = try CMSSignedData(bytes[...])
                _ = try ReceiptHeader(container)
                let receipt = try Receipt(container)
                #expect(receipt.subscriptionStatuses(at: .now).allSatisfy { $0.state != .neverSubscribed })
                counts[0] += 1
            } catch {
                #expect(error.offset >= 0 && error.offset <= bytes.count, "seed \(seed), round \(round): \(error)")
                counts[1] += 1
            }
        }
        #expect(counts[0] > 0 && counts[1] > 0)
    }

    @Test func `a mutated receipt that is still valid has the original contents`() throws {
        let seed = MutationGenerator.seed
        var generator = MutationGenerator(seed: seed ^ 1)
        var signed = fixture
        signed.issuer.hasSignedAttributes = true
        let originals = [fixture.bytes(), try BERStream.reencode(fixture.bytes(), pieceSize: 50), signed.bytes()]
        let content = fixture.receipt.encoded()
        var failures: Set<ReceiptVerificationError.Code> = []
        for round in 0..<MutationGenerator.count(120) {
            let bytes = generator.mutate(originals[round % 3])
            let report = fixture.report(on: bytes)
            expectEqual(report.isVerified, report.failure == nil, "seed \(seed), round \(round)")
            if report.isVerified {
                expectEqual(try Array(CMSSignedData(bytes[...]).content), content, "seed \(seed), round \(round)")
            } else {
                failures.insert(report.failure?.code ?? .malformed)
            }
        }
        #expect(failures.count >= 3)
    }

    @Test mutating func `a flipped bit in any region of a receipt fails the responsible check`() throws {
        fixture.issuer.hasSignedAttributes = true
        // Trusted by its fingerprint, so that the enclosed root is used.
        let root = DigestAlgorithm.sha256.hash(Array(SimulatedReceiptIssuer.rootCertificate)[...])
        fixture.verifier.trustAnchors = [try .fingerprint(sha256: Data(root))]
        let bytes = fixture.bytes()
        let container = try CMSSignedData(bytes[...])
        let signer = try #require(container.signers.first)
        let digest = try #require(signer.signedAttributes?.messageDigest)
        func failures(at index: Int) -> [ReceiptCheck: ReceiptVerificationError.Code] {
            var flipped = bytes
            flipped[index] ^= 1
            return fixture.report(on: flipped).failures
        }
        // The last letter of the product, which no other check covers.
        let product = Array("com.example.product.0".utf8)
        let place = try #require(bytes.indices.first { bytes[$0...].starts(with: product) })
        expectEqual(failures(at: place + product.count - 1), [.content: .contentMismatch])
        expectEqual(failures(at: digest.startIndex), [.content: .contentMismatch])
        expectEqual(failures(at: signer.signature.startIndex + 100), [.signature: .signatureInvalid])
        expectEqual(failures(at: signer.signature.endIndex - 1), [.signature: .signatureInvalid])

        let names = ["leaf", "intermediate", "root"]
        for (name, certificate) in zip(names, container.certificates) {
            let end = certificate.signature.endIndex - 1
            expectEqual(
                failures(at: end), name == "root" ? [.trust: .untrustedRoot] : [.chain: .certificateSignatureInvalid],
                "\(name)")
            guard case .rsa(let key) = certificate.publicKey else { continue }
            let expected: [String: [ReceiptCheck: ReceiptVerificationError.Code]] = [
                "leaf": [.signature: .signatureInvalid],
                "intermediate": [.chain: .certificateSignatureInvalid], "root": [.chain: .certificateSignatureInvalid],
            ]
            expectEqual(failures(at: key.modulus.startIndex + 9), expected[name], "\(name)")
        }
    }

    @Test func `content with another receipt's signature fails`() throws {
        var other = fixture
        other.receipt.transactions[0].productID = "com.example.product.9"
        for hasSignedAttributes in [false, true] {
            var fixture = fixture
            fixture.issuer.hasSignedAttributes = hasSignedAttributes
            let bytes = fixture.bytes()
            let container = try CMSSignedData(bytes[...])
            let payload = other.receipt.encoded()
            try #require(payload.count == container.content.count)
            var swapped = bytes
            swapped.replaceSubrange(container.content.startIndex..<container.content.endIndex, with: payload)
            let expected: [ReceiptCheck: ReceiptVerificationError.Code] =
                hasSignedAttributes ? [.content: .contentMismatch] : [.signature: .signatureInvalid]
            expectEqual(fixture.report(on: swapped).failures, expected)
        }
    }
}
