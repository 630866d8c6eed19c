/// The executable as a whole: it hands over to the command that its first argument names.
package enum StoreCommand {
    private static let commands: [any Command.Type] = [
        DemoCommand.self, PurchaseCommand.self, ReceiptCommand.self, EntitlementsCommand.self, CheckCommand.self,
    ]

    /// Runs the command that the arguments name.
    package static func run(_ arguments: [String], console: Console) async -> ExitCode {
        guard let name = arguments.first else {
            return refuse("no command is given; there is \(names.joined(separator: ", "))", console)
        }
        let rest = arguments.dropFirst()
        switch name {
        case "--help", "-h", "help":
            guard name == "help", let topic = rest.first else {
                console.lines(help)
                return .success
            }
            return await run(topic, ["--help"], console)
        default:
            return await run(name, Array(rest), console)
        }
    }

    private static func run(_ name: String, _ arguments: [String], _ console: Console) async -> ExitCode {
        guard let command = commands.first(where: { $0.grammar.command == name }) else {
            let kind = name.hasPrefix("-") ? "option" : "command"
            return refuse("there is no \(kind) \(name.shown)\(name.suggestion(among: names + ["help", "--help"]))", console)
        }
        return await command.run(arguments, console: console)
    }

    private static var names: [String] { commands.map { $0.grammar.command } }

    private static func refuse(_ message: String, _ console: Console) -> ExitCode {
        console.error("store: \(message.followed(byHelpOf: "store"))")
        return .usage
    }

    private static var help: [String] {
        let table = ConsoleTable(rows: commands.map { ["  \($0.grammar.command)", $0.grammar.summary] })
        return ["Usage: store COMMAND [ARGUMENTS]", "", "In-app purchases over a simulated App Store.", "", "Commands:"] + table.lines
            + ["", "'store COMMAND --help' says more about a command."]
    }
}
