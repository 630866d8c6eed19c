import AppStoreSimulator
import ReceiptCryptography
import TestHarness
import Testing

@Suite(.bounded) struct ECDSATests {
    private let sample = Array("sample".utf8)

    /// The keys of RFC 6979, appendices A.2.5 and A.2.6.
    private static let p256Key = bytes("C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721")
    private static let p384Key = bytes("6B9D3DAD2E1B8C1C05B19875B6659F4DE23C3B667BF297BA9AA47740787137D896D5724E4C70A825F872C9EA60D2EDF5")

    private func key(_ curve: EllipticCurve?, _ scalar: [UInt8]) throws -> (ECDSAPrivateKey, ECDSAPublicKey) {
        let key = try #require(ECDSAPrivateKey(curve: curve, scalar: scalar))
        return (key, try #require(ECDSAPublicKey(curve: curve, uncompressedPoint: key.publicPoint[...])))
    }

    @Test func `the P-256 example of RFC 6979`() throws {
        let (privateKey, publicKey) = try key(.p256, Self.p256Key)
        #expect(
            privateKey.publicPoint
                == bytes(
                    "04 60FED4BA255A9D31C961EB74C6356D68C049B8923B61FA6CE669622E60F29FB6 7903FE1008B8BC99A41AE9E95628BC64F2F1B20C2D7E9F5177A3C294D4462299"
                ))
        let signature = try #require(privateKey.signature(of: sample, .sha256))
        #expect(signature.r == bytes("EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716"))
        #expect(signature.s == bytes("F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8"))
        #expect(publicKey.isValidSignature(r: signature.r[...], s: signature.s[...], digest: SHA256.hash(sample)))
        #expect(!publicKey.isValidSignature(r: signature.r[...], s: signature.s[...], digest: SHA256.hash([])))
        #expect(!publicKey.isValidSignature(r: signature.s[...], s: signature.r[...], digest: SHA256.hash(sample)))
    }

