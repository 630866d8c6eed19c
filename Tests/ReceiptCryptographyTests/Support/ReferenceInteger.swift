/// A number of any length with slow schoolbook arithmetic, as a reference for the arithmetic under test.
///
/// The reference shares no code with the arithmetic: its digits have sixteen bits, it doesn't use Montgomery's
/// representation, and it computes remainders bit by bit.
struct ReferenceInteger: Hashable {
    /// The digits, least significant digit first, without leading zeros.
    private var digits: [UInt32]

    private init(digits: [UInt32]) {
        self.digits = digits
        while self.digits.last == 0 { self.digits.removeLast() }
    }

    init(_ number: UInt32) {
        self.init(digits: [number & 0xFFFF, number >> 16])
    }

    init(bigEndian bytes: [UInt8]) {
        let bytes = bytes.count % 2 == 0 ? bytes : [0] + bytes
        self.init(
            digits: stride(from: bytes.count, to: 0, by: -2).map { UInt32(bytes[$0 - 2]) << 8 | UInt32(bytes[$0 - 1]) })
    }

    static func powerOfTwo(_ exponent: Int) -> ReferenceInteger {
        ReferenceInteger(digits: Array(repeating: 0, count: exponent / 16) + [1 << UInt32(exponent % 16)])
    }

    /// Returns the low `count` bytes.
    func bigEndian(count: Int) -> [UInt8] {
        (0..<count).reversed().map { index in
            index / 2 < digits.count ? UInt8(truncatingIfNeeded: digits[index / 2] >> UInt32(index % 2 * 8)) : 0
        }
    }

    static func + (left: ReferenceInteger, right: ReferenceInteger) -> ReferenceInteger {
        var sum: [UInt32] = []
        var carry: UInt32 = 0
        for index in 0..<max(left.digits.count, right.digits.count) {
            let total = left.digit(index) + right.digit(index) + carry
            sum.append(total & 0xFFFF)
            carry = total >> 16
        }
        return ReferenceInteger(digits: sum + [carry])
    }

    /// Returns the difference of a number and a number that isn't greater.
    static func - (left: ReferenceInteger, right: ReferenceInteger) -> ReferenceInteger {
        var difference: [UInt32] = []
        var borrow: UInt32 = 0
        for index in left.digits.indices {
            let total = 0x10000 + left.digit(index) - right.digit(index) - borrow
            difference.append(total & 0xFFFF)
            borrow = 1 - total >> 16
        }
        return ReferenceInteger(digits: difference)
    }

    static func * (left: ReferenceInteger, right: ReferenceInteger) -> ReferenceInteger {
        var product = [UInt32](repeating: 0, count: left.digits.count + right.digits.count)
        for (i, a) in left.digits.enumerated() {
            var carry: UInt32 = 0
            for (j, b) in right.digits.enumerated() {
                let total = a * b + product[i + j] + carry
                product[i + j] = total & 0xFFFF
                carry = total >> 16
            }
            product[i + right.digits.count] = carry
        }
        return ReferenceInteger(digits: product)
    }

    static func % (number: ReferenceInteger, modulus: ReferenceInteger) -> ReferenceInteger {
        var rest = ReferenceInteger(0)
        for digit in number.digits.reversed() {
            for bit in (0..<16).reversed() {
                rest.double(adding: digit >> UInt32(bit) & 1)
                if !(rest < modulus) { rest = rest - modulus }
            }
        }
        return rest
    }

    private mutating func double(adding bit: UInt32) {
        var carry = bit
        var index = 0
        while index < digits.count {
            let total = digits[index] << 1 | carry
            digits[index] = total & 0xFFFF
            carry = total >> 16
            index += 1
        }
        if carry != 0 { digits.append(carry) }
    }

    private func digit(_ index: Int) -> UInt32 { index < digits.count ? digits[index] : 0 }
}

extension ReferenceInteger: Comparable {
    static func < (left: ReferenceInteger, right: ReferenceInteger) -> Bool {
        if left.digits.count != right.digits.count { return left.digits.count < right.digits.count }
        var index = left.digits.count - 1
        while index > 0, left.digits[index] == right.digits[index] { index -= 1 }
        return index >= 0 && left.digits[index] < right.digits[index]
    }
}
