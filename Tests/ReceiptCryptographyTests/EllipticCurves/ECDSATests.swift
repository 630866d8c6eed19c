import AppStoreSimulator
import ReceiptCryptography
import TestHarness
import Testing

@Suite(.bounded) struct ECDSATests {
    private let sample = Array("sample".utf8)

    /// The keys of RFC 6979, appendices A.2.5 and A.2.6.
    private static let p256Key = bytes("C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721")
    private static let p384Key = bytes(
        "6B9D3DAD2E1B8C1C05B19875B6659F4DE23C3B667BF297BA9AA47740787137D896D5724E4C70A825F872C9EA60D2EDF5")

    private func key(_ curve: EllipticCurve, _ scalar: [UInt8]) throws -> (ECDSAPrivateKey, ECDSAPublicKey) {
        let key = try #require(ECDSAPrivateKey(curve: curve, scalar: scalar))
        return (key, try #require(ECDSAPublicKey(curve: curve, uncompressedPoint: key.publicPoint[...])))
    }

    @Test func `the P-256 example of RFC 6979`() throws {
        let (privateKey, publicKey) = try key(.p256, Self.p256Key)
        expectEqual(
            privateKey.publicPoint,
            bytes(
                "04 60FED4BA255A9D31C961EB74C6356D68C049B8923B61FA6CE669622E60F29FB6 7903FE1008B8BC99A41AE9E95628BC64F2F1B20C2D7E9F5177A3C294D4462299"
            ))
        let signature = try #require(privateKey.signature(of: sample, .sha256))
        expectEqual(signature.r, bytes("EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716"))
        expectEqual(signature.s, bytes("F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8"))
        #expect(publicKey.isValidSignature(r: signature.r[...], s: signature.s[...], digest: SHA256.hash(sample)))
        #expect(!publicKey.isValidSignature(r: signature.r[...], s: signature.s[...], digest: SHA256.hash([])))
        #expect(!publicKey.isValidSignature(r: signature.s[...], s: signature.r[...], digest: SHA256.hash(sample)))
    }

    @Test func `the P-384 example of RFC 6979`() throws {
        let (privateKey, publicKey) = try key(.p384, Self.p384Key)
        let signature = try #require(privateKey.signature(of: sample, .sha384))
        expectEqual(
            signature.r,
            bytes("94EDBB92A5ECB8AAD4736E56C691916B3F88140666CE9FA73D64C4EA95AD133C81A648152E44ACF96E36DD1E80FABE46"))
        expectEqual(
            signature.s,
            bytes("99EF4AEB15F178CEA1FE40DB2603138F130E740A19624526203B6351D0A3A94FA329C145786E679E7B82C71A38628AC8"))
        #expect(publicKey.isValidSignature(r: signature.r[...], s: signature.s[...], digest: SHA384.hash(sample)))
    }

    @Test(arguments: EllipticCurve.allCases)
    func `zero, the order and greater numbers are never part of a valid signature`(curve: EllipticCurve) throws {
        let (privateKey, publicKey) = try key(curve, curve == .p256 ? Self.p256Key : Self.p384Key)
        let size = curve.byteCount
        let order = Self.order(curve)
        let digest = SHA384.hash(sample)
        let good = try #require(privateKey.signature(of: sample, .sha384))
        func number(_ number: ReferenceInteger) -> [UInt8] { number.bigEndian(count: size) }
        let one = ReferenceInteger(1)
        let largest = [UInt8](repeating: 0xFF, count: size)
        let edges: [[UInt8]] = [
            [], [0], number(ReferenceInteger(0)), number(order), number(order + one), largest, [0xFF] + largest,
            [1] + number(one),
        ]
        for edge in edges {
            #expect(!publicKey.isValidSignature(r: edge[...], s: good.s[...], digest: digest))
            #expect(!publicKey.isValidSignature(r: good.r[...], s: edge[...], digest: digest))
            #expect(!publicKey.isValidSignature(r: edge[...], s: edge[...], digest: digest))
        }
        // Numbers in range that aren't a signature.
        for edge in [one, order - one, order - ReferenceInteger(2)] {
            #expect(!publicKey.isValidSignature(r: number(edge)[...], s: good.s[...], digest: digest))
            #expect(!publicKey.isValidSignature(r: good.r[...], s: number(edge)[...], digest: digest))
            #expect(!publicKey.isValidSignature(r: number(edge)[...], s: number(edge)[...], digest: digest))
        }
        // The same residues, but not below the order.
        let largerR = (ReferenceInteger(bigEndian: good.r) + order).bigEndian(count: size + 1)
        let largerS = (ReferenceInteger(bigEndian: good.s) + order).bigEndian(count: size + 1)
        #expect(!publicKey.isValidSignature(r: largerR[...], s: good.s[...], digest: digest))
        #expect(!publicKey.isValidSignature(r: good.r[...], s: largerS[...], digest: digest))
        #expect(publicKey.isValidSignature(r: ([0] + good.r)[...], s: ([0, 0] + good.s)[...], digest: digest))
    }

    @Test(arguments: EllipticCurve.allCases)
    func `the negated s is as valid as s`(curve: EllipticCurve) throws {
        let (privateKey, publicKey) = try key(curve, curve == .p256 ? Self.p256Key : Self.p384Key)
        let good = try #require(privateKey.signature(of: sample, .sha256))
        let opposite = (Self.order(curve) - ReferenceInteger(bigEndian: good.s)).bigEndian(count: curve.byteCount)
        #expect(opposite != good.s)
        #expect(publicKey.isValidSignature(r: good.r[...], s: opposite[...], digest: SHA256.hash(sample)))
        #expect(!publicKey.isValidSignature(r: good.r[...], s: opposite[...], digest: SHA256.hash([])))
    }

    @Test(arguments: EllipticCurve.allCases)
    func `a sum at infinity isn't a valid signature`(curve: EllipticCurve) throws {
        // With the private key d and a message scalar of -r·d, the two products cancel out for every s.
        let scalar = curve == .p256 ? Self.p256Key : Self.p384Key
        let (_, publicKey) = try key(curve, scalar)
        let order = Self.order(curve)
        let product = ReferenceInteger(7) * ReferenceInteger(bigEndian: scalar) % order
        for s in [1, 9] as [UInt8] {
            #expect(
                !publicKey.isValidSignature(r: [7], s: [s], digest: (order - product).bigEndian(count: curve.byteCount))
            )
        }
    }

