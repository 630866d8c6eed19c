import TestHarness
import Testing

@testable import store

@Suite(.bounded) struct WidthTests {
    private static let helps = [["--help"], ["demo", "--help"], ["receipt", "--help"], ["check", "--help"]]

    @Test(arguments: helps, [40, 80, 120])
    func `no line of a help is wider than the terminal`(arguments: [String], columns: Int) async {
        let run = await CommandRun.of(arguments, columns: columns)
        expectEqual(run.code, .success)
        for line in run.lines { #expect(line.columnCount <= columns, "\(line)") }
        #expect(run.output.filter { !$0.isWhitespace }.count > 100, "there is output at \(columns) columns")
    }

    /// A play of the demo takes seconds, and its lines are the same at every width until the console draws them.
    @Test(arguments: [["demo"], ["demo", "--engine", "1"]], [40, 80, 120])
    func `the demo is drawn whole, and no line is wider than the terminal`(arguments: [String], columns: Int) async {
        let played = await CommandRun.shared(arguments)
        let drawn = CommandRun.recording(columns: columns) { console in
            console.lines(played.lines)
            return .success
        }
        for line in drawn.lines { #expect(line.columnCount <= columns, "\(line)") }
        expectEqual(drawn.output.filter { !$0.isWhitespace }, played.output.filter { !$0.isWhitespace })
    }

    @Test(arguments: [
        ("one two three", 40, 0, ["one two three"]), ("one two three", 7, 2, ["one two", "  three"]),
        ("one two three", 3, 0, ["one", "two", "thr", "ee"]), ("   a  bb cc", 8, 6, ["   a  bb", "    cc"]),
        ("日本語日本語", 6, 0, ["日本語", "日本語"]), ("", 40, 4, [""]), ("a    b", 5, 0, ["a", "b"]),
    ])
    func `lines break at spaces, and long words inside`(text: String, columns: Int, indent: Int, lines: [String]) {
        expectEqual(text.wrapped(to: columns, indent: indent), lines)
    }

    @Test func `wrapping keeps the style of each part`() {
        let spans: [Console.Span] = [.init("   app ", .speaker), .init("is ready", .good)]
        expectEqual(spans.wrapped(to: 10, indent: 7).map { $0.map(\.style) }, [[.speaker, .good], [.plain, .good]])
    }

    @Test(
        arguments: [
            (120, [:], 120), (nil, [:], 80), (nil, ["COLUMNS": "100"], 100), (50, ["COLUMNS": "100"], 50),
            (nil, ["COLUMNS": "x"], 80),
            (nil, ["COLUMNS": "-1"], 80), (0, [:], 80),
        ] as [(Int?, [String: String], Int)])
    func `the width is the terminal's, or else that of COLUMNS, or else 80`(
        terminal: Int?, environment: [String: String], expected: Int
    ) {
        expectEqual(Console.columns(ofTerminal: terminal, environment: environment), expected)
    }

    @Test func `a terminal that is narrower than 40 columns is treated as 40`() {
        expectEqual(Console(columns: 7, isColored: false, write: { _ in }, writeError: { _ in }).columns, 40)
    }
}
