import AsyncStoreKit
import TestHarness
import Testing
import store

@Suite(.bounded) struct ProgressBarTests {
    private func drawn(redraws: Bool, _ fractions: [Double], ends: Bool = true) -> String {
        let text = Locked("")
        let console = Console(
            isColored: false, redraws: redraws, write: { piece in text.withLock { $0 += piece } }, writeError: { _ in })
        var bar = ProgressBar(console: console, lead: [.init("> ")], total: "4 kB")
        for fraction in fractions { bar.show(fraction) }
        if ends { bar.end() }
        return text.withLock { $0 }
    }

    @Test func `without a terminal, each quarter is a line`() {
        expectEqual(
            drawn(redraws: false, [0, 0.1, 0.25, 0.26, 0.5, 0.75, 1]),
            ">  25% of 4 kB\n>  50% of 4 kB\n>  75% of 4 kB\n> 100% of 4 kB\n")
    }

    @Test func `on a terminal the bar is drawn in place, and its line ends at 100%`() {
        let text = drawn(redraws: true, [0, 0.5, 1], ends: false)
        let frames = text.split(separator: "\r").map(String.init)
        expectEqual(frames.count, 21)
        #expect(text.hasPrefix("\r> ░░░░░░░░░░░░░░░░░░░░   0% of 4 kB\r> █░░░░░░░░░░░░░░░░░░░   5% of 4 kB\r"))
        #expect(text.hasSuffix("\r> ████████████████████ 100% of 4 kB\n"))
        expectEqual(Set(frames.dropLast().map(\.count)).count, 1, "all frames have the same width")
        expectEqual(text.filter { $0 == "\n" }.count, 1)
    }

    @Test(arguments: [false, true])
    func `skipped and repeated steps change nothing`(redraws: Bool) {
        let whole = drawn(redraws: redraws, (0...1000).map { Double($0) / 1000 })
        #expect(!whole.isEmpty)
        expectEqual(drawn(redraws: redraws, [0, 1]), whole)
        expectEqual(drawn(redraws: redraws, [0.3, 0.1, 0.3, 0.9, 0.2, 1, 1, 0]), whole)
    }

    @Test func `a bar that ends early leaves whole lines`() {
        expectEqual(drawn(redraws: true, [0]), "\r> ░░░░░░░░░░░░░░░░░░░░   0% of 4 kB\n")
        expectEqual(drawn(redraws: false, [0.3]), ">  25% of 4 kB\n")
        #expect(drawn(redraws: true, []).isEmpty)
    }

    @Test(arguments: [Double.nan, -1, -Double.infinity])
    func `an invalid fraction is treated as 0`(fraction: Double) {
        #expect(drawn(redraws: false, [fraction]).isEmpty)
    }

    @Test func `a fraction above 1 is treated as 1`() {
        #expect(drawn(redraws: false, [.infinity]).hasSuffix("100% of 4 kB\n"))
    }
}