    @Test func `a sum whose first coordinate lies between the order and the prime becomes its remainder`() throws {
        // Constructed with s = 1: the public key is (R - e·G) / r for a point R whose first coordinate is the order
        // plus r.
        let made: [(EllipticCurve, r: UInt8, key: String)] = [
            (
                .p256, 3,
                "04 9541305A3DC7398100EF47177F647FF3FA559F104B1AA065B3B00EE6A64CC998 7A76AEFDA0E08E921651CBB8E11819B4EE784AEA57B9487AD54AF93AE780E68D"
            ),
            (
                .p384, 2,
                """
                04 5F8A86F7FB4837F71904225951A7C2B76BC47380DEEC9DEDF21792C1280AE97A4CA7CF5913F10FA044B50E3B39084205
                C603E5DE8CDD996A7BF4305181F2AF58E18A921FFA8C013FD8E11250E49010D2B1E3325CE3582EA150CF9B1FE3E50D9E
                """
            ),
        ]
        for (curve, r, key) in made {
            let publicKey = try #require(ECDSAPublicKey(curve: curve, uncompressedPoint: bytes(key)[...]))
            #expect(publicKey.isValidSignature(r: [r], s: [1], digest: SHA256.hash(sample)))
            #expect(!publicKey.isValidSignature(r: [r], s: [2], digest: SHA256.hash(sample)))
            #expect(!publicKey.isValidSignature(r: [r + 1], s: [1], digest: SHA256.hash(sample)))
            #expect(!publicKey.isValidSignature(r: [r], s: [1], digest: SHA256.hash([])))
        }
    }

    @Test func `signatures with keys, nonces and digests at the edges verify`() throws {
        try expectEdges(P256.self, .p256)
        try expectEdges(P384.self, .p384)
    }

