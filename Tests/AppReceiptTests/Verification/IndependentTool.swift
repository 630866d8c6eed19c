import Foundation
import TestHarness

/// Independent implementations for comparison, if installed.
enum IndependentTool {
    static let hasOpenSSL = (try? run("openssl version > version", input: [:], output: "version")) != nil
    static let hasPythonCryptography =
        (try? run("python3 -c 'import cryptography' && touch done", input: [:], output: "done")) != nil

    /// Creates a root, an intermediate and a leaf like the App Store's.
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

    /// Runs a script in a temporary directory with the input, and returns one of its output files.
    static func run(_ script: String, input: [String: [UInt8]], output: String) throws -> [UInt8] {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("receipt-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        for (name, bytes) in input {
            try Data(bytes).write(to: directory.appendingPathComponent(name))
        }
        try ChildProcess.output(of: URL(fileURLWithPath: "/bin/sh"), ["-e", "-c", script], in: directory)
        return Array(try Data(contentsOf: directory.appendingPathComponent(output)))
    }
}
