/// Where a command speaks: lines for whoever reads, and lines about what went wrong.
///
/// Control characters in what it is given never reach the terminal: names in a file must not move the cursor.
package struct Console: Sendable {
    /// What a piece of a line is to look like, where there are colors.
    package enum Style: String, Sendable, CaseIterable {
        case plain = ""
        case heading = "1"
        case quiet = "2"
        case good = "32"
        case bad = "31"
        case speaker = "36"
    }

    /// A piece of a line.
    package struct Span: Sendable, Hashable {
        let text: String
        let style: Style

        package init(_ text: String, _ style: Style = .plain) {
            self.text = text
            self.style = style
        }
    }

    /// Whether a line that is not over can be drawn once more in its place.
    let redraws: Bool
    private let isColored: Bool
    private var isPaced = false
    private let write: @Sendable (String) -> Void
    private let writeError: @Sendable (String) -> Void
    private let wait: @Sendable (Double) -> Void

    /// A console that hands on whole lines, with their line feed; where it `redraws`, also lines that a carriage return begins
    /// and nothing ends yet.
    package init(
        isColored: Bool, redraws: Bool = false, write: @escaping @Sendable (String) -> Void,
        writeError: @escaping @Sendable (String) -> Void, wait: @escaping @Sendable (Double) -> Void = { _ in }
    ) {
        self.redraws = redraws
        self.isColored = isColored
        self.write = write
        self.writeError = writeError
        self.wait = wait
    }

    /// The same at reading speed, on a terminal; elsewhere nobody reads along.
    package var paced: Console {
        var console = self
        console.isPaced = redraws
        return console
    }

    /// How long it takes to read a line, in seconds: a moment to find it, and then thirty characters a second, at most two seconds.
    package static func readingTime(of text: String) -> Double {
        text.isEmpty ? 0.5 : min(2, 0.25 + Double(text.count) / 30)
    }

    /// Prints a line.
    package func line(_ spans: Span...) {
        line(spans)
    }

    /// Prints a line.
    package func line(_ spans: [Span]) {
        write(spans.map(rendered).joined() + "\n")
        if isPaced { wait(Self.readingTime(of: spans.map(\.text).joined())) }
    }

    /// Draws a line in the place of the one before it, which must not have been longer. ``line(_:)`` without anything ends it.
    func redraw(_ spans: [Span]) {
        write("\r" + spans.map(rendered).joined())
    }

    /// Prints lines.
    package func lines(_ lines: [String], _ style: Style = .plain) {
        for text in lines { line(Span(text, style)) }
    }

    /// Prints a line about what went wrong.
    package func error(_ text: String) {
        writeError(text.printable + "\n")
    }

    private func rendered(_ span: Span) -> String {
        let text = span.text.printable
        guard isColored, span.style != .plain, !text.isEmpty else { return text }
        return "\u{1B}[\(span.style.rawValue)m\(text)\u{1B}[0m"
    }
}