    /// Signs by FIPS 186-5, with numbers for which the points of the verification's sum are equal, opposite or
    /// multiples of the base point.
    private func expectEdges<Curve: PrimeCurve>(_: Curve.Type, _ curve: EllipticCurve) throws {
        let keys = [
            UInt384(1), UInt384(2), UInt384(15), Curve.Order.prime &- UInt384(1), Curve.Order.prime &- UInt384(2),
        ]
        let nonces = [UInt384(1), UInt384(3), Curve.Order.prime &- UInt384(1)]
        let digests = [
            UInt384.zero, UInt384(1), Curve.Order.prime &- UInt384(1), Curve.Order.prime, UInt384.zero &- UInt384(1),
        ]
        for key in keys {
            let point = try #require(JacobianPoint<Curve>.baseMultiple(key).affine).uncompressed
            let publicKey = try #require(ECDSAPublicKey(curve: curve, uncompressedPoint: point[...]))
            for nonce in nonces {
                let x = try #require(JacobianPoint<Curve>.baseMultiple(nonce).affine).x.number
                let r = Residue<Curve.Order>(reducing: x)
                let first = r.bytes[...]
                for digest in digests {
                    let digest = digest.bigEndian(count: curve.byteCount)
                    let s =
                        (Curve.messageScalar(digest: digest) + r * Residue(key)) * Residue<Curve.Order>(nonce).inverse()
                    guard !s.isZero else { continue }
                    let second = s.bytes[...]
                    #expect(
                        publicKey.isValidSignature(r: first, s: second, digest: digest), "\(key), \(nonce), \(digest)")
                    var other = digest
                    other[0] ^= 0x80
                    #expect(
                        !publicKey.isValidSignature(r: first, s: second, digest: other), "\(key), \(nonce), \(digest)")
                }
            }
        }
    }

    @Test func `points off the curve, at infinity, compressed or out of range aren't keys`() throws {
        let (privateKey, _) = try key(.p256, Self.p256Key)
        let point = privateKey.publicPoint
        func isKey(_ bytes: [UInt8], _ curve: EllipticCurve = .p256) -> Bool {
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
        // x + p is the same residue, and a y of the same size fits. The point must be rejected.
        let prime = P256.Field.prime.bigEndian(count: 32)
        #expect(!isKey([0x04] + prime + point[33...]))
        #expect(!isKey([0x04] + Array(repeating: 0xFF, count: 32) + point[33...]))
    }

    @Test(arguments: EllipticCurve.allCases)
    func `a y of the same x but another square, and one of another length, is off the curve`(curve: EllipticCurve)
        throws
    {
        let (privateKey, _) = try key(curve, curve == .p256 ? Self.p256Key : Self.p384Key)
        let size = curve.byteCount
        for index in [1, size, size + 1, 2 * size] {
            for bit in [1, 0x80] as [UInt8] {
                var off = privateKey.publicPoint
                off[index] ^= bit
                #expect(ECDSAPublicKey(curve: curve, uncompressedPoint: off[...]) == nil)
            }
        }
        let y = ReferenceInteger(bigEndian: Array(privateKey.publicPoint.suffix(size)))
        let prime = ReferenceInteger(
            bigEndian: curve == .p256 ? P256.Field.prime.bigEndian(count: 32) : P384.Field.prime.bigEndian(count: 48))
        let opposite = privateKey.publicPoint.prefix(1 + size) + (prime - y).bigEndian(count: size)
        #expect(
            ECDSAPublicKey(curve: curve, uncompressedPoint: opposite[...]) != nil, "the opposite point is on the curve")
        #expect(ECDSAPublicKey(curve: curve, uncompressedPoint: privateKey.publicPoint[...]) != nil)
    }

    @Test func `the smallest and the largest private numbers give the base point and its opposite`() throws {
        let order = Self.order(.p256)
        let (one, _) = try key(.p256, [1])
        let (last, _) = try key(.p256, (order - ReferenceInteger(1)).bigEndian(count: 32))
        expectEqual(one.publicPoint[1...32], last.publicPoint[1...32])
        #expect(one.publicPoint != last.publicPoint)
        for key in [one, last] {
            let publicKey = try #require(ECDSAPublicKey(curve: .p256, uncompressedPoint: key.publicPoint[...]))
            let signature = try #require(key.signature(of: sample, .sha256))
            #expect(publicKey.isValidSignature(r: signature.r[...], s: signature.s[...], digest: SHA256.hash(sample)))
        }
        #expect(ECDSAPrivateKey(curve: .p256, scalar: [0]) == nil)
        #expect(ECDSAPrivateKey(curve: .p256, scalar: order.bigEndian(count: 32)) == nil)
    }

    private static func order(_ curve: EllipticCurve) -> ReferenceInteger {
        ReferenceInteger(
            bigEndian: curve == .p256 ? P256.Order.prime.bigEndian(count: 32) : P384.Order.prime.bigEndian(count: 48))
    }

    @Test(.enabled(if: Interpreter.hasPythonCryptography), arguments: [("SECP256R1", 32), ("SECP384R1", 48)])
    func `signatures made by Python's cryptography verify, over digests of every length`(name: String, size: Int) throws
    {
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
            let curve: EllipticCurve = size == 32 ? .p256 : .p384
            let key = try #require(ECDSAPublicKey(curve: curve, uncompressedPoint: fields[0][...]))
            #expect(key.isValidSignature(r: fields[1][...], s: fields[2][...], digest: algorithm.hash(sample[...])))
            #expect(!key.isValidSignature(r: fields[1][...], s: fields[2][...], digest: algorithm.hash([1])))
        }
    }
}
