/// A number as the sum of digit · 2^position. Nonzero digits are odd and between -2^(width - 1) and 2^(width - 1), and
/// any `width` consecutive digits contain at most one nonzero digit (Guide to Elliptic Curve Cryptography, section
/// 3.3.1, "width-w NAF").
///
/// The caller provides the memory of the digits.
package struct NonAdjacentForm {
    private let digits: UnsafeMutableBufferPointer<Int8>

    /// Returns the maximum number of digits of a number with `bitWidth` bits, including a final carry.
    package static func capacity(bitWidth: Int) -> Int { bitWidth + 1 }

    /// Writes the digits of `number` to `memory` with the size ``capacity(bitWidth:)``. The width is at most eight.
    package init(_ number: some FixedLimbs, width: Int, in memory: UnsafeMutableBufferPointer<Int8>) {
        digits = memory
        digits.initialize(repeating: 0)
        var position = 0
        var carry = 0
        while position < digits.count {
            // A bit that equals the carry results in a zero digit: 0 + 0, or 1 + 1 with a new carry.
            guard number.bits(at: position, count: 1) != carry else {
                position += 1
                continue
            }
            let word = number.bits(at: position, count: width) + carry
            // Words in the upper half become negative digits with a carry.
            carry = word >> (width - 1) & 1
            digits[position] = Int8(truncatingIfNeeded: word - carry << width)
            position += width
        }
    }

    package subscript(position: Int) -> Int { Int(digits[position]) }
}