    @Test func `the P-384 example of RFC 6979`() throws {
        let (privateKey, publicKey) = try key(.p384, Self.p384Key)
        let signature = try #require(privateKey.signature(of: sample, .sha384))
        #expect(
            signature.r == bytes("94EDBB92A5ECB8AAD4736E56C691916B3F88140666CE9FA73D64C4EA95AD133C81A648152E44ACF96E36DD1E80FABE46"))
        #expect(
            signature.s == bytes("99EF4AEB15F178CEA1FE40DB2603138F130E740A19624526203B6351D0A3A94FA329C145786E679E7B82C71A38628AC8"))
        #expect(publicKey.isValidSignature(r: signature.r[...], s: signature.s[...], digest: SHA384.hash(sample)))
    }

    @Test func `zero, the order, and numbers beyond it are never part of a signature`() throws {
        let (privateKey, publicKey) = try key(.p256, Self.p256Key)
        let order = privateKey.curve.scalars.modulus.bigEndian(count: 32)
        let digest = SHA256.hash(sample)
        let good = try #require(privateKey.signature(of: sample, .sha256))
        let zero = Array(repeating: 0 as UInt8, count: 32)
        let one = zero.dropLast() + [1]
        for edge in [zero, order, Array(repeating: 0xFF, count: 32), [], Array(repeating: 0xFF, count: 33)] as [[UInt8]] {
            #expect(!publicKey.isValidSignature(r: edge[...], s: good.s[...], digest: digest))
            #expect(!publicKey.isValidSignature(r: good.r[...], s: edge[...], digest: digest))
            #expect(!publicKey.isValidSignature(r: edge[...], s: edge[...], digest: digest))
        }
        #expect(!publicKey.isValidSignature(r: one, s: one, digest: digest))
        var larger = try #require(LimbInteger(bigEndian: good.r, limbCount: 5))
        _ = larger.add(privateKey.curve.scalars.modulus)
        #expect(!publicKey.isValidSignature(r: larger.bigEndian(count: 33)[...], s: good.s[...], digest: digest))
        #expect(publicKey.isValidSignature(r: ([0] + good.r)[...], s: good.s[...], digest: digest))
    }

    @Test func `a sum at infinity is no signature`() throws {
        // With the private number d and a message scalar of -r·d the two products cancel out, whatever s is.
        let (privateKey, publicKey) = try key(.p256, Self.p256Key)
        let scalars = privateKey.curve.scalars
        let r = try #require(LimbInteger(bigEndian: [7], limbCount: 4))
        let d = try #require(LimbInteger(bigEndian: Self.p256Key, limbCount: 4))
        let product = scalars.value(scalars.multiply(scalars.represent(r), scalars.represent(d)))
        let message = scalars.subtract(LimbInteger(limbs: [0, 0, 0, 0]), product).bigEndian(count: 32)
        #expect(!publicKey.isValidSignature(r: [7], s: [9], digest: message))
    }

    @Test func `points off the curve, at infinity, compressed or out of range are no keys`() throws {
        let (privateKey, _) = try key(.p256, Self.p256Key)
        let point = privateKey.publicPoint
        func isKey(_ bytes: [UInt8], _ curve: EllipticCurve? = .p256) -> Bool {
            ECDSAPublicKey(curve: curve, uncompressedPoint: bytes[...]) != nil
        }
        #expect(isKey(point))
        #expect(!isKey(point, .p384))
        #expect(!isKey([]))
        #expect(!isKey([0]))
        #expect(!isKey([0x04] + Array(repeating: 0, count: 64)))
        #expect(!isKey([0x02] + point[1...32]))
        #expect(!isKey([0x06] + point.dropFirst()))
        #expect(!isKey(point + [0]))
        #expect(!isKey(Array(point.dropLast())))
        var off = point
        off[64] ^= 1
        #expect(!isKey(off))
        // x + p denotes the same residue, and a y of the same size fits; it must not pass.
        let prime = privateKey.curve.field.modulus.bigEndian(count: 32)
        #expect(!isKey([0x04] + prime + point[33...]))
        #expect(!isKey([0x04] + Array(repeating: 0xFF, count: 32) + point[33...]))
    }

    @Test func `the smallest and the largest private numbers give the base point and its opposite`() throws {
        let curve = try #require(EllipticCurve.p256)
        let one = try #require(ECDSAPrivateKey(curve: curve, scalar: [1]))
        var number = curve.scalars.modulus
        _ = number.subtract(LimbInteger(limbs: [1]))
        let last = try #require(ECDSAPrivateKey(curve: curve, scalar: number.bigEndian(count: 32)))
        #expect(one.publicPoint[1...32] == last.publicPoint[1...32])
        #expect(one.publicPoint != last.publicPoint)
        for key in [one, last] {
            let publicKey = try #require(ECDSAPublicKey(curve: curve, uncompressedPoint: key.publicPoint[...]))
            let signature = try #require(key.signature(of: sample, .sha256))
            #expect(publicKey.isValidSignature(r: signature.r[...], s: signature.s[...], digest: SHA256.hash(sample)))
        }
        #expect(ECDSAPrivateKey(curve: curve, scalar: [0]) == nil)
        #expect(ECDSAPrivateKey(curve: curve, scalar: curve.scalars.modulus.bigEndian(count: 32)) == nil)
    }

    @Test(.enabled(if: Interpreter.hasPythonCryptography), arguments: [("SECP256R1", 32), ("SECP384R1", 48)])
    func `signatures made by Python's cryptography verify, over digests of every length`(name: String, size: Int) throws {
        let program = """
            from cryptography.hazmat.primitives.asymmetric import ec, utils
            from cryptography.hazmat.primitives import hashes, serialization
            k = ec.generate_private_key(ec.\(name)())
            point = k.public_key().public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)
            for h in (hashes.SHA1(), hashes.SHA256(), hashes.SHA384()):
                r, s = utils.decode_dss_signature(k.sign(b'sample', ec.ECDSA(h)))
                print(point.hex(), r.to_bytes(\(size), 'big').hex(), s.to_bytes(\(size), 'big').hex())
            """
        let lines = try Interpreter.python(program).split(separator: "\n")
        try #require(lines.count == 3)
        for (line, algorithm) in zip(lines, SignatureDigest.allCases) {
            let fields = line.split(separator: " ").map { bytes(String($0)) }
            let curve: EllipticCurve? = size == 32 ? .p256 : .p384
            let key = try #require(ECDSAPublicKey(curve: curve, uncompressedPoint: fields[0][...]))
            #expect(key.isValidSignature(r: fields[1][...], s: fields[2][...], digest: algorithm.hash(sample[...])))
            #expect(!key.isValidSignature(r: fields[1][...], s: fields[2][...], digest: algorithm.hash([1])))
        }
    }
}
