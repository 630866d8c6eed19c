import AppReceipt
import AppStoreSimulator
import Foundation
import Testing

/// Both ways between this library and an independent implementation.
@Suite(.enabled(if: OpenSSL.isInstalled)) struct OpenSSLTests {
    @Test(arguments: [false, true]) func `openssl verifies what the simulator issues`(hasSignedAttributes: Bool) throws {
        var fixture = ReceiptFixture()
        fixture.issuer.hasSignedAttributes = hasSignedAttributes
        let content = try OpenSSL.run(
            """
            openssl x509 -inform DER -in root.der -out root.pem
            openssl cms -verify -binary -inform DER -in receipt -CAfile root.pem -purpose any -out content
            """, input: ["root.der": Array(ReceiptIssuer.rootCertificate), "receipt": fixture.bytes()], output: "content")
        #expect(content == fixture.receipt.encoded())
    }

    @Test func `openssl refuses a spoiled receipt of the simulator`() throws {
        var bytes = ReceiptFixture().bytes()
        bytes[bytes.count - 1] ^= 1
        #expect(throws: OpenSSL.Failure.self) {
            try OpenSSL.run(
                """
                openssl x509 -inform DER -in root.der -out root.pem
                openssl cms -verify -binary -inform DER -in receipt -CAfile root.pem -purpose any -out content
                """, input: ["root.der": Array(ReceiptIssuer.rootCertificate), "receipt": bytes], output: "content")
        }
    }

    @Test(arguments: [
        "-md sha256 -noattr", "-md sha1 -noattr", "-md sha256", "-md sha1", "-md sha384", "-md sha256 -stream",
        "-md sha256 -noattr -stream",
    ])
    func `receipts that openssl signs verify, streamed ones too`(options: String) throws {
        var fixture = ReceiptFixture()
        let files = try OpenSSL.run(
            """
            \(OpenSSL.authority)
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
        fixture.verification.trustAnchors = [.certificate(root)]
        let report = fixture.report(on: receipt)
        #expect(report.failures == [.validity: .certificateNotYetValid])
        #expect(Array(try CMSSignedData(receipt[...]).content) == fixture.receipt.encoded())
        var spoiled = receipt
        spoiled[spoiled.count - (options.contains("stream") ? 20 : 1)] ^= 1
        #expect(fixture.report(on: spoiled).failures[.signature] == .signatureInvalid)
    }
}

enum OpenSSL {
    static let isInstalled = (try? run("openssl version > version", input: [:], output: "version")) != nil

    struct Failure: Error {
        var message: String
    }

    /// Makes a root, an intermediate and a leaf like the App Store's.
    static let authority = """
        cat > extensions <<'END'
        [ca]
        basicConstraints=critical,CA:TRUE
        keyUsage=critical,keyCertSign,cRLSign
        [wwdr]
        basicConstraints=critical,CA:TRUE,pathlen:0
        keyUsage=critical,keyCertSign,cRLSign
        1.2.840.113635.100.6.2.1=ASN1:NULL
        [leaf]
        basicConstraints=critical,CA:FALSE
        keyUsage=critical,digitalSignature
        1.2.840.113635.100.6.11.1=ASN1:NULL
        END
        for name in root middle leaf; do openssl genrsa -out $name.key 2048; done
        openssl req -new -key root.key -subj '/CN=Root' | openssl x509 -req -signkey root.key -days 3650 -extfile extensions -extensions ca -out root.pem
        openssl req -new -key middle.key -subj '/CN=Middle' | openssl x509 -req -CA root.pem -CAkey root.key -set_serial 77 -days 900 -extfile extensions -extensions wwdr -out middle.pem
        openssl req -new -key leaf.key -subj '/CN=Leaf' | openssl x509 -req -CA middle.pem -CAkey middle.key -set_serial 99 -days 300 -extfile extensions -extensions leaf -out leaf.pem
        cat middle.pem root.pem > chain.pem
        """

    /// Runs a script in a directory of its own that holds the input, and returns one of the files it leaves there.
    static func run(_ script: String, input: [String: [UInt8]], output: String) throws -> [UInt8] {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("receipt-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        for (name, bytes) in input {
            try Data(bytes).write(to: directory.appendingPathComponent(name))
        }
        let process = Process()
        let errors = Pipe()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-e", "-c", script]
        process.currentDirectoryURL = directory
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = errors
        try process.run()
        let message = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure(message: String(decoding: message, as: UTF8.self)) }
        return Array(try Data(contentsOf: directory.appendingPathComponent(output)))
    }
}
