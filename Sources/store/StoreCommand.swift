/// The executable, which runs the command that its first argument names.
package enum StoreCommand {
    package static let version = "1.0.0-beta.1"

    private static let commands: [any Command.Type] = [
        DemoCommand.self, ReceiptCommand.self, CheckCommand.self,
    ]

    /// Runs the command that the arguments name.
    package static func run(_ arguments: [String], console: Console) async -> ExitCode {
        guard let name = arguments.first else {
            return refuse("the command is missing; the commands are \(names.joined(separator: ", "))", console)
        }
        let rest = arguments.dropFirst()
        switch name {
        case "--help", "-h", "help":
            guard name == "help", let topic = rest.first, topic != "--help", topic != "-h" else {
                console.lines(help(columns: console.columns))
                return .success
            }
            return await run(topic, ["--help"], console)
        case "--version":
            console.line(.init("store \(version)"))
            return .success
        default:
            return await run(name, Array(rest), console)
        }
    }

    private static func run(_ name: String, _ arguments: [String], _ console: Console) async -> ExitCode {
        guard let command = commands.first(where: { $0.grammar.command == name }) else {
            let kind = name.hasPrefix("-") ? "option" : "command"
            return refuse(
                "there is no \(kind) \(name.shown)\(name.suggestion(among: names + ["help", "--help", "--version"]))",
                console)
        }
        return await command.run(arguments, console: console)
    }

    private static var names: [String] { commands.map { $0.grammar.command } }

    private static func refuse(_ message: String, _ console: Console) -> ExitCode {
        console.error("store: \(message.followed(byHelpOf: "store"))")
        return .usage
    }

    private static func help(columns: Int) -> [String] {
        let table = ConsoleTable(
            rows: commands.map { [$0.grammar.command, $0.grammar.summary] } + [["--version", "Prints the version."]],
            indent: 2)
        return [
            "Usage: store COMMAND [ARGUMENTS]", "", "In-app purchases over a simulated App Store.", "", "Commands:",
        ]
            + table.lines(width: columns) + ["", "For the help of a command, use 'store COMMAND --help'."]
    }
}
