/// Base64 (RFC 4648), with the same strict rules for receipts, tokens and certificates.
///
/// All characters must belong to the alphabet, and unused bits at the end must be zero. Otherwise, the whole text is
/// invalid. In the standard alphabet, white space is ignored, and padding is either correct or missing. The URL-safe
/// alphabet allows neither (RFC 7515, section 2).
package enum Base64 {
    package enum Alphabet: Sendable {
        /// RFC 4648, 4.
        case standard
        /// RFC 4648, 5: base64url.
        case urlSafe
    }

    /// Decodes a text, or returns the index of the first invalid byte, which is the end index for a truncated text.
    package static func decode(_ text: ArraySlice<UInt8>, _ alphabet: Alphabet) -> Result<[UInt8], Position> {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3 + 3)
        var bits: UInt32 = 0
        var count = 0
        var characters = 0
        var padding = 0
        let values = alphabet == .standard ? standardValues : urlSafeValues
        for index in text.indices {
            let value = values[Int(text[index])]
            if value < 64, padding == 0 {
                characters += 1
                bits = bits << 6 | UInt32(value)
                count += 6
                if count >= 8 {
                    count -= 8
                    bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
                    bits &= 1 << UInt32(count) - 1
                }
            } else if value == paddingValue, padding < 2 {
                padding += 1
            } else if value != spaceValue {
                return .failure(Position(index: index))
            }
        }
        guard count < 6, bits == 0, padding == 0 || (characters + padding) % 4 == 0 else {
            return .failure(Position(index: text.endIndex))
        }
        return .success(bytes)
    }

    /// The position of the first invalid byte.
    package struct Position: Error {
        package let index: Int
    }

    /// Decodes a string in the standard alphabet; `nil` for an invalid string.
    package static func decode(_ text: String) -> [UInt8]? {
        try? decode(Array(text.utf8)[...], .standard).get()
    }

    private static let invalidValue: UInt8 = 255
    private static let spaceValue: UInt8 = 254
    private static let paddingValue: UInt8 = 253

    private static let standardValues = values(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", padding: "=", spaces: " \t\r\n")
    private static let urlSafeValues = values(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_", padding: "", spaces: "")

    private static func values(_ alphabet: String, padding: String, spaces: String) -> [UInt8] {
        var values = [UInt8](repeating: invalidValue, count: 256)
        for (value, character) in alphabet.utf8.enumerated() { values[Int(character)] = UInt8(value) }
        for character in padding.utf8 { values[Int(character)] = paddingValue }
        for character in spaces.utf8 { values[Int(character)] = spaceValue }
        return values
    }
}
