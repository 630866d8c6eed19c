extension UInt384 {
    /// Whether the number is zero.
    package var isZero: Bool { self == UInt384.zero }

    /// Returns the sum without the carry beyond the highest limb.
    package static func &+ (left: UInt384, right: UInt384) -> UInt384 {
        sum(left, right, modulo: zero)
    }

    /// Returns the difference, with a borrow from beyond the highest limb if necessary.
    package static func &- (left: UInt384, right: UInt384) -> UInt384 {
        difference(left, right, modulo: zero)
    }

    /// Creates a number from its lowest limb.
    package init(_ low: UInt64) {
        self = UInt384.zero
        self[0] = low
    }

    /// Creates a number from big-endian bytes of any length; `nil` if the number doesn't fit.
    package init?(bigEndian bytes: ArraySlice<UInt8>) {
        self = UInt384.zero
        var position = 0
        var index = bytes.endIndex
        while index > bytes.startIndex {
            index -= 1
            let byte = bytes[index]
            if position < 48 {
                self[position / 8] |= UInt64(truncatingIfNeeded: byte) &<< UInt64(truncatingIfNeeded: position % 8 * 8)
            } else if byte != 0 {
                return nil
            }
            position += 1
        }
    }

    /// Returns the low `count` bytes, big-endian.
    package func bigEndian(count: Int) -> [UInt8] {
        (0..<count).reversed().map { index in
            UInt8(truncatingIfNeeded: self[index / 8] &>> UInt64(truncatingIfNeeded: index % 8 * 8))
        }
    }

    /// Returns four bits as a number. Index 0 is the least significant digit.
    package func digit(at index: Int) -> Int {
        Int(truncatingIfNeeded: self[index / 16] &>> UInt64(truncatingIfNeeded: index % 16 * 4) & 15)
    }
}
