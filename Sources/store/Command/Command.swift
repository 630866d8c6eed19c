/// A command of the executable.
package protocol Command: Sendable {
    /// The name of the command, its arguments, and its help.
    static var grammar: ArgumentGrammar { get }

    /// Runs the command. All output goes to the console.
    static func run(_ arguments: ParsedArguments, console: Console) async throws(CommandFailure) -> ExitCode
}

extension Command {
    /// Parses the arguments and runs the command; prints the help, or an error.
    package static func run(_ arguments: [String], console: Console) async -> ExitCode {
        let grammar = grammar
        guard !ArgumentGrammar.asksForHelp(arguments) else {
            console.lines(grammar.help(columns: console.columns))
            return .success
        }
        do throws(CommandFailure) {
            return try await run(try grammar.parse(arguments), console: console)
        } catch {
            let name = "store \(grammar.command)"
            console.error(
                "\(name): \(error.exitCode == .usage ? error.message.followed(byHelpOf: name) : error.message)")
            return error.exitCode
        }
    }
}

extension String {
    /// Returns the text as a sentence, followed by a sentence that says where the help is.
    func followed(byHelpOf command: String) -> String {
        "\(self)\(hasSuffix("?") ? "" : ".") See '\(command) --help'."
    }
}
