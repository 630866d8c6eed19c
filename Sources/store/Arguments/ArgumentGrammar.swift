/// The arguments that a command understands.
package struct ArgumentGrammar: Sendable, Hashable {
    /// An argument that is told by its place.
    package struct Operand: Sendable, Hashable {
        let name: String
        let summary: String

        package init(_ name: String, _ summary: String) {
            self.name = name
            self.summary = summary
        }
    }

    /// An argument that is told by its name.
    package struct Option: Sendable, Hashable {
        /// With both dashes.
        let name: String
        /// What the help calls the value; `nil` for a flag, which has none.
        let value: String?
        let isRequired: Bool
        let summary: String

        package init(_ name: String, value: String? = nil, isRequired: Bool = false, _ summary: String) {
            self.name = name
            self.value = value
            self.isRequired = isRequired
            self.summary = summary
        }

        var usage: String { value.map { "\(name) \($0)" } ?? name }
    }

    /// The word by which the command is called.
    package let command: String
    /// What it does, in one line.
    package let summary: String
    let operands: [Operand]
    let options: [Option]
    /// What else the help says.
    let notes: [String]

    package init(command: String, summary: String, operands: [Operand] = [], options: [Option] = [], notes: [String] = []) {
        self.command = command
        self.summary = summary
        self.operands = operands
        self.options = options
        self.notes = notes
    }

    /// Whether help is wanted, whatever else is.
    package static func asksForHelp(_ arguments: [String]) -> Bool {
        arguments.prefix { $0 != "--" }.contains { $0 == "--help" || $0 == "-h" }
    }

    /// The help, line by line.
    package var help: [String] {
        let shown = options.map { $0.isRequired ? $0.usage : "[\($0.usage)]" }
        let usage = (["Usage: store \(command)"] + operands.map(\.name) + shown).joined(separator: " ")
        let rows =
            operands.map { ["  \($0.name)", $0.summary] } + options.map { ["  \($0.usage)", $0.summary] }
            + [["  -h, --help", "Prints this."]]
        return [usage, "", summary, "", "Arguments:"] + ConsoleTable(rows: rows).lines + (notes.isEmpty ? [] : [""] + notes)
    }
}
