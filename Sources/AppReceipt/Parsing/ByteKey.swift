/// A string that compares, orders and hashes its bytes, in time proportional to its length.
///
/// `String` compares and hashes by canonical equivalence. Identifiers with differently composed characters would be
/// equal, and the time for a run of combining marks would grow with the square of its length.
package struct ByteKey: Hashable, Comparable, Sendable {
    let text: String

    package init(_ text: String) {
        self.text = text
    }

    package static func == (left: ByteKey, right: ByteKey) -> Bool {
        left.text.hasSameBytes(as: right.text)
    }

    package static func < (left: ByteKey, right: ByteKey) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        // A terminator that UTF-8 doesn't contain, so that the strings of a pair can't run together.
        hasher.combine(0xFF as UInt8)
    }
}

/// A key of two strings, such as the identifiers of a transaction and its product.
package struct ByteKeyPair: Hashable, Sendable {
    let first: ByteKey
    let second: ByteKey

    package init(_ first: ByteKey, _ second: ByteKey) {
        self.first = first
        self.second = second
    }
}

extension String {
    /// Returns whether both strings have the same bytes.
    func hasSameBytes(as other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        var (left, right) = (self, other)
        return left.withUTF8 { left in right.withUTF8 { right in left.elementsEqual(right) } }
    }
}

/// The 64-bit hash by Fowler, Noll and Vo, variant 1a. Equal bytes have the same hash in every process. The hash
/// doesn't prevent deliberate collisions.
package enum FNV1a {
    package static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
    }
}
