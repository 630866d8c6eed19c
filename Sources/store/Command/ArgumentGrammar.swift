/// The arguments that a command understands.
package struct ArgumentGrammar: Sendable, Hashable {
    /// An argument that is known by its place.
    package struct Operand: Sendable, Hashable {
        let name: String
        let summary: String

        package init(_ name: String, _ summary: String) {
            self.name = name
            self.summary = summary
        }
    }

    /// An argument that is known by its name.
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

extension ArgumentGrammar {
    /// Sorts arguments out: `--name value`, `--name=value`, flags, operands; after `--` everything is an operand.
    /// - Throws: ``CommandFailure`` that names the first argument that is wrong.
    package func parse(_ arguments: [String]) throws(CommandFailure) -> ParsedArguments {
        var parsed = ParsedArguments()
        var rest = arguments[...]
        var optionsAreOver = false
        while let argument = rest.popFirst() {
            if optionsAreOver || !argument.hasPrefix("-") || argument == "-" {
                try addOperand(argument, to: &parsed)
            } else if argument == "--" {
                optionsAreOver = true
            } else {
                try addOption(argument, &rest, to: &parsed)
            }
        }
        if parsed.operands.count < operands.count {
            throw .usage("\(operands[parsed.operands.count].name) is missing")
        }
        if let missing = options.first(where: { $0.isRequired && parsed[$0.name] == nil }) {
            throw .usage("\(missing.usage) is missing")
        }
        return parsed
    }

    private func addOperand(_ argument: String, to parsed: inout ParsedArguments) throws(CommandFailure) {
        guard parsed.operands.count < operands.count else { throw .usage("unexpected argument \(argument.shown)") }
        guard !argument.isEmpty else { throw .usage("\(operands[parsed.operands.count].name) is empty") }
        parsed.operands.append(argument)
    }

    private func addOption(
        _ argument: String, _ rest: inout ArraySlice<String>, to parsed: inout ParsedArguments
    ) throws(CommandFailure) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let name = parts.first ?? argument
        guard let option = options.first(where: { $0.name == name }) else {
            throw .usage("there is no option \(name.shown)\(name.suggestion(among: options.map(\.name) + ["--help"]))")
        }
        guard parsed[name] == nil, !parsed.has(name) else { throw .usage("\(name) is given twice") }
        guard let placeholder = option.value else {
            guard parts.count == 1 else { throw .usage("\(name) takes no value, but is given \(parts[1].shown)") }
            parsed.flags.insert(name)
            return
        }
        let value: String
        if parts.count > 1 {
            value = parts[1]
        } else {
            // A value may begin with one dash, as a number below zero does.
            guard let next = rest.first, !next.hasPrefix("--") else { throw .usage("\(name) needs a value: \(name) \(placeholder)") }
            value = next
            rest.removeFirst()
        }
        guard !value.isEmpty else { throw .usage("\(name) is given an empty value; it needs \(placeholder)") }
        parsed.values[name] = value
    }
}

/// The arguments of a command, sorted out.
package struct ParsedArguments: Sendable, Hashable {
    /// Those that are known by their place, in order.
    package var operands: [String] = []
    /// The values of options, by the options' names.
    package var values: [String: String] = [:]
    /// The flags that are there.
    package var flags: Set<String> = []

    package init(operands: [String] = [], values: [String: String] = [:], flags: Set<String> = []) {
        self.operands = operands
        self.values = values
        self.flags = flags
    }

    /// The value of an option.
    package subscript(name: String) -> String? { values[name] }

    /// Whether a flag is there.
    package func has(_ flag: String) -> Bool { flags.contains(flag) }
}
