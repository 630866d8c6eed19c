/// The arguments of a command.
package struct ArgumentGrammar: Sendable, Hashable {
    /// An argument that is identified by its position.
    package struct Operand: Sendable, Hashable {
        let name: String
        let isRequired: Bool
        let summary: String

        /// Optional operands come last.
        package init(_ name: String, isRequired: Bool = true, _ summary: String) {
            self.name = name
            self.isRequired = isRequired
            self.summary = summary
        }
    }

    /// An argument that is identified by its name.
    package struct Option: Sendable, Hashable {
        /// The name, with both dashes.
        let name: String
        /// The placeholder for the value in the help; `nil` for a flag, which has no value.
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

    /// The name of the command.
    package let command: String
    /// A one-line description.
    package let summary: String
    let operands: [Operand]
    let options: [Option]
    /// Sentences at the end of the help.
    let notes: [String]

    package init(
        command: String, summary: String, operands: [Operand] = [], options: [Option] = [], notes: [String] = []
    ) {
        self.command = command
        self.summary = summary
        self.operands = operands
        self.options = options
        self.notes = notes
    }

    /// Returns whether the arguments contain a request for help, valid or not otherwise.
    package static func asksForHelp(_ arguments: [String]) -> Bool {
        arguments.prefix { $0 != "--" }.contains { $0 == "--help" || $0 == "-h" }
    }

    /// Returns the lines of the help.
    ///
    /// - Parameter columns: The width of the terminal.
    package func help(columns: Int) -> [String] {
        let shown = options.map { ($0.isRequired ? $0.usage : "[\($0.usage)]").replacingCharacter(" ", with: "\u{A0}") }
        let names = operands.map { $0.isRequired ? $0.name : "[\($0.name)]" }
        let usage = (["Usage: store \(command)"] + names + shown).joined(separator: " ")
        let rows =
            operands.map { [$0.name, $0.summary] } + options.map { [$0.usage, $0.summary] } + [
                ["-h, --help", "Prints this help."]
            ]
        // The line doesn't break inside an option.
        let line = usage.wrapped(to: columns, indent: 7).map { $0.replacingCharacter("\u{A0}", with: " ") }
        return line + ["", summary, "", "Arguments:"]
            + ConsoleTable(rows: rows, indent: 2).lines(width: columns) + (notes.isEmpty ? [] : [""] + notes)
    }
}

extension ArgumentGrammar {
    /// Parses arguments: `--name value`, `--name=value`, flags, and operands. All arguments after `--` are operands.
    /// - Throws: ``CommandFailure`` that names the first wrong argument.
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
        if let missing = operands.dropFirst(parsed.operands.count).first, missing.isRequired {
            throw .usage("\(missing.name) is missing")
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
        guard parsed[name] == nil, !parsed.has(name) else { throw .usage("\(name) appears twice") }
        guard let placeholder = option.value else {
            guard parts.count == 1 else { throw .usage("\(name) takes no value, not \(parts[1].shown)") }
            parsed.flags.insert(name)
            return
        }
        let value: String
        if parts.count > 1 {
            value = parts[1]
        } else {
            // A value may begin with one dash, such as a negative number.
            guard let next = rest.first, !next.hasPrefix("--") else {
                throw .usage("\(name) needs a value: \(name) \(placeholder)")
            }
            value = next
            rest.removeFirst()
        }
        guard !value.isEmpty else { throw .usage("the value of \(name) is empty; expected \(placeholder)") }
        parsed.values[name] = value
    }
}

package struct ParsedArguments: Sendable, Hashable {
    /// The operands, in order.
    package var operands: [String] = []
    /// The values of the options, by name.
    package var values: [String: String] = [:]
    package var flags: Set<String> = []

    package init(operands: [String] = [], values: [String: String] = [:], flags: Set<String> = []) {
        self.operands = operands
        self.values = values
        self.flags = flags
    }

    /// Returns the value of an option.
    package subscript(name: String) -> String? { values[name] }

    /// Returns whether a flag is set.
    package func has(_ flag: String) -> Bool { flags.contains(flag) }
}

extension String {
    fileprivate func replacingCharacter(_ old: Character, with new: Character) -> String {
        String(map { $0 == old ? new : $0 })
    }
}
