/// A hash function of FIPS 180-4 with incremental input.
package protocol HashFunction: Sendable {
    /// The number of bytes of a digest.
    static var digestSize: Int { get }

    /// Creates a hash function without input.
    init()

    /// Adds bytes to the input.
    mutating func update(_ bytes: UnsafeRawBufferPointer)

    /// Returns the digest of the input so far. You can add more input afterwards.
    func digest() -> [UInt8]
}

extension HashFunction {
    /// Adds bytes to the input.
    package mutating func update(_ bytes: ArraySlice<UInt8>) {
        bytes.withUnsafeBytes { update($0) }
    }

    /// Returns the digest of `bytes`.
    package static func hash(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var function = Self()
        function.update(bytes)
        return function.digest()
    }

    /// Returns the digest of `bytes`.
    package static func hash(_ bytes: [UInt8]) -> [UInt8] {
        hash(bytes[...])
    }
}

/// SHA-1 (FIPS 180-4).
///
/// SHA-1 isn't collision-resistant. The device hash of receipts and the signatures of older receipts require it.
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

/// SHA-256 (FIPS 180-4).
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

/// SHA-384 (FIPS 180-4): SHA-512 with another initial value and a shorter digest.
package struct SHA384: HashFunction {
    package static var digestSize: Int { 48 }

    private var blocks = BlockHash(SHA384Compression())

    package init() {}

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        blocks.update(bytes)
    }

    package func digest() -> [UInt8] {
        Array(blocks.digest().prefix(SHA384.digestSize))
    }
}
