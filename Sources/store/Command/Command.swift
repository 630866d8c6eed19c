/// One of the things that the executable does.
package protocol Command: Sendable {
    /// The name, the arguments, and what the help says about them.
    static var grammar: ArgumentGrammar { get }

    /// Does it. Everything that it says goes to the console.
    static func run(_ arguments: ParsedArguments, console: Console) async throws(CommandFailure) -> ExitCode
}

extension Command {
    /// Reads the arguments and does what they ask for; prints the help, or one line about what is wrong.
    package static func run(_ arguments: [String], console: Console) async -> ExitCode {
        let grammar = grammar
        guard !ArgumentGrammar.asksForHelp(arguments) else {
            console.lines(grammar.help)
            return .success
        }
        do throws(CommandFailure) {
            return try await run(try grammar.parse(arguments), console: console)
        } catch {
            let name = "store \(grammar.command)"
            console.error("\(name): \(error.exitCode == .usage ? error.message.followed(byHelpOf: name) : error.message)")
            return error.exitCode
        }
    }
}

extension String {
    /// The text as a sentence, and after it where to get help.
    func followed(byHelpOf command: String) -> String {
        "\(self)\(hasSuffix("?") ? "" : ".") See '\(command) --help'."
    }
}
