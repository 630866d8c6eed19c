import AppReceipt
import AppStoreSimulator

/// The option `--plan`: whether subscriptions are bought on their monthly plan.
package struct MonthlyPlans: Sendable, Hashable {
    package let isOn: Bool

    static let option = ArgumentGrammar.Option(
        "--plan", value: "PLAN",
        "Buys subscriptions on this billing plan: up-front, or monthly with a 12-month commitment.")
    static let note =
        "With --plan monthly, an account in the United States or Singapore moves to Germany: these storefronts have no monthly plans."

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
        switch arguments["--plan"] ?? "up-front" {
        case "up-front": isOn = false
        case "monthly": isOn = true
        case let other: throw .usage("--plan takes up-front or monthly, not \(other.shown)")
        }
    }

    /// Returns the catalog, in a storefront that has the monthly plans if they're asked for.
    /// - Throws: ``CommandFailure`` with code ``ExitCode/failure`` if no product has a monthly plan.
    func catalog(_ catalog: SimulatedCatalog) throws(CommandFailure) -> SimulatedCatalog {
        guard isOn else { return catalog }
        var catalog = catalog
        if Self.products(in: catalog).isEmpty, let germany = SimulatedStorefront(countryCode: "DEU") {
            catalog.storefront = germany
        }
        guard !Self.products(in: catalog).isEmpty else {
            throw CommandFailure(.failure, "No subscription of the file has a monthly plan.")
        }
        return catalog
    }

    /// The products with a monthly plan that the storefront has.
    static func products(in catalog: SimulatedCatalog) -> [SimulatedProduct] {
        catalog.products.filter { $0.subscription?.monthlyPlan(in: catalog.storefront) != nil }
    }
}
