/// An unsigned integer for RSA, with a variable number of 64-bit limbs, least significant limb first.
///
/// The operands of an operation have the same number of limbs. A shorter operand is extended with zeros.
package struct LimbInteger: Hashable, Sendable {
    package var limbs: [UInt64]

    package init(limbs: [UInt64]) {
        self.limbs = limbs
    }

    /// Creates a number with `limbCount` limbs from big-endian bytes; `nil` if the number doesn't fit.
    package init?(bigEndian bytes: ArraySlice<UInt8>, limbCount: Int) {
        limbs = Array(repeating: 0, count: limbCount)
        var limb: UInt64 = 0
        var position = 0
        var index = bytes.endIndex
        while index > bytes.startIndex {
            index -= 1
            limb |= UInt64(truncatingIfNeeded: bytes[index]) &<< UInt64(truncatingIfNeeded: position % 8 * 8)
            position += 1
            guard position % 8 == 0 || index == bytes.startIndex else { continue }
            if (position - 1) / 8 < limbCount {
                limbs[(position - 1) / 8] = limb
            } else if limb != 0 {
                return nil
            }
            limb = 0
        }
    }

    /// Creates a number with `limbCount` limbs from big-endian bytes; `nil` if the number doesn't fit.
    package init?(bigEndian bytes: [UInt8], limbCount: Int) {
        self.init(bigEndian: bytes[...], limbCount: limbCount)
    }

    /// Returns the low `count` bytes, big-endian.
    package func bigEndian(count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        var index = count
        while index > 0 {
            index -= 1
            let limb = index / 8 < limbs.count ? limbs[index / 8] : 0
            bytes.append(UInt8(truncatingIfNeeded: limb &>> UInt64(truncatingIfNeeded: index % 8 * 8)))
        }
        return bytes
    }

    /// The position above the highest set bit.
    package var bitWidth: Int {
        guard let top = limbs.lastIndex(where: { $0 != 0 }) else { return 0 }
        return top * 64 + 64 - limbs[top].leadingZeroBitCount
    }

    package func bit(_ index: Int) -> Bool {
        index >= 0 && index / 64 < limbs.count && limbs[index / 64] >> UInt64(index % 64) & 1 == 1
    }

    /// Adds `other` and returns the carry of the highest limb.
    package mutating func add(_ other: LimbInteger) -> Bool {
        var carry: UInt64 = 0
        var index = 0
        while index < limbs.count {
            limbs[index] = limbs[index].adding(index < other.limbs.count ? other.limbs[index] : 0, carry: &carry)
            index += 1
        }
        return carry != 0
    }

    /// Subtracts `other` and returns whether `other` was greater.
    package mutating func subtract(_ other: LimbInteger) -> Bool {
        var borrow: UInt64 = 0
        var index = 0
        while index < limbs.count {
            limbs[index] = limbs[index].subtracting(index < other.limbs.count ? other.limbs[index] : 0, borrow: &borrow)
            index += 1
        }
        return borrow != 0
    }
}

extension LimbInteger: Comparable {
    package static func < (left: LimbInteger, right: LimbInteger) -> Bool {
        var index = max(left.limbs.count, right.limbs.count)
        while index > 0 {
            index -= 1
            let a = index < left.limbs.count ? left.limbs[index] : 0
            let b = index < right.limbs.count ? right.limbs[index] : 0
            if a != b { return a < b }
        }
        return false
    }
}
