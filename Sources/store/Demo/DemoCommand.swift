import AppStoreSimulator
import AsyncStoreKit
import Foundation

/// `store demo`: makes purchases in a simulated App Store and prints what an app sees.
package enum DemoCommand: Command {
    package static let grammar = ArgumentGrammar(
        command: "demo",
        summary: "Plays purchases in a simulated App Store, and prints what an app sees.",
        options: [
            EngineOption.option,
            .init("--pace", "Prints at reading speed, on a terminal."),
        ],
        notes: [
            "Only StoreKit 2 has a grace period and a 12-month commitment.",
            "The App Store's clock is simulated: months pass at once.",
            "The output is the same in every run. NO_COLOR turns colors off.",
            "Exit codes: 0 success, 1 a scene failed, 64 wrong arguments.",
        ])

    package static func run(_ arguments: ParsedArguments, console: Console) async throws(CommandFailure) -> ExitCode {
        let engine = try EngineOption.engine(arguments)
        let catalog = try catalog()
        let console = arguments.has("--pace") ? console.paced : console
        return await DemoStory(catalog: catalog, engine: engine, console: console).play()
    }

    /// Returns the products of the StoreKit configuration file that is part of the executable.
    private static func catalog() throws(CommandFailure) -> SimulatedCatalog {
        do throws(SimulatedCatalogError) {
            return try SimulatedCatalog(data: Data(PackageResources.Demo_storekit))
        } catch {
            throw CommandFailure(.noInput, "Demo.storekit: \("\(error)".asSentence)")
        }
    }
}
