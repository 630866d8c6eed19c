/// Takes digits and signs off the front of a text of ASCII bytes.
struct DigitScanner {
    private var rest: ArraySlice<UInt8>

    init(_ text: ArraySlice<UInt8>) {
        rest = text
    }

    var isAtEnd: Bool {
        rest.isEmpty
    }

    /// Takes exactly `count` digits.
    mutating func number(_ count: Int) -> Int? {
        guard rest.count >= count else { return nil }
        var value = 0
        for byte in rest.prefix(count) {
            guard (0x30...0x39).contains(byte) else { return nil }
            value = value * 10 + Int(byte - 0x30)
        }
        rest = rest.dropFirst(count)
        return value
    }

    /// Takes one of `characters`.
    mutating func character(_ characters: StaticString) -> UInt8? {
        guard let first = rest.first, characters.withUTF8Buffer({ $0.contains(first) }) else { return nil }
        rest = rest.dropFirst()
        return first
    }

    /// Takes the digits of a fraction of a second and returns it in nanoseconds; digits beyond the ninth are dropped.
    mutating func fraction() -> Int? {
        let digits = rest.prefix { (0x30...0x39).contains($0) }
        guard !digits.isEmpty else { return nil }
        var value = 0
        for index in 0..<9 {
            value = value * 10 + (index < digits.count ? Int(digits[digits.startIndex + index] - 0x30) : 0)
        }
        rest = rest.dropFirst(digits.count)
        return value
    }

    /// Takes `Z`, `+hh:mm`, `+hhmm` or `+hh`, and returns the offset in seconds.
    mutating func zone() -> Int? {
        guard let sign = character("Zz+-") else { return nil }
        guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return 0 }
        guard let hours = number(2), hours <= 23 else { return nil }
        var minutes = 0
        if !isAtEnd {
            _ = character(":")
            guard let value = number(2), value <= 59 else { return nil }
            minutes = value
        }
        return (hours * 3_600 + minutes * 60) * (sign == UInt8(ascii: "-") ? -1 : 1)
    }
}
