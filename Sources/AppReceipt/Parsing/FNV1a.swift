/// The 64-bit hash by Fowler, Noll and Vo, variant 1a. Equal bytes have the same hash in every process. The hash
/// doesn't prevent deliberate collisions.
package enum FNV1a {
    /// Returns the hash of some bytes.
    package static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
    }
}
