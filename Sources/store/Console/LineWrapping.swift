extension [Console.Span] {
    /// Returns the line as one or more lines that fit a width.
    ///
    /// Lines break at spaces. Only a word that is longer than a line is broken inside.
    /// - Parameters:
    ///   - columns: The width.
    ///   - indent: The indentation of all lines but the first; at most half of the width is used.
    func wrapped(to columns: Int, indent: Int) -> [[Console.Span]] {
        let spans = map { Console.Span($0.text.printable, $0.style) }
        guard spans.reduce(0, { $0 + $1.text.columnCount }) > columns else { return [spans] }
        let letters = spans.flatMap { span in span.text.map { (character: $0, style: span.style) } }
        let indent = Swift.min(Swift.max(0, indent), columns / 2)
        var lines: [[Console.Span]] = []
        var start = 0
        while start < letters.count {
            let isFirst = lines.isEmpty
            var width = isFirst ? 0 : indent
            var end = start
            var lastSpace: Int?
            while end < letters.count {
                let next = width + String(letters[end].character).columnCount
                guard next <= columns else { break }
                // A line doesn't break inside its own indentation.
                if letters[end].character == " ", end > start + (isFirst ? indent : 0) { lastSpace = end }
                width = next
                end += 1
            }
            if end < letters.count, letters[end].character != " " { end = lastSpace ?? Swift.max(end, start + 1) }
            var line = letters[start..<end]
            while line.last?.character == " " { line.removeLast() }
            lines.append((isFirst ? [] : [Console.Span(String(repeating: " ", count: indent))]) + Self.spans(of: line))
            start = end
            while start < letters.count, letters[start].character == " " { start += 1 }
        }
        return lines
    }

    private static func spans(of letters: ArraySlice<(character: Character, style: Console.Style)>) -> [Console.Span] {
        var spans: [Console.Span] = []
        for letter in letters {
            if let last = spans.last, last.style == letter.style {
                spans[spans.count - 1] = Console.Span(last.text + String(letter.character), letter.style)
            } else {
                spans.append(Console.Span(String(letter.character), letter.style))
            }
        }
        return spans
    }
}

extension String {
    /// Returns the text as one or more lines that fit a width.
    func wrapped(to columns: Int, indent: Int = 0) -> [String] {
        [Console.Span(self)].wrapped(to: columns, indent: indent).map { $0.map(\.text).joined() }
    }
}
