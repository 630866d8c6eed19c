extension String {
    /// The text with a replacement character for each character that controls a terminal.
    var printable: String {
        guard unicodeScalars.contains(where: \.isControlling) else { return self }
        var scalars = UnicodeScalarView()
        for scalar in unicodeScalars { scalars.append(scalar.isControlling ? "\u{FFFD}" : scalar) }
        return String(scalars)
    }

    /// The text of a JSON value, with the characters that control a terminal escaped as four hexadecimal digits.
    var escapedForJSON: String {
        guard unicodeScalars.contains(where: \.isControlling) else { return self }
        return unicodeScalars.reduce(into: "") { text, scalar in
            guard scalar.isControlling else { return text.unicodeScalars.append(scalar) }
            let digits = String(scalar.value, radix: 16)
            text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
    }

    /// The width of the text on a terminal, in columns.
    var columnCount: Int {
        reduce(0) { $0 + $1.columnCount }
    }
}

extension Unicode.Scalar {
    /// Whether the character controls a terminal: control characters, line separators, changes of direction.
    fileprivate var isControlling: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: Self.directions.contains { $0.contains(value) }
        }
    }

    // The characters with Unicode's property Bidi_Control.
    private static let directions: [ClosedRange<UInt32>] = [
        0x061C...0x061C, 0x200E...0x200F, 0x202A...0x202E, 0x2066...0x2069,
    ]

    // Blocks whose characters are all wide or full-width in Unicode's EastAsianWidth.txt.
    private static let wideBlocks: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
        0xFF00...0xFF60,
        0xFFE0...0xFFE6, 0x20000...0x3FFFD,
    ]

    fileprivate var isWide: Bool {
        properties.isEmojiPresentation || Self.wideBlocks.contains { $0.contains(value) }
    }
}

extension Character {
    fileprivate var columnCount: Int {
        let scalars = unicodeScalars
        // U+FE0F selects the picture of an emoji.
        if scalars.contains(where: { $0.isWide || $0.value == 0xFE0F }) { return 2 }
        guard let first = scalars.first else { return 0 }
        switch first.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: return 1
        }
    }
}
