import AppStoreSimulator
import ReceiptCryptography
import TestHarness
import Testing

@Suite(.bounded) struct RSATests {
    private let privateKey: RSAPrivateKey
    private let publicKey: RSAPublicKey
    private let message = Array("in-app".utf8)

    init() throws {
        privateKey = try #require(SimulatedSigningKeys.leaf)
        publicKey = try #require(RSAPublicKey(modulus: privateKey.modulus[...], exponent: privateKey.exponent[...]))
    }

    private func accepts(_ signature: [UInt8]) -> Bool {
        publicKey.isValidSignature(signature[...], digest: SHA256.hash(message), algorithm: .sha256)
    }

    /// Signs an encoded message of any form.
    private func accepts(encoded: [UInt8]) throws -> Bool {
        accepts(try #require(privateKey.apply(encoded)))
    }

    private func proper() throws -> [UInt8] {
        try #require(SignatureDigest.sha256.encodedMessage(digest: SHA256.hash(message), byteCount: 256))
    }

    @Test(arguments: SignatureDigest.allCases)
    func `a signature is valid only for its message and digest`(algorithm: SignatureDigest) throws {
        let signature = try #require(privateKey.signature(of: message, algorithm))
        let digest = algorithm.hash(message[...])
        #expect(publicKey.isValidSignature(signature[...], digest: digest, algorithm: algorithm))
        #expect(!publicKey.isValidSignature(signature[...], digest: algorithm.hash([]), algorithm: algorithm))
        for other in SignatureDigest.allCases where other != algorithm {
            #expect(!publicKey.isValidSignature(signature[...], digest: other.hash(message[...]), algorithm: other))
            #expect(!publicKey.isValidSignature(signature[...], digest: digest, algorithm: other))
        }
    }

    @Test func `every flipped bit of a byte, and every wrong length, spoils a signature`() throws {
        let signature = try #require(privateKey.signature(of: message, .sha256))
        for index in stride(from: 0, to: signature.count, by: 17) {
            var flipped = signature
            flipped[index] ^= UInt8(1 << (index % 8))
            #expect(!accepts(flipped))
        }
        #expect(!accepts([]))
        #expect(!accepts([0] + signature))
        #expect(!accepts(signature + [0]))
        #expect(!accepts(Array(signature.dropLast())))
        #expect(!accepts(Array(signature.dropFirst())))
    }

    @Test func `trivial numbers and numbers above the modulus aren't signatures`() throws {
        #expect(!accepts(Array(repeating: 0, count: 256)))
        #expect(!accepts(Array(repeating: 0, count: 255) + [1]))
        #expect(!accepts(privateKey.modulus))
        #expect(!accepts(Array(repeating: 0xFF, count: 256)))
        // s + n is the same residue. The signature must be rejected, even with the right length.
        let signature = try #require(privateKey.signature(of: message, .sha256))
        var number = try #require(LimbInteger(bigEndian: signature, limbCount: 33))
        _ = number.add(try #require(LimbInteger(bigEndian: privateKey.modulus, limbCount: 33)))
        #expect(!accepts(number.bigEndian(count: 256)))
        #expect(!accepts(number.bigEndian(count: 257)))
    }

    @Test func `only the exact padding passes`() throws {
        let encoded = try proper()
        #expect(try accepts(encoded: encoded))
        let information = Array(encoded.suffix(51))
        func padded(_ head: [UInt8], _ tail: [UInt8]) -> [UInt8] {
            head + Array(repeating: 0xFF, count: 256 - head.count - tail.count) + tail
        }
        let spoiled: [String: [UInt8]] = [
            "block type 0": padded([0, 0], [0] + information), "block type 2": padded([0, 2], [0] + information),
            "first byte 1": padded([1, 1], [0] + information),
            "no separator": padded([0, 1], information),
            "short padding, data behind the digest": [0, 1] + Array(repeating: 0xFF, count: 8) + [0] + information
                + Array(repeating: 0, count: 256 - 11 - 51),
            "a zero inside the padding": padded([0, 1, 0xFF, 0x00], [0] + information),
            "a padding byte of FE": padded([0, 1, 0xFE], [0] + information),
            "a byte behind the digest": padded([0, 1], [0] + information + [0]),
            "no digest information": padded([0, 1], [0] + SHA256.hash(message)),
        ]
        for (name, encoded) in spoiled {
            #expect(try !accepts(encoded: encoded), "\(name)")
        }
    }

    @Test func `only the exact digest information passes`() throws {
        let digest = SHA256.hash(message)
        let algorithm: [UInt8] = [0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01]
        func encoded(_ information: [UInt8]) -> [UInt8] {
            [0, 1] + Array(repeating: 0xFF, count: 253 - information.count) + [0] + information
        }
        func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] { [tag, UInt8(content.count)] + content }
        let exact = element(0x30, element(0x30, algorithm + [5, 0]) + element(4, digest))
        #expect(try accepts(encoded: encoded(exact)))
        let spoiled: [String: [UInt8]] = [
            "parameters missing": element(0x30, element(0x30, algorithm) + element(4, digest)),
            "other parameters": element(0x30, element(0x30, algorithm + [2, 1, 0]) + element(4, digest)),
            "long length": [0x30, 0x81, 49] + exact.dropFirst(2),
            "indefinite length": [0x30, 0x80] + exact.dropFirst(2) + [0, 0],
            "an extra element": element(0x30, element(0x30, algorithm + [5, 0]) + element(4, digest) + [5, 0]),
            "garbage in the parameters": element(0x30, element(0x30, algorithm + [4, 2, 1, 1]) + element(4, digest)),
            "a shortened digest": element(
                0x30, element(0x30, algorithm + [5, 0]) + element(4, Array(digest.dropLast()))),
            "the identifier of SHA-512": element(
                0x30, element(0x30, Array(algorithm.dropLast()) + [3, 5, 0]) + element(4, digest)),
        ]
        for (name, information) in spoiled {
            #expect(try !accepts(encoded: encoded(information)), "\(name)")
        }
    }

    @Test func `keys that are too short, too long, even or degenerate are rejected`() {
        func key(_ modulus: [UInt8], _ exponent: [UInt8] = [1, 0, 1]) -> RSAPublicKey? {
            RSAPublicKey(modulus: modulus[...], exponent: exponent[...])
        }
        let modulus = privateKey.modulus
        #expect(key([]) == nil)
        #expect(key(Array(modulus.suffix(127).dropLast()) + [1]) == nil)
        #expect(key(Array(repeating: 0xFF, count: 513)) == nil)
        #expect(key(Array(repeating: 0xFF, count: 512)) != nil)
        #expect(key(Array(modulus.dropLast()) + [0]) == nil)
        for exponent in [[], [0], [1], [2], [1, 0, 0], Array(repeating: 0xFF, count: 9)] as [[UInt8]] {
            #expect(key(modulus, exponent) == nil)
        }
        expectEqual(key([0, 0] + modulus)?.byteCount, 256)
    }

    @Test(.enabled(if: Interpreter.hasPythonCryptography), arguments: [1024, 1032, 2048, 3072, 4096])
    func `signatures made by Python's cryptography verify, and their neighbors do not`(bits: Int) throws {
        let program = """
            from cryptography.hazmat.primitives.asymmetric import rsa, padding
            from cryptography.hazmat.primitives import hashes
            for exponent in (3, 65537):
                k = rsa.generate_private_key(exponent, \(bits))
                n = k.public_key().public_numbers()
                row = [n.n.to_bytes((\(bits) + 7) // 8, 'big').hex(), n.e.to_bytes(3, 'big').hex()]
                for h in (hashes.SHA1(), hashes.SHA256(), hashes.SHA384()):
                    row.append(k.sign(b'in-app', padding.PKCS1v15(), h).hex())
                print(*row)
            """
        for line in try Interpreter.python(program).split(separator: "\n") {
            let fields = line.split(separator: " ").map { bytes(String($0)) }
            try #require(fields.count == 5)
            let key = try #require(RSAPublicKey(modulus: fields[0][...], exponent: fields[1][...]))
            for (algorithm, signature) in zip(SignatureDigest.allCases, fields[2...]) {
                #expect(
                    key.isValidSignature(signature[...], digest: algorithm.hash(message[...]), algorithm: algorithm))
                #expect(!key.isValidSignature(signature[...], digest: algorithm.hash([1]), algorithm: algorithm))
            }
        }
    }
}
