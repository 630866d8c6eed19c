/// Shows progress: on a terminal as a bar that is drawn in place, elsewhere as a line for each quarter.
///
/// The output for progress from 0 to 1 is always the same, whatever steps are reported on the way.
package struct ProgressBar {
    private let console: Console
    private let lead: [Console.Span]
    private let total: String
    private let width: Int
    private var drawn = -1
    private var isOpen = false

    /// Creates a progress bar.
    ///
    /// - Parameters:
    ///   - console: The console.
    ///   - lead: The text before the bar.
    ///   - total: The whole amount, such as `18 MB`.
    package init(console: Console, lead: [Console.Span], total: String) {
        self.console = console
        self.lead = lead
        self.total = total
        let others = lead.reduce(0) { $0 + $1.text.columnCount } + " 100% of \(total)".columnCount
        // A terminal may break a line that fills its last column.
        width = max(5, min(20, console.columns - 1 - others))
    }

    /// Shows a fraction from 0 to 1. A smaller fraction than before changes nothing.
    package mutating func show(_ fraction: Double) {
        // NaN isn't greater than 0 and is treated as 0.
        let percent = fraction > 0 ? Int((min(fraction, 1) * 100).rounded()) : 0
        let step = console.redraws ? 5 : 25
        let start = drawn < 0 ? 0 : drawn + step
        for mark in stride(from: start, through: percent, by: step) {
            draw(mark)
            drawn = mark
        }
        if drawn == 100 { end() }
    }

    /// Ends the line of the bar, if there is one. Call it before you print anything else.
    package mutating func end() {
        guard isOpen else { return }
        isOpen = false
        console.line()
    }

    private mutating func draw(_ percent: Int) {
        let number = "\(percent)"
        let text = String(repeating: " ", count: max(0, 3 - number.count)) + "\(number)% of \(total)"
        guard console.redraws else {
            if percent > 0 { console.line(lead + [.init(text)]) }
            return
        }
        let filled = percent * width / 100
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
        console.redraw(lead + [.init(bar, .good), .init(" " + text)])
        isOpen = true
    }
}
