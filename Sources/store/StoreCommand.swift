/// The executable as a whole: it hands over to the command that its first argument names.
package enum StoreCommand {
    private struct Entry: Sendable {
        let name: String
        let summary: String
        let run: @Sendable ([String], Console) async -> ExitCode
    }

    private static let commands = [
        Entry(name: DemoCommand.grammar.command, summary: DemoCommand.grammar.summary) { await DemoCommand.run($0, console: $1) },
        Entry(name: PurchaseCommand.grammar.command, summary: PurchaseCommand.grammar.summary) {
            await PurchaseCommand.run($0, console: $1)
        },
        Entry(name: "receipt", summary: "Says what a receipt is, what it says and whether it can be believed.") {
            inspectReceipt($0, $1)
        },
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
        guard let command = commands.first(where: { $0.name == name }) else {
            let kind = name.hasPrefix("-") ? "option" : "command"
            return refuse("there is no \(kind) \(name.shown)\(name.suggestion(among: names + ["help", "--help"]))", console)
        }
        return await command.run(arguments, console)
    }

    private static func inspectReceipt(_ arguments: [String], _ console: Console) -> ExitCode {
        let code = ReceiptCommand.run(
            arguments,
            output: { text in
                console.lines(text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
            },
            errorOutput: { text in
                // What follows the first line is the help, for which one has to ask.
                let lines = text.split(separator: "\n", maxSplits: 1).map(String.init)
                guard let first = lines.first else { return }
                console.error(lines.count > 1 ? first.followed(byHelpOf: "store receipt") : first)
            })
        return ExitCode(rawValue: code) ?? .failure
    }

    private static var names: [String] { commands.map(\.name) }

    private static func refuse(_ message: String, _ console: Console) -> ExitCode {
        console.error("store: \(message.followed(byHelpOf: "store"))")
        return .usage
    }

    private static var help: [String] {
        let table = ConsoleTable(rows: commands.map { ["  \($0.name)", $0.summary] })
        return ["Usage: store COMMAND [ARGUMENTS]", "", "In-app purchases over a simulated App Store.", "", "Commands:"] + table.lines
            + ["", "'store COMMAND --help' says more about a command."]
    }
}
