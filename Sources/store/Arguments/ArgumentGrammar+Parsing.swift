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
