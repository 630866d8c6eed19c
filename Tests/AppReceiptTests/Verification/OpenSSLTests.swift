import AppReceipt
import AppStoreSimulator
import Foundation
import TestHarness
import Testing

/// Both ways between this library and an independent implementation.
@Suite(.bounded, .enabled(if: IndependentTool.hasOpenSSL)) struct OpenSSLTests {
    @Test(arguments: [false, true]) func `openssl verifies what the simulator issues`(hasSignedAttributes: Bool) throws {
        var fixture = ReceiptFixture()
        fixture.issuer.hasSignedAttributes = hasSignedAttributes
        let content = try IndependentTool.run(
            """
            openssl x509 -inform DER -in root.der -out root.pem
            openssl cms -verify -binary -inform DER -in receipt -CAfile root.pem -purpose any -out content
            """, input: ["root.der": Array(SimulatedReceiptIssuer.rootCertificate), "receipt": fixture.bytes()], output: "content")
        #expect(content == fixture.receipt.encoded())
    }

    @Test func `openssl refuses a spoiled receipt of the simulator`() throws {
        var bytes = ReceiptFixture().bytes()
        bytes[bytes.count - 1] ^= 1
        #expect(throws: ChildProcess.Failure.self) {
            try IndependentTool.run(
                """
                openssl x509 -inform DER -in root.der -out root.pem
                openssl cms -verify -binary -inform DER -in receipt -CAfile root.pem -purpose any -out content
                """, input: ["root.der": Array(SimulatedReceiptIssuer.rootCertificate), "receipt": bytes], output: "content")
        }
    }

    @Test(arguments: [
        "-md sha256 -noattr", "-md sha1 -noattr", "-md sha256", "-md sha1", "-md sha384", "-md sha256 -stream",
        "-md sha256 -noattr -stream",
    ])
    func `receipts that openssl signs verify, streamed ones too`(options: String) throws {
        var fixture = ReceiptFixture()
        let files = try IndependentTool.run(
            """
            \(IndependentTool.authority)
            openssl cms -sign -binary -nodetach \(options) -in content -signer leaf.pem -inkey leaf.key -certfile chain.pem -outform DER -out receipt
            openssl x509 -in root.pem -outform DER -out root.der
            cat root.der receipt > both
            wc -c < root.der > size
            cat size both > all
            """, input: ["content": fixture.receipt.encoded()], output: "all")
        let newline = try #require(files.firstIndex(of: 0x0A))
        let size = try #require(Int(String(decoding: files[..<newline], as: UTF8.self).trimmingCharacters(in: .whitespaces)))
        let root = Data(files[(newline + 1)...].prefix(size))
        let receipt = Array(files[(newline + 1 + size)...])
        // The certificates were made just now, and are judged at the receipt's date.
        fixture.verifier.trustAnchors = [.certificate(root)]
        let report = fixture.report(on: receipt)
        #expect(report.failures == [.validity: .certificateNotYetValid])
        #expect(Array(try CMSSignedData(receipt[...]).content) == fixture.receipt.encoded())
        var spoiled = receipt
        spoiled[spoiled.count - (options.contains("stream") ? 20 : 1)] ^= 1
        #expect(fixture.report(on: spoiled).failures[.signature] == .signatureInvalid)
    }
}
