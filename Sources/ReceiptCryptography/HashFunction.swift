/// A hash function of FIPS 180-4, fed in pieces.
package protocol HashFunction: Sendable {
    /// The number of bytes of a digest.
    static var digestSize: Int { get }

    /// Starts with nothing hashed.
    init()

    /// Hashes more bytes.
    mutating func update(_ bytes: ArraySlice<UInt8>)

    /// The digest of everything hashed so far; hashing can go on afterwards.
    func digest() -> [UInt8]
}

extension HashFunction {
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
