package import Foundation

/// The output of a command: lines for the reader on standard output, and errors on standard error.
///
/// Lines are wrapped to the width of the terminal. Control characters are replaced, so that names in a file can't
/// move the cursor.
package struct Console: Sendable {
    /// The appearance of a part of a line on a terminal with colors.
    package enum Style: String, Sendable, CaseIterable {
        case plain = ""
        case heading = "1"
        case quiet = "2"
        case good = "32"
        case bad = "31"
        case speaker = "36"
    }

    /// A part of a line.
    package struct Span: Sendable, Hashable {
        let text: String
        let style: Style

        package init(_ text: String, _ style: Style = .plain) {
            self.text = text
            self.style = style
        }
    }

    /// The width of standard output, in columns; at least 40.
    package let columns: Int
    /// Reads up to a number of bytes from standard input.
    let standardInput: @Sendable (_ count: Int) throws -> Data
    private let errorColumns: Int?
    private let isColored: Bool
    private let isInteractive: Bool
    private var isPaced = false
    private let write: @Sendable (String) -> Void
    private let writeError: @Sendable (String) -> Void
    private let wait: @Sendable (Double) -> Void

    /// Creates a console.
    ///
    /// - Parameters:
    ///   - columns: The width of standard output. Values below 40 are treated as 40.
    ///   - errorColumns: The width to which errors are wrapped; `nil` prints each error on one line.
    ///   - isColored: Whether to use colors.
    ///   - standardInput: Reads up to a number of bytes; by default, standard input is empty.
    ///   - isInteractive: Whether a person reads the output while it's printed.
    ///   - write: Receives whole lines with their line feed.
    ///   - writeError: Receives errors, with their line feed.
    ///   - wait: Waits for a number of seconds.
    package init(
        columns: Int = 80, errorColumns: Int? = nil, isColored: Bool, isInteractive: Bool = false,
        standardInput: @escaping @Sendable (_ count: Int) throws -> Data = { _ in Data() },
        write: @escaping @Sendable (String) -> Void, writeError: @escaping @Sendable (String) -> Void,
        wait: @escaping @Sendable (Double) -> Void = { _ in }
    ) {
        self.columns = max(40, columns)
        self.errorColumns = errorColumns.map { max(40, $0) }
        self.isInteractive = isInteractive
        self.standardInput = standardInput
        self.isColored = isColored
        self.write = write
        self.writeError = writeError
        self.wait = wait
    }

    /// A console that prints at reading speed if it's a terminal.
    package var paced: Console {
        var console = self
        console.isPaced = isInteractive
        return console
    }

    /// Returns the time to read a line, in seconds: 0.25, plus 1 for each 30 characters, at most 2.
    package static func readingTime(of text: String) -> Double {
        text.isEmpty ? 0.5 : min(2, 0.25 + Double(text.count) / 30)
    }

    /// Prints a line. A long line continues below its first word.
    package func line(_ spans: Span...) {
        line(spans)
    }

    /// Prints a line.
    ///
    /// - Parameters:
    ///   - spans: The parts of the line.
    ///   - indent: The indentation of the lines that continue a long line; by default that of the line.
    package func line(_ spans: [Span], indent: Int? = nil) {
        let indent = indent ?? spans.first?.text.prefix { $0 == " " }.count ?? 0
        for line in spans.wrapped(to: columns, indent: indent) { write(line.map(rendered).joined() + "\n") }
        if isPaced { wait(Self.readingTime(of: spans.map(\.text).joined())) }
    }

    /// Prints lines.
    package func lines(_ lines: [String], _ style: Style = .plain) {
        for text in lines { line(Span(text, style)) }
    }

    /// Prints lines that are for programs, without wrapping them.
    func verbatim(_ lines: [String]) {
        for text in lines { write(text.printable + "\n") }
    }

    /// Prints an error.
    package func error(_ text: String) {
        for line in [Span(text)].wrapped(to: errorColumns ?? .max, indent: 2) {
            writeError(line.map(\.text.printable).joined() + "\n")
        }
    }

    private func rendered(_ span: Span) -> String {
        let text = span.text.printable
        guard isColored, span.style != .plain, !text.isEmpty else { return text }
        return "\u{1B}[\(span.style.rawValue)m\(text)\u{1B}[0m"
    }
}
