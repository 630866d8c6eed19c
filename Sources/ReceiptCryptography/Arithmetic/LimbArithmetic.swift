// All arithmetic on limbs is in this file, for fast signature verification in debug builds: these builds inline only
// transparent functions, as the operators of the standard library are, and no functions of other files.

/// The three basic operations on one limb, with a carry or borrow.
extension UInt64 {
    /// Computes self · factor + addend + carry, which always fits two limbs. Returns the lower limb and carries the
    /// upper limb.
    @_transparent
    func multiplied(by factor: UInt64, adding addend: UInt64, carry: inout UInt64) -> UInt64 {
        let product = multipliedFullWidth(by: factor)
        let (first, overflow) = product.low.addingReportingOverflow(addend)
        let (second, carried) = first.addingReportingOverflow(carry)
        carry = product.high &+ UInt64(bit: overflow) &+ UInt64(bit: carried)
        return second
    }

    /// Computes self + other + carry. The carry is zero or one, before and after.
    @_transparent
    func adding(_ other: UInt64, carry: inout UInt64) -> UInt64 {
        let (first, overflow) = addingReportingOverflow(other)
        let (second, carried) = first.addingReportingOverflow(carry)
        carry = UInt64(bit: overflow) &+ UInt64(bit: carried)
        return second
    }

    /// Computes self - other - borrow. The borrow is zero or one, before and after.
    @_transparent
    func subtracting(_ other: UInt64, borrow: inout UInt64) -> UInt64 {
        let (first, underflow) = subtractingReportingOverflow(other)
        let (second, borrowed) = first.subtractingReportingOverflow(borrow)
        borrow = UInt64(bit: underflow) &+ UInt64(bit: borrowed)
        return second
    }

    /// Creates one or zero. In a debug build, `bit ? 1 : 0` would be a branch, which processors can't predict for
    /// carries.
    @_transparent
    private init(bit: Bool) {
        self.init(truncatingIfNeeded: unsafeBitCast(bit, to: UInt8.self))
    }
}

extension UnsafeMutablePointer<UInt64> {
    /// Adds number · digit to the limbs that start at this pointer, and returns the carry: one row of a schoolbook
    /// multiplication.
    @inline(__always)
    func addRow(_ number: UnsafeMutablePointer<UInt64>, count: Int, times digit: UInt64) -> UInt64 {
        var carry: UInt64 = 0
        var index = 0
        // Four limbs per iteration, because the loop itself takes as long as a limb.
        while index + 4 <= count {
            self[index] = number[index].multiplied(by: digit, adding: self[index], carry: &carry)
            self[index + 1] = number[index + 1].multiplied(by: digit, adding: self[index + 1], carry: &carry)
            self[index + 2] = number[index + 2].multiplied(by: digit, adding: self[index + 2], carry: &carry)
            self[index + 3] = number[index + 3].multiplied(by: digit, adding: self[index + 3], carry: &carry)
            index += 4
        }
        while index < count {
            self[index] = number[index].multiplied(by: digit, adding: self[index], carry: &carry)
            index += 1
        }
        return carry
    }
}

