/// `store entitlements`: simulates a year of a customer, and draws the entitlements as a timeline.
package enum EntitlementsCommand: Command {
    package static let grammar = ArgumentGrammar(
        command: "entitlements",
        summary: "Plays a year of purchases, and draws the entitlements as a timeline.",
        options: [
            ConfigurationFile.option,
            .init("--script", value: "FILE", "The events of the year. The default is an included script."),
            MonthlyPlans.option,
            .init("--products", "Prints the products, levels, offers and storefront of the file, and plays nothing."),
            .init("--json", "Prints a JSON object instead of a drawing."),
        ],
        notes: [
            "A script has a line for each event: DAY ACTION PRODUCT.",
            "Days count from 0, in ascending order. # begins a comment.",
            "Actions: \(EntitlementScript.Action.allCases.map(\.rawValue).joined(separator: ", ")).",
            "decline-payments, accept-payments and grace-period apply to all later renewals, and take no product.",
            "Non-renewing subscriptions last \(EntitlementYear.nonRenewingDays) days.", MonthlyPlans.note,
        ])

    package static func run(_ arguments: ParsedArguments, console: Console) async throws(CommandFailure) -> ExitCode {
        let file = ConfigurationFile(arguments["--configuration"])
        let plans = try MonthlyPlans(arguments)
        let catalog = try plans.catalog(try file.catalog(console))
        if arguments.has("--products") {
            CatalogTable(catalog: catalog, name: file.name).print(on: console)
            return .success
        }
        let script: EntitlementScript
        if let path = arguments["--script"] {
            let text = String(decoding: try InputFile.read(path, as: "a script"), as: UTF8.self)
            script = try EntitlementScript(text, named: path, catalog)
        } else {
            script = EntitlementScript(for: catalog, plans)
        }
        let timeline = try await EntitlementYear(catalog, script, plans).play()
        if arguments.has("--json") {
            console.verbatim(EntitlementTimelineReport.lines(timeline, file: file.name))
        } else {
            timeline.draw(named: file.name, on: console)
        }
        return .success
    }
}
