import AppReceipt
import AppStoreSimulator
import Foundation
import ReceiptTestFixtures
import TestHarness
import Testing

/// Compares with OpenSSL: each implementation verifies the signatures of the other.
@Suite(.bounded, .enabled(if: IndependentTool.hasOpenSSL)) struct OpenSSLTests {
    @Test(arguments: [false, true]) func `openssl verifies the simulator's receipts`(hasSignedAttributes: Bool) throws {
        var fixture = ReceiptFixture()
        fixture.issuer.hasSignedAttributes = hasSignedAttributes
        let content = try IndependentTool.run(
            """
            openssl x509 -inform DER -in root.der -out root.pem
            openssl cms -verify -binary -inform DER -in receipt -CAfile root.pem -purpose any -out content
            """, input: ["root.der": Array(SimulatedReceiptIssuer.rootCertificate), "receipt": fixture.bytes()],
            output: "content")
        expectEqual(content, fixture.receipt.encoded())
    }

    @Test func `openssl rejects a mutated receipt from the simulator`() throws {
        var bytes = ReceiptFixture().bytes()
        bytes[bytes.count - 1] ^= 1
        #expect(throws: ChildProcess.Failure.self) {
            try IndependentTool.run(
                """
                openssl x509 -inform DER -in root.der -out root.pem
                openssl cms -verify -binary -inform DER -in receipt -CAfile root.pem -purpose any -out content
                """, input: ["root.der": Array(SimulatedReceiptIssuer.rootCertificate), "receipt": bytes],
                output: "content")
        }
    }

    @Test func `openssl finds no other content and no wrong signature in a mutated receipt that is verified`() throws {
        let seed = MutationGenerator.seed
        print("RECEIPT_TEST_SEED=\(seed)")
        var generator = MutationGenerator(seed: seed ^ 2)
        var signed = ReceiptFixture(purchases: 1)
        let plain = signed
        signed.issuer.hasSignedAttributes = true
        let originals = [plain.bytes(), try BERStream.reencode(plain.bytes(), pieceSize: 50), signed.bytes()]
        var files = ["root.der": Array(SimulatedReceiptIssuer.rootCertificate), "original": plain.receipt.encoded()]
        for round in 0..<MutationGenerator.count(900) {
            let bytes = generator.mutate(originals[round % 3])
            guard bytes != originals[round % 3], plain.report(on: bytes).isVerified else { continue }
            files["mutant\(round)"] = bytes
        }
        #expect(files.count > 2)
        // openssl also rejects damage in parts that aren't signed or not needed, such as the enclosed root. Without the
        // signer's digest in the list before the content ("no matching digest"), it doesn't look at the signature at
        // all; a verifier may (RFC 5652, 5.1).
        let disagreements = try IndependentTool.run(
            """
            openssl x509 -inform DER -in root.der -out root.pem
            touch disagreements
            for file in mutant*; do
            if openssl cms -verify -binary -inform DER -in $file -CAfile root.pem -purpose any -out content 2>errors; then
            cmp -s content original || echo "$file: other content" >> disagreements
            elif ! grep -q 'no matching digest' errors; then
            grep -E 'verification failure|verify error' errors | sed "s/^/$file: /" >> disagreements
            fi
            done
            """, input: files, output: "disagreements")
        expectEqual(String(decoding: disagreements, as: UTF8.self), "", "seed \(seed)")
    }

    @Test func `receipts signed by openssl are valid, including streamed ones`() throws {
        let options = [
            "-md sha256 -noattr", "-md sha1 -noattr", "-md sha256", "-md sha1", "-md sha384", "-md sha256 -stream",
            "-md sha256 -noattr -stream",
        ]
        var fixture = ReceiptFixture()
        let signing = options.enumerated().map { index, options in
            """
            openssl cms -sign -binary -nodetach \(options) -in content -signer leaf.pem -inkey leaf.key -certfile chain.pem -outform DER -out \(index)
            """
        }
        let files = try IndependentTool.run(
            """
            \(IndependentTool.authority)
            \(signing.joined(separator: "\n"))
            openssl x509 -in root.pem -outform DER -out root.der
            for name in root.der \(options.indices.map(String.init).joined(separator: " ")); do base64 < $name | tr -d '\\n'; echo; done > all
            """, input: ["content": fixture.receipt.encoded()], output: "all"
        ).split(separator: 0x0A).map { Data(base64Encoded: Data($0)) ?? Data() }
        try #require(files.count == options.count + 1)
        // The certificates are new and are checked at the receipt's date.
        fixture.verifier.trustAnchors = .pinning(files[0])
        for (options, file) in zip(options, files.dropFirst()) {
            let receipt = Array(file)
            expectEqual(fixture.report(on: receipt).failures, [.validity: .certificateNotYetValid], "\(options)")
            expectEqual(Array(try CMSSignedData(receipt[...]).content), fixture.receipt.encoded(), "\(options)")
            var spoiled = receipt
            spoiled[spoiled.count - (options.contains("stream") ? 20 : 1)] ^= 1
            expectEqual(fixture.report(on: spoiled).failures[.signature], .signatureInvalid, "\(options)")
        }
    }
}
