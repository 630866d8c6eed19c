/// Takes digits and signs off the front of a text of ASCII bytes.
struct DigitScanner {
    private let text: ArraySlice<UInt8>
    private var position: Int

    init(_ text: ArraySlice<UInt8>) {
        self.text = text
        position = text.startIndex
    }

    var isAtEnd: Bool {
        position >= text.endIndex
    }

    private var digit: Int? {
        guard position < text.endIndex, (0x30...0x39).contains(text[position]) else { return nil }
        return Int(text[position] - 0x30)
    }

    /// Takes exactly `count` digits.
    mutating func number(_ count: Int) -> Int? {
        var value = 0
        for _ in 0..<count {
            guard let digit else { return nil }
            value = value * 10 + digit
            position += 1
        }
        return value
    }

    /// Takes one of `characters`.
    mutating func character(_ characters: StaticString) -> UInt8? {
        guard position < text.endIndex else { return nil }
        let next = text[position]
        guard characters.withUTF8Buffer({ $0.contains(next) }) else { return nil }
        position += 1
        return next
    }

    /// Takes the digits of a fraction of a second and returns it in nanoseconds; digits beyond the ninth are dropped.
    mutating func fraction() -> Int? {
        guard digit != nil else { return nil }
        var value = 0
        var unit = 100_000_000
        while let digit {
            value += digit * unit
            unit /= 10
            position += 1
        }
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
