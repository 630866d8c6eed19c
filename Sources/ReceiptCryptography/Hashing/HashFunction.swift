/// A hash function of FIPS 180-4, fed in pieces.
package protocol HashFunction: Sendable {
    /// The number of bytes of a digest.
    static var digestSize: Int { get }

    /// Starts with nothing hashed.
    init()

    /// Hashes more bytes.
    mutating func update(_ bytes: UnsafeRawBufferPointer)

    /// The digest of everything hashed so far; hashing can go on afterwards.
    func digest() -> [UInt8]
}

extension HashFunction {
    /// Hashes more bytes.
    package mutating func update(_ bytes: ArraySlice<UInt8>) {
        bytes.withUnsafeBytes { update($0) }
    }

    /// The digest of `bytes`.
    package static func hash(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var function = Self()
        function.update(bytes)
        return function.digest()
    }

    /// The digest of `bytes`.
    package static func hash(_ bytes: [UInt8]) -> [UInt8] {
        hash(bytes[...])
    }
}

/// SHA-1 as FIPS 180-4 defines it.
///
/// Collisions can be made for it. It is here because the device hash of a receipt and the signatures of older receipts
/// are made with it.
package struct SHA1: HashFunction {
    package static var digestSize: Int { 20 }

    private var blocks = BlockHash(SHA1Compression())

    package init() {}

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        blocks.update(bytes)
    }

    package func digest() -> [UInt8] {
        blocks.digest()
    }
}

/// SHA-256 as FIPS 180-4 defines it.
package struct SHA256: HashFunction {
    package static var digestSize: Int { 32 }

    private var blocks = BlockHash(SHA256Compression())

    package init() {}

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        blocks.update(bytes)
    }

    package func digest() -> [UInt8] {
        blocks.digest()
    }
}

/// SHA-512 as FIPS 180-4 defines it.
package struct SHA512: HashFunction {
    package static var digestSize: Int { 64 }

    private var blocks = BlockHash(SHA512Compression.sha512)

    package init() {}

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        blocks.update(bytes)
    }

    package func digest() -> [UInt8] {
        blocks.digest()
    }
}

/// SHA-384 as FIPS 180-4 defines it: SHA-512 from another start, cut short.
package struct SHA384: HashFunction {
    package static var digestSize: Int { 48 }

    private var blocks = BlockHash(SHA512Compression.sha384)

    package init() {}

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        blocks.update(bytes)
    }

    package func digest() -> [UInt8] {
        Array(blocks.digest().prefix(SHA384.digestSize))
    }
}
