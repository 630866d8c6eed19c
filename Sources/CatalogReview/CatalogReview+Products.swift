import AppStoreSimulator
import Foundation

// Identifiers, prices and texts.
extension CatalogReview {
    var identifierFindings: [CatalogFinding] {
        var findings: [CatalogFinding] = []
        var declarations: [String: String] = [:]
        var spellings: [String: String] = [:]
        for product in products {
            let place = product.node.path(of: "productID")
            guard let id = product.id else {
                findings.append(.init(.identifierFormat, at: place, "The product has no identifier. Enter one."))
                continue
            }
            if let problem = Self.problem(ofIdentifier: id) {
                findings.append(
                    .init(.identifierFormat, at: place, "App Store Connect doesn't accept \(product.name): \(problem).")
                )
            }
            if let earlier = declarations[id] {
                findings.append(
                    .init(
                        .duplicateIdentifier, at: place,
                        "\(product.name) is also the identifier at \(earlier). Give each product its own identifier."))
            } else if let other = spellings[id.lowercased()] {
                findings.append(
                    .init(
                        .identifierCase, at: place,
                        "\(product.name) differs from \"\(other)\" only by case. Rename one of them."
                    ))
            }
            declarations[id] = declarations[id] ?? place
            spellings[id.lowercased()] = id
        }
        return findings
    }

    private static func problem(ofIdentifier id: String) -> String? {
        if id.utf8.count > 100 { return "it has \(id.count) characters, and 100 are allowed" }
        let other = id.first { !($0.isASCII && ($0.isLetter || $0.isNumber || "-._".contains($0))) }
        return other.map { "use letters, digits, hyphens, periods and underscores instead of \"\($0)\"" }
    }

    func priceFindings(_ product: ReviewedProduct) -> [CatalogFinding] {
        // With billing plans, the prices are theirs.
        let plans = product.billingPlans
        let prices =
            plans.isEmpty
            ? [(node: product.node, key: "displayPrice")]
            : plans.flatMap { plan in
                [(node: plan, key: "displayPrice")]
                    + (plan.isMonthlyPlan ? [(node: plan, key: "commitmentDisplayPrice")] : [])
            }
        let offers = product.offers.filter { $0.text("paymentMode") != "free" }
        return prices.flatMap { priceFindings($0.node, $0.key, of: product.name) }
            + offers.flatMap { priceFindings($0, "displayPrice", of: "An offer of \(product.name)") }
    }

    private func priceFindings(_ node: ConfigurationNode, _ key: String, of name: String) -> [CatalogFinding] {
        let place = node.path(of: key)
        guard let value = node.member(key), value.value != .string("") else {
            return [.init(.missingPrice, at: place, "\(name) has no price. Enter the price.")]
        }
        guard let price = try? value.price() else {
            var advice = "Write digits and a decimal point, such as 4.99."
            if case .string(let text) = value.value, text.contains(",") {
                advice = "The comma belongs to another locale. \(advice)"
            }
            return [.init(.priceFormat, at: place, "\(name) has the price \(value.value.summary). \(advice)")]
        }
        guard price == 0 else { return [] }
        return [
            .init(
                .zeroPrice, at: place,
                "\(name) costs nothing. Enter the price, or make it free on purpose, as the start of a trial.")
        ]
    }

    // The limits are those of App Store Connect and of product pages.
    private static let longestName = 35
    private static let longestDescription = 55
    private static let longestReferenceName = 64

    func textFindings(_ product: ReviewedProduct) -> [CatalogFinding] {
        var findings: [CatalogFinding] = []
        let isSynchronized = isSynchronized
        func check(_ node: ConfigurationNode, _ key: String, _ what: String, _ longest: Int) {
            guard !isSynchronized, let text = node.text(key), text.count > longest else { return }
            findings.append(
                .init(
                    .longText, at: node.path(of: key),
                    "\(what) of \(product.name) has \(text.count) characters. App Store Connect accepts \(longest)."))
        }
        check(product.node, "referenceName", "The reference name", Self.longestReferenceName)
        let texts = product.node.members("localizations")
        for text in texts {
            check(text, "displayName", "The display name", Self.longestName)
            check(text, "description", "The description", Self.longestDescription)
            let locale = text.text("locale") ?? "a locale without a name"
            let missing = [("displayName", "display name"), ("description", "description")].filter { key, _ in
                text.text(key)?.allSatisfy(\.isWhitespace) ?? true
            }
            guard let first = missing.first else { continue }
            findings.append(
                .init(
                    .missingLocalization, at: text.path(of: first.0),
                    "\(product.name) has no \(missing.map(\.1).joined(separator: " and no ")) for \(locale), which App Store Connect needs. Enter the text."
                ))
        }
        if texts.isEmpty {
            findings.append(
                .init(
                    .missingLocalization, at: product.node.path(of: "localizations"),
                    "\(product.name) has no localization. Add a display name and a description."))
        }
        return findings
    }

    /// Languages of at least half of the products that a product lacks.
    var languageFindings: [CatalogFinding] {
        let languages = products.map(Self.languages)
        let counts = Dictionary(languages.flatMap { $0.map { ($0, 1) } }, uniquingKeysWith: +)
        let common = counts.filter { $0.value * 2 >= products.count }.keys.sorted()
        return zip(products, languages).flatMap { product, own in
            common.filter { !own.isEmpty && !own.contains($0) }.map { language in
                CatalogFinding(
                    .missingLocalization, at: product.node.path(of: "localizations"),
                    "\(product.name) has no texts for \(language), which other products have. Add the localization.")
            }
        }
    }

    private static func languages(of product: ReviewedProduct) -> Set<String> {
        Set(
            product.node.members("localizations").compactMap {
                $0.text("locale")?.replacingOccurrences(of: "-", with: "_")
            })
    }
}

extension ConfigurationNode {
    /// Whether the node is a billing plan with monthly payments.
    var isMonthlyPlan: Bool { text("billingPlanType") == SimulatedBillingPlan.monthly.rawValue }
}
