import AppReceipt
import AppStoreSimulator
import Foundation
import ReceiptTestFixtures
import TestHarness
import Testing

/// Tokens and certificates of Python's `cryptography`, if installed.
@Suite(.bounded, .enabled(if: IndependentTool.hasPythonCryptography)) struct IndependentTokenTests {
    private static let program = """
        import base64, json, datetime
        from cryptography import x509
        from cryptography.hazmat.primitives import hashes, serialization
        from cryptography.hazmat.primitives.asymmetric import ec, utils
        day = datetime.datetime(2023, 1, 1)
        def make(name, issuer, key, issuer_key, ca, marker):
            n = lambda t: x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, t)])
            b = x509.CertificateBuilder().subject_name(n(name)).issuer_name(n(issuer)).public_key(key.public_key())
            b = b.serial_number(x509.random_serial_number()).not_valid_before(day).not_valid_after(day + datetime.timedelta(days=700))
            b = b.add_extension(x509.BasicConstraints(ca=ca, path_length=None), critical=True)
            b = b.add_extension(x509.KeyUsage(not ca, False, False, False, False, ca, ca, False, False), critical=True)
            b = b.add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
            if marker: b = b.add_extension(x509.UnrecognizedExtension(x509.ObjectIdentifier(marker), b'\\x05\\x00'), critical=False)
            return b.sign(issuer_key, hashes.SHA384()).public_bytes(serialization.Encoding.DER)
        root, middle, leaf = (ec.generate_private_key(c) for c in (ec.SECP384R1(), ec.SECP384R1(), ec.SECP256R1()))
        chain = [make('Leaf', 'Middle', leaf, middle, False, '1.2.840.113635.100.6.11.1'),
                 make('Middle', 'Root', middle, root, True, '1.2.840.113635.100.6.2.1'), make('Root', 'Root', root, root, True, None)]
        url = lambda b: base64.urlsafe_b64encode(b).rstrip(b'=')
        header = json.dumps({'alg': 'ES256', 'x5c': [base64.b64encode(c).decode() for c in chain]}).encode()
        message = url(header) + b'.' + url(open('payload', 'rb').read())
        r, s = utils.decode_dss_signature(leaf.sign(message, ec.ECDSA(hashes.SHA256())))
        open('out', 'wb').write(message + b'.' + url(r.to_bytes(32, 'big') + s.to_bytes(32, 'big')) + b'\\n' + base64.b64encode(chain[2]))
        """

    @Test func `a token from an independent implementation is verified and decoded`() throws {
        let output = try IndependentTool.run(
            "python3 program",
            input: ["program": Array(Self.program.utf8), "payload": Array(SignedTransactionFixture.transaction.utf8)],
            output: "out")
        let lines = String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
        try #require(lines.count == 2)
        var verifier = SignedTransactionFixture().verifier
        expectEqual(verifier.report(on: lines[0]).failures, [.trust: .untrustedRoot])
        verifier.trustAnchors = .pinning(try #require(Data(base64Encoded: lines[1])))
        expectEqual(try verifier.transaction(jws: lines[0]).transactionID, "2000000123456790")
    }
}
