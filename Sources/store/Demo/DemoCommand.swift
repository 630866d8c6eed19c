import AppStoreSimulator
import AsyncStoreKit

/// `store demo`: a story over a simulated App Store, told as the app sees it.
package enum DemoCommand: Command {
    package static let grammar = ArgumentGrammar(
        command: "demo",
        summary: "Plays a story over a simulated App Store, and prints what the app sees.",
        options: [
            .init(
                "--configuration", value: "FILE", "What is for sale: a StoreKit configuration file (.storekit); one comes with the demo."),
            .init("--engine", value: "1|2", "Plays over StoreKit 1 or StoreKit 2; 1 unless given."),
            MonthlyPlans.option,
            .init("--pace", "On a terminal, plays at reading speed."),
        ],
        notes: [
            "The story decides how each payment ends; switches in the file's settings, such as Ask to Buy, do not count.",
            "Hosted content is downloaded on a clock that the story moves; one act runs an HTTP server of its own on 127.0.0.1.",
            "The promises are the same over either engine; what StoreKit 2 lacks, such as hosted content, is skipped.",
            "With --plan monthly, which needs --engine 2, one more act plays a commitment from its first month to its last.",
            MonthlyPlans.note,
            "On a terminal a progress bar grows in its place; elsewhere there is a line at each quarter.",
            "The same file gives the same story, word for word. NO_COLOR turns the colors off.",
            "Exit code: 0 played, 1 an act went wrong, 64 wrong arguments, 66 unusable file.",
        ])

    package static func run(_ arguments: ParsedArguments, console: Console) async throws(CommandFailure) -> ExitCode {
        let engine: StoreEngine
        switch arguments["--engine"] ?? "1" {
        case "1": engine = .storeKit1
        case "2": engine = .storeKit2
        case let other: throw .usage("--engine takes 1 or 2, for StoreKit 1 or StoreKit 2, not \(other.shown)")
        }
        let file = ConfigurationFile(arguments["--configuration"])
        let plans = try MonthlyPlans(arguments)
        guard !plans.isOn || engine == .storeKit2 else {
            throw .usage("--plan monthly needs --engine 2: StoreKit 1 has no billing plans")
        }
        var catalog = try file.catalog()
        guard !catalog.products.isEmpty else {
            console.line(.init("Nothing is for sale in \(file.name): it has no products, and so there is no story to play."))
            return .success
        }
        catalog = try plans.catalog(catalog)
        let console = arguments.flags.contains("--pace") ? console.paced : console
        return await DemoStory(catalog: catalog, fileName: file.name, engine: engine, plans: plans, console: console).play()
    }
}
