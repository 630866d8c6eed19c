import ReceiptCryptography
import TestHarness
import Testing

@Suite(.bounded) struct HashFunctionTests {
    private let abc = Array("abc".utf8)
    private let twoBlocks = Array("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".utf8)

    @Test func `SHA-1 of the examples NIST gives`() {
        expectEqual(SHA1.hash([]), bytes("da39a3ee 5e6b4b0d 3255bfef 95601890 afd80709"))
        expectEqual(SHA1.hash(abc), bytes("a9993e36 4706816a ba3e2571 7850c26c 9cd0d89d"))
        expectEqual(SHA1.hash(twoBlocks), bytes("84983e44 1c3bd26e baae4aa1 f95129e5 e54670f1"))
    }

    @Test func `SHA-256 of the examples NIST gives`() {
        expectEqual(SHA256.hash([]), bytes("e3b0c442 98fc1c14 9afbf4c8 996fb924 27ae41e4 649b934c a495991b 7852b855"))
        expectEqual(SHA256.hash(abc), bytes("ba7816bf 8f01cfea 414140de 5dae2223 b00361a3 96177a9c b410ff61 f20015ad"))
        expectEqual(
            SHA256.hash(twoBlocks), bytes("248d6a61 d20638b8 e5c02693 0c3e6039 a33ce459 64ff2167 f6ecedd4 19db06c1"))
    }

    @Test func `SHA-384 of the examples NIST gives`() {
        expectEqual(
            SHA384.hash(abc),
            bytes(
                "cb00753f45a35e8b b5a03d699ac65007 272c32ab0eded163 1a8b605a43ff5bed 8086072ba1e7cc23 58baeca134c825a7")
        )
        expectEqual(
            SHA384.hash([]),
            bytes(
                "38b060a751ac9638 4cd9327eb1b1e36a 21fdb71114be0743 4c0cc7bf63f6e1da 274edebfe76f65fb d51ad2f14898b95b")
        )
    }

    @Test func `an intermediate digest doesn't affect the final digest`() {
        func check<Compression>(_: BlockHash<Compression>.Type) {
            var function = BlockHash<Compression>()
            for byte in 0..<200 as Range<UInt8> {
                expectEqual(function.digest(), BlockHash<Compression>.hash(Array(0..<byte)))
                function.update([byte])
            }
        }
        check(SHA1.self)
        check(SHA256.self)
        check(SHA384.self)
    }

    @Test func `a hundred thousand bytes in pieces of every size give the digest of the whole`() {
        let message = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) }
        func check<Compression>(_: BlockHash<Compression>.Type) {
            var pieces = BlockHash<Compression>()
            var start = 0
            var size = 0
            while start < message.count {
                let end = min(start + size, message.count)
                pieces.update(message[start..<end])
                start = end
                size += 1
            }
            expectEqual(pieces.digest(), BlockHash<Compression>.hash(message))
            expectEqual(pieces.digest(), BlockHash<Compression>.hash(message))
        }
        check(SHA1.self)
        check(SHA256.self)
        check(SHA384.self)
    }

    @Test(.enabled(if: Interpreter.hasPython)) func `every length up to three blocks agrees with Python's hashlib`()
        throws
    {
        let message = (0..<400).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ 7) }
        let program = """
            import hashlib
            m = bytes((i * 31 + 7) % 256 for i in range(400))
            for n in range(400):
                print(*(f(m[:n]).hexdigest() for f in (hashlib.sha1, hashlib.sha256, hashlib.sha384)))
            """
        let lines = try Interpreter.python(program).split(separator: "\n")
        try #require(lines.count == 400)
        for (length, line) in lines.enumerated() {
            let digests = line.split(separator: " ").map { bytes(String($0)) }
            let prefix = message[..<length]
            expectEqual(digests, [SHA1.hash(prefix), SHA256.hash(prefix), SHA384.hash(prefix)])
        }
    }
}
