/// An unsigned integer of a fixed number of 64-bit limbs that lie in the value itself, not on the heap.
///
/// There are two, ``UInt256`` and ``UInt384``. Each writes its limbs out, one after the other, so that neither a release nor a debug build
/// has a loop, a bounds check or a reference count to pay for; all that is above them is written once, for both.
package protocol FixedLimbs: Hashable, Sendable {
    /// How many limbs there are.
    static var limbCount: Int { get }

    /// The number zero.
    static var zero: Self { get }

    /// The limb at `index`, the least significant one at zero.
    subscript(index: Int) -> UInt64 { get set }

    /// left + right less `modulus` where that is needed once; for a sum below twice the modulus, or with a modulus of zero,
    /// which stands for 2^(64 · limbs).
    static func sum(_ left: Self, _ right: Self, modulo modulus: Self) -> Self

    /// left - right plus `modulus` where that is needed; for two numbers that are not above the modulus, or with a modulus of zero, which
    /// stands for 2^(64 · limbs).
    static func difference(_ left: Self, _ right: Self, modulo modulus: Self) -> Self

    /// left · right / R mod modulus with R = 2^(64 · limbs), for two numbers below the modulus, and -modulus⁻¹ mod 2^64: the multiplication
    /// of Montgomery (Mathematics of Computation 44, 1985).
    ///
    /// To the low half of the product the multiple of the modulus is added that makes its lowest limb zero, and that limb is taken off; then
    /// the same with the next one. The low half alone comes down to at most the modulus in this way, so that one subtraction is enough when
    /// the high half has been added.
    static func montgomeryProduct(_ left: Self, _ right: Self, modulo modulus: Self, negatedInverse: UInt64) -> Self

    /// Whether the left number is the smaller one.
    static func < (left: Self, right: Self) -> Bool
}

extension FixedLimbs {
    /// The number of bits.
    package static var bitWidth: Int { limbCount * 64 }

    /// The number of bytes.
    package static var byteCount: Int { limbCount * 8 }

    /// Whether the number is zero.
    package var isZero: Bool { self == Self.zero }

    /// The sum without what it carries beyond the highest limb.
    package static func &+ (left: Self, right: Self) -> Self {
        sum(left, right, modulo: zero)
    }

    /// The difference, with what it lacks borrowed from beyond the highest limb.
    package static func &- (left: Self, right: Self) -> Self {
        difference(left, right, modulo: zero)
    }

    /// A number of one limb.
    package init(_ low: UInt64) {
        self = Self.zero
        self[0] = low
    }

    /// Takes a big-endian number of any length, or returns `nil` when it does not fit.
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

    /// The number that `count` bits from `position` on make, the bit there being the lowest; what lies beyond the number is zero.
    package func bits(at position: Int, count: Int) -> Int {
        let (index, shift) = (position / 64, UInt64(truncatingIfNeeded: position % 64))
        guard index < Self.limbCount else { return 0 }
        var word = self[index] &>> shift
        if shift != 0, index + 1 < Self.limbCount {
            word |= self[index + 1] &<< (64 &- shift)
        }
        return Int(truncatingIfNeeded: word & ((1 &<< UInt64(truncatingIfNeeded: count)) &- 1))
    }
}
