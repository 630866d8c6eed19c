import AsyncStoreKit
import TestHarness
import Testing
import store

@Suite(.bounded) struct ConsoleTests {
    private func written(isColored: Bool, _ body: (Console) -> Void) -> String {
        let text = Locked("")
        body(
            Console(
                isColored: isColored, write: { line in text.withLock { $0 += line } },
                writeError: { line in text.withLock { $0 += line } })
        )
        return text.withLock { $0 }
    }

    @Test func `a color applies only to its part of the line`() {
        let colored = written(isColored: true) {
            $0.line(.init("a"), .init("b", .bad), .init("", .good), .init("c", .heading))
        }
        expectEqual(colored, "a\u{1B}[31mb\u{1B}[0m\u{1B}[1mc\u{1B}[0m\n")
    }

    @Test func `without colors there is only text`() {
        expectEqual(written(isColored: false) { $0.line(.init("a"), .init("b", .bad)) }, "ab\n")
    }

    @Test func `no output can control the terminal`() {
        let hostile = "a\u{1B}[2Jb\nc\rd\u{7}\u{9B}31m\u{202E}e\u{2028}"
        for isColored in [false, true] {
            let line = written(isColored: isColored) { $0.line(.init(hostile)) }
            expectEqual(line, "a�[2Jb�c�d��31m�e�\n")
        }
        expectEqual(written(isColored: true) { $0.error(hostile) }, "a�[2Jb�c�d��31m�e�\n")
    }

    @Test func `a paced terminal waits for the reading time of each line`() {
        let waits = Locked<[Double]>([])
        for (isInteractive, isPaced) in [(true, true), (true, false), (false, true)] {
            let console = Console(
                isColored: true, isInteractive: isInteractive, write: { _ in }, writeError: { _ in },
                wait: { seconds in waits.withLock { $0.append(seconds) } })
            let speaker = isPaced ? console.paced : console
            speaker.line(.init("a line of "), .init("twenty-six letters"))
            speaker.line()
        }
        expectEqual(waits.withLock { $0 }, [Console.readingTime(of: "a line of twenty-six letters"), 0.5])
    }

    @Test func `longer lines take longer to read, at most 2 seconds`() {
        let times = [1, 10, 30, 60, 10_000].map { Console.readingTime(of: String(repeating: "a", count: $0)) }
        #expect(times == times.sorted() && times[0] > 0.2 && times[2] == 1.25 && times[4] == 2)
    }

    @Test func `letters of all languages are printed`() {
        let text = "Größe 日本語 👩‍👩‍👧 עברית"
        expectEqual(written(isColored: false) { $0.line(.init(text)) }, "\(text)\n")
    }

    @Test(arguments: [
        (true, [:], true), (false, [:], false), (true, ["NO_COLOR": "1"], false), (true, ["NO_COLOR": ""], true),
        (true, ["TERM": "dumb"], false), (true, ["TERM": "xterm"], true), (false, ["TERM": "xterm"], false),
    ])
    func `colors are for terminals, and NO_COLOR turns them off`(
        isTerminal: Bool, environment: [String: String], expected: Bool
    ) {
        expectEqual(Console.wantsColors(isTerminal: isTerminal, environment: environment), expected)
    }

    @Test(arguments: [
        (true, [:], true), (false, [:], false), (true, ["TERM": "dumb"], false), (true, ["NO_COLOR": "1"], true),
    ])
    func `a terminal is interactive, colored or not`(
        isTerminal: Bool, environment: [String: String], expected: Bool
    ) {
        expectEqual(Console.isInteractive(isTerminal: isTerminal, environment: environment), expected)
    }
}
