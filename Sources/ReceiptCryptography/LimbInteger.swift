/// An unsigned integer of a fixed number of 64-bit limbs, the least significant one first.
///
/// Two operands of one operation have the same number of limbs; a shorter one counts as filled up with zeros.
package struct LimbInteger: Hashable, Sendable {
    package var limbs: [UInt64]

    package init(limbs: [UInt64]) {
        self.limbs = limbs
    }

    /// Takes a big-endian number into `limbCount` limbs, or returns `nil` when it does not fit.
    package init?(bigEndian bytes: some Collection<UInt8>, limbCount: Int) {
        let digits = Array(bytes.drop { $0 == 0 })
        guard digits.count <= limbCount * 8 else { return nil }
        limbs = Array(repeating: 0, count: limbCount)
        for (index, digit) in digits.reversed().enumerated() {
            limbs[index / 8] |= UInt64(digit) << UInt64(index % 8 * 8)
        }
    }

    /// The low `count` bytes, big-endian.
    package func bigEndian(count: Int) -> [UInt8] {
        (0..<count).reversed().map { index in
            index / 8 < limbs.count ? UInt8(truncatingIfNeeded: limbs[index / 8] >> UInt64(index % 8 * 8)) : 0
        }
    }

    package var isZero: Bool {
        limbs.allSatisfy { $0 == 0 }
    }

    /// The position above the highest bit that is set.
    package var bitWidth: Int {
        guard let top = limbs.lastIndex(where: { $0 != 0 }) else { return 0 }
        return top * 64 + 64 - limbs[top].leadingZeroBitCount
    }

    package func bit(_ index: Int) -> Bool {
        index >= 0 && index / 64 < limbs.count && limbs[index / 64] >> UInt64(index % 64) & 1 == 1
    }

    /// Adds `other` and returns the carry out of the highest limb.
    package mutating func add(_ other: LimbInteger) -> Bool {
        var carry: UInt64 = 0
        for index in limbs.indices {
            let addend = index < other.limbs.count ? other.limbs[index] : 0
            let (sum, overflow) = limbs[index].addingReportingOverflow(addend)
            let (total, carried) = sum.addingReportingOverflow(carry)
            limbs[index] = total
            carry = overflow || carried ? 1 : 0
        }
        return carry == 1
    }

    /// Subtracts `other` and returns whether it was the greater one.
    package mutating func subtract(_ other: LimbInteger) -> Bool {
        var borrow: UInt64 = 0
        for index in limbs.indices {
            let subtrahend = index < other.limbs.count ? other.limbs[index] : 0
            let (difference, underflow) = limbs[index].subtractingReportingOverflow(subtrahend)
            let (total, borrowed) = difference.subtractingReportingOverflow(borrow)
            limbs[index] = total
            borrow = underflow || borrowed ? 1 : 0
        }
        return borrow == 1
    }
}

extension LimbInteger: Comparable {
    package static func < (left: LimbInteger, right: LimbInteger) -> Bool {
        for index in (0..<max(left.limbs.count, right.limbs.count)).reversed() {
            let a = index < left.limbs.count ? left.limbs[index] : 0
            let b = index < right.limbs.count ? right.limbs[index] : 0
            if a != b { return a < b }
        }
        return false
    }
}
