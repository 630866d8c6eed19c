/// `store entitlements`: what a customer may use over a year, drawn as a timeline.
package enum EntitlementsCommand: Command {
    package static let grammar = ArgumentGrammar(
        command: "entitlements",
        summary: "Plays a year of purchases and draws what the customer may use, one line a product.",
        options: [
            .init("--configuration", value: "FILE", "The StoreKit configuration file; without it, one that is included."),
            .init("--script", value: "FILE", "What happens, instead of the year that is included."),
            MonthlyPlans.option,
            .init("--json", "Prints one JSON object instead of a drawing."),
        ],
        notes: [
            "A script has one line for each thing that happens: DAY ACTION PRODUCT. Days count from 0 and do not go back; # begins a comment.",
            "Actions: \(EntitlementScript.Action.allCases.map(\.rawValue).joined(separator: ", ")).",
            "decline-payments, accept-payments and grace-period are about every renewal from then on, and take no product.",
            "Non-renewing subscriptions last for \(EntitlementYear.nonRenewingDays) days.", MonthlyPlans.note,
        ])

    package static func run(_ arguments: ParsedArguments, console: Console) async throws(CommandFailure) -> ExitCode {
        let file = ConfigurationFile(arguments["--configuration"])
        let plans = try MonthlyPlans(arguments)
        let catalog = try plans.catalog(try file.catalog())
        let script: EntitlementScript
        if let path = arguments["--script"] {
            let text = String(decoding: try InputFile.read(path, as: "a script"), as: UTF8.self)
            script = try EntitlementScript(text, named: path, catalog)
        } else {
            script = EntitlementScript(for: catalog, plans)
        }
        let timeline = try await EntitlementYear(catalog, script, plans).play()
        if arguments.has("--json") {
            console.lines(EntitlementTimelineReport.lines(timeline, file: file.name))
        } else {
            timeline.draw(named: file.name, on: console)
        }
        return .success
    }
}
