import AppReceipt
import AppStoreSimulator

/// The option `--plan`: the billing plan of subscriptions.
package struct MonthlyPlans: Sendable, Hashable {
    package let isOn: Bool

    static let option = ArgumentGrammar.Option(
        "--plan", value: "PLAN",
        "The billing plan of subscriptions: up-front, or monthly with a 12-month commitment. The default is up-front.")
    static let note =
        "With --plan monthly, Germany replaces the storefronts of the United States and Singapore: "
        + "they have no monthly plans."

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
        switch arguments["--plan"] ?? "up-front" {
        case "up-front": isOn = false
        case "monthly": isOn = true
        case let other:
            throw .usage(
                "--plan takes up-front or monthly, not \(other.shown)\(other.suggestion(among: ["up-front", "monthly"]))"
            )
        }
    }

    /// Returns the catalog; with `--plan monthly`, in a storefront that has monthly plans.
    /// - Throws: ``CommandFailure`` with code ``ExitCode/failure`` if no product has a monthly plan.
    func catalog(_ catalog: SimulatedCatalog) throws(CommandFailure) -> SimulatedCatalog {
        guard isOn else { return catalog }
        var catalog = catalog
        if Self.products(in: catalog).isEmpty { catalog = Self.german(catalog) }
        guard !Self.products(in: catalog).isEmpty else {
            throw CommandFailure(.failure, "The configuration file has no subscription with a monthly plan.")
        }
        return catalog
    }

    /// Returns the products with a monthly plan in the storefront of the catalog.
    static func products(in catalog: SimulatedCatalog) -> [SimulatedProduct] {
        catalog.products.filter { $0.subscription?.monthlyPlan(in: catalog.storefront) != nil }
    }

    /// Returns the catalog in the storefront of Germany, which has monthly plans, with prices in euros.
    static func german(_ catalog: SimulatedCatalog) -> SimulatedCatalog {
        var catalog = catalog
        if let germany = SimulatedStorefront(countryCode: "DEU") { catalog.storefront = germany }
        catalog.localeIdentifier = "\(catalog.localeIdentifier.prefix { $0.isLetter })_DE"
        return catalog
    }
}
