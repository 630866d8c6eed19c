/// Returns the bytes of pairs of hexadecimal digits. Other characters are skipped.
func bytes(_ hexadecimal: String) -> [UInt8] {
    let digits = hexadecimal.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
    return stride(from: 0, to: digits.count - digits.count % 2, by: 2).map { place -> UInt8 in
        UInt8(digits[place] * 16 + digits[place + 1])
    }
}