/// An unsigned integer with six 64-bit limbs: the numbers of P-256 and P-384.
///
/// The limbs are spelled out in the value itself, so that release and debug builds need no loops, bounds checks or
/// reference counts.
package struct UInt384: Hashable, Sendable {
    private var w0, w1, w2, w3, w4, w5: UInt64

    /// Creates a number from its limbs, most significant limb first, as standards print numbers.
    package init(_ w5: UInt64, _ w4: UInt64, _ w3: UInt64, _ w2: UInt64, _ w1: UInt64, _ w0: UInt64) {
        self.w0 = w0
        self.w1 = w1
        self.w2 = w2
        self.w3 = w3
        self.w4 = w4
        self.w5 = w5
    }

    package static var zero: UInt384 { UInt384(0, 0, 0, 0, 0, 0) }

    /// The limb at `index`. Index 0 is the least significant limb.
    package subscript(index: Int) -> UInt64 {
        get {
            switch index {
            case 0: w0
            case 1: w1
            case 2: w2
            case 3: w3
            case 4: w4
            default: w5
            }
        }
        set {
            switch index {
            case 0: w0 = newValue
            case 1: w1 = newValue
            case 2: w2 = newValue
            case 3: w3 = newValue
            case 4: w4 = newValue
            default: w5 = newValue
            }
        }
    }

    /// Returns left + right, minus `modulus` if the sum isn't below the modulus. The sum must be below twice the
    /// modulus. A modulus of zero means 2^384.
    @inline(__always)
    package static func sum(_ left: UInt384, _ right: UInt384, modulo modulus: UInt384) -> UInt384 {
        var total = left
        var carry: UInt64 = 0
        total.w0 = left.w0.adding(right.w0, carry: &carry)
        total.w1 = left.w1.adding(right.w1, carry: &carry)
        total.w2 = left.w2.adding(right.w2, carry: &carry)
        total.w3 = left.w3.adding(right.w3, carry: &carry)
        total.w4 = left.w4.adding(right.w4, carry: &carry)
        total.w5 = left.w5.adding(right.w5, carry: &carry)
        var reduced = total
        var borrow: UInt64 = 0
        reduced.w0 = total.w0.subtracting(modulus.w0, borrow: &borrow)
        reduced.w1 = total.w1.subtracting(modulus.w1, borrow: &borrow)
        reduced.w2 = total.w2.subtracting(modulus.w2, borrow: &borrow)
        reduced.w3 = total.w3.subtracting(modulus.w3, borrow: &borrow)
        reduced.w4 = total.w4.subtracting(modulus.w4, borrow: &borrow)
        reduced.w5 = total.w5.subtracting(modulus.w5, borrow: &borrow)
        // A borrow beyond the highest limb may cancel out the carry.
        return carry < borrow ? total : reduced
    }

    /// Returns left - right, plus `modulus` if the difference is negative. Both numbers must not exceed the modulus. A
    /// modulus of zero means 2^384.
    @inline(__always)
    package static func difference(_ left: UInt384, _ right: UInt384, modulo modulus: UInt384) -> UInt384 {
        var result = left
        var borrow: UInt64 = 0
        result.w0 = left.w0.subtracting(right.w0, borrow: &borrow)
        result.w1 = left.w1.subtracting(right.w1, borrow: &borrow)
        result.w2 = left.w2.subtracting(right.w2, borrow: &borrow)
        result.w3 = left.w3.subtracting(right.w3, borrow: &borrow)
        result.w4 = left.w4.subtracting(right.w4, borrow: &borrow)
        result.w5 = left.w5.subtracting(right.w5, borrow: &borrow)
        let mask = 0 &- borrow
        var carry: UInt64 = 0
        result.w0 = result.w0.adding(modulus.w0 & mask, carry: &carry)
        result.w1 = result.w1.adding(modulus.w1 & mask, carry: &carry)
        result.w2 = result.w2.adding(modulus.w2 & mask, carry: &carry)
        result.w3 = result.w3.adding(modulus.w3 & mask, carry: &carry)
        result.w4 = result.w4.adding(modulus.w4 & mask, carry: &carry)
        result.w5 = result.w5.adding(modulus.w5 & mask, carry: &carry)
        return result
    }

    /// Adds number · digit, and removes and returns the lowest limb of the sum: one row of a schoolbook multiplication.
    @inline(__always)
    private mutating func addRow(_ number: UInt384, times digit: UInt64) -> UInt64 {
        var carry: UInt64 = 0
        let lowest = number.w0.multiplied(by: digit, adding: w0, carry: &carry)
        w0 = number.w1.multiplied(by: digit, adding: w1, carry: &carry)
        w1 = number.w2.multiplied(by: digit, adding: w2, carry: &carry)
        w2 = number.w3.multiplied(by: digit, adding: w3, carry: &carry)
        w3 = number.w4.multiplied(by: digit, adding: w4, carry: &carry)
        w4 = number.w5.multiplied(by: digit, adding: w5, carry: &carry)
        w5 = carry
        return lowest
    }

    /// Returns left · right / R mod modulus with R = 2^384, for two numbers below the modulus and -modulus⁻¹ mod 2^64:
    /// Montgomery multiplication (Mathematics of Computation 44, 1985).
    ///
    /// The algorithm adds the multiple of the modulus that makes the lowest limb of the product's low half zero,
    /// removes that limb, and repeats this for every limb. The reduced low half is at most the modulus, so one
    /// subtraction is sufficient after the high half is added.
    @inline(__always)
    package static func montgomeryProduct(
        _ left: UInt384, _ right: UInt384, modulo modulus: UInt384, negatedInverse: UInt64
    ) -> UInt384 {
        var (low, high) = (UInt384.zero, UInt384.zero)
        low.w0 = high.addRow(left, times: right.w0)
        low.w1 = high.addRow(left, times: right.w1)
        low.w2 = high.addRow(left, times: right.w2)
        low.w3 = high.addRow(left, times: right.w3)
        low.w4 = high.addRow(left, times: right.w4)
        low.w5 = high.addRow(left, times: right.w5)
        _ = low.addRow(modulus, times: low.w0 &* negatedInverse)
        _ = low.addRow(modulus, times: low.w0 &* negatedInverse)
        _ = low.addRow(modulus, times: low.w0 &* negatedInverse)
        _ = low.addRow(modulus, times: low.w0 &* negatedInverse)
        _ = low.addRow(modulus, times: low.w0 &* negatedInverse)
        _ = low.addRow(modulus, times: low.w0 &* negatedInverse)
        return sum(low, high, modulo: modulus)
    }

    /// Returns whether the left number is less than the right number.
    package static func < (left: UInt384, right: UInt384) -> Bool {
        var borrow: UInt64 = 0
        _ = left.w0.subtracting(right.w0, borrow: &borrow)
        _ = left.w1.subtracting(right.w1, borrow: &borrow)
        _ = left.w2.subtracting(right.w2, borrow: &borrow)
        _ = left.w3.subtracting(right.w3, borrow: &borrow)
        _ = left.w4.subtracting(right.w4, borrow: &borrow)
        _ = left.w5.subtracting(right.w5, borrow: &borrow)
        return borrow != 0
    }
}
