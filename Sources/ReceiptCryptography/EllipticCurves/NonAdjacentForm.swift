/// A number as the sum of digit · 2^position with odd digits between -2^(width - 1) and 2^(width - 1), of which any `width` in a row have
/// at most one that is not zero (Guide to Elliptic Curve Cryptography, 3.3.1, "width-w NAF").
///
/// The digits lie in memory that the caller lends.
package struct NonAdjacentForm {
    private let digits: UnsafeMutableBufferPointer<Int8>

    /// How many digits a number of `bitWidth` bits may have: the last one may be carried into a place of its own.
    package static func capacity(bitWidth: Int) -> Int { bitWidth + 1 }

    /// Writes the digits of `number` into `memory`, which has room for ``capacity(bitWidth:)`` of them; the width is at most eight.
    package init(_ number: some FixedLimbs, width: Int, in memory: UnsafeMutableBufferPointer<Int8>) {
        digits = memory
        digits.initialize(repeating: 0)
        var position = 0
        var carry = 0
        while position < digits.count {
            // A bit equal to the carry leaves a zero here: 0 + 0, or 1 + 1 with the carry handed on.
            guard number.bits(at: position, count: 1) != carry else {
                position += 1
                continue
            }
            let word = number.bits(at: position, count: width) + carry
            // The upper half of the words is taken as negative digits, and what that lacks is carried.
            carry = word >> (width - 1) & 1
            digits[position] = Int8(truncatingIfNeeded: word - carry << width)
            position += width
        }
    }

    package subscript(position: Int) -> Int { Int(digits[position]) }
}
