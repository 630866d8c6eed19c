/// How far something is: a bar that grows in its place on a terminal, and elsewhere a line at each quarter.
///
/// The same way from 0 to 1 gives the same text, however many steps are reported on it.
package struct ProgressBar {
    // As many columns as there are steps of five in a hundred.
    private static let width = 20

    private let console: Console
    private let lead: [Console.Span]
    private let total: String
    private var drawn = -1
    private var isOpen = false

    /// - Parameters:
    ///   - lead: What stands before it on the line.
    ///   - total: How much it is in all, in words.
    package init(console: Console, lead: [Console.Span], total: String) {
        self.console = console
        self.lead = lead
        self.total = total
    }

    /// Shows how far it is, from 0 to 1. Going back is not shown.
    package mutating func show(_ fraction: Double) {
        // NaN compares as not greater, and counts as nothing.
        let percent = fraction > 0 ? Int((min(fraction, 1) * 100).rounded()) : 0
        let step = console.redraws ? 5 : 25
        let start = drawn < 0 ? 0 : drawn + step
        for mark in stride(from: start, through: percent, by: step) {
            draw(mark)
            drawn = mark
        }
        if drawn == 100 { end() }
    }

    /// Ends the line, if one is begun. To be called when nothing more is to be shown, for what else is printed.
    package mutating func end() {
        guard isOpen else { return }
        isOpen = false
        console.line()
    }

    private mutating func draw(_ percent: Int) {
        let number = "\(percent)"
        let text = String(repeating: " ", count: max(0, 3 - number.count)) + "\(number) % of \(total)"
        guard console.redraws else {
            if percent > 0 { console.line(lead + [.init(text)]) }
            return
        }
        let filled = percent * Self.width / 100
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: Self.width - filled)
        console.redraw(lead + [.init(bar, .good), .init(" " + text)])
        isOpen = true
    }
}
