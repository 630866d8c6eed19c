/// An unsigned integer with a fixed number of 64-bit limbs, stored in the value itself, not on the heap.
///
/// The two conforming types are ``UInt256`` and ``UInt384``. Both spell out their limbs, so that release and debug
/// builds need no loops, bounds checks or reference counts. Code above this protocol is generic.
package protocol FixedLimbs: Hashable, Sendable {
    /// The number of limbs.
    static var limbCount: Int { get }

    /// The number zero.
    static var zero: Self { get }

    /// The limb at `index`. Index 0 is the least significant limb.
    subscript(index: Int) -> UInt64 { get set }

    /// Returns left + right, minus `modulus` if the sum isn't below the modulus. The sum must be below twice the
    /// modulus. A modulus of zero means 2^(64 · limbs).
    static func sum(_ left: Self, _ right: Self, modulo modulus: Self) -> Self

    /// Returns left - right, plus `modulus` if the difference is negative. Both numbers must not exceed the modulus. A
    /// modulus of zero means 2^(64 · limbs).
    static func difference(_ left: Self, _ right: Self, modulo modulus: Self) -> Self

    /// Returns left · right / R mod modulus with R = 2^(64 · limbs), for two numbers below the modulus and -modulus⁻¹
    /// mod 2^64: Montgomery multiplication (Mathematics of Computation 44, 1985).
    ///
    /// The algorithm adds the multiple of the modulus that makes the lowest limb of the product's low half zero,
    /// removes that limb, and repeats this for every limb. The reduced low half is at most the modulus, so one
    /// subtraction is sufficient after the high half is added.
    static func montgomeryProduct(_ left: Self, _ right: Self, modulo modulus: Self, negatedInverse: UInt64) -> Self

    /// Returns whether the left number is less than the right number.
    static func < (left: Self, right: Self) -> Bool
}

extension FixedLimbs {
    /// The number of bytes.
    package static var byteCount: Int { limbCount * 8 }

    /// Whether the number is zero.
    package var isZero: Bool { self == Self.zero }

    /// Returns the sum without the carry beyond the highest limb.
    package static func &+ (left: Self, right: Self) -> Self {
        sum(left, right, modulo: zero)
    }

    /// Returns the difference, with a borrow from beyond the highest limb if necessary.
    package static func &- (left: Self, right: Self) -> Self {
        difference(left, right, modulo: zero)
    }

    /// Creates a number from its lowest limb.
    package init(_ low: UInt64) {
        self = Self.zero
        self[0] = low
    }

    /// Creates a number from big-endian bytes of any length; `nil` if the number doesn't fit.
    package init?(bigEndian bytes: ArraySlice<UInt8>) {
        self = Self.zero
        var position = 0
        var index = bytes.endIndex
        while index > bytes.startIndex {
            index -= 1
            let byte = bytes[index]
            if position < Self.byteCount {
                self[position / 8] |= UInt64(truncatingIfNeeded: byte) &<< UInt64(truncatingIfNeeded: position % 8 * 8)
            } else if byte != 0 {
                return nil
            }
            position += 1
        }
    }

    /// The number with leading zeros, big-endian.
    package var bigEndianBytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.byteCount)
        var index = Self.byteCount
        while index > 0 {
            index -= 1
            bytes.append(UInt8(truncatingIfNeeded: self[index / 8] &>> UInt64(truncatingIfNeeded: index % 8 * 8)))
        }
        return bytes
    }

    /// The number of digits of four bits.
    package static var digitCount: Int { limbCount * 16 }

    /// Returns four bits as a number. Index 0 is the least significant digit.
    package func digit(at index: Int) -> Int {
        Int(truncatingIfNeeded: self[index / 16] &>> UInt64(truncatingIfNeeded: index % 16 * 4) & 15)
    }
}
