public import AppStoreSimulator
public import Foundation

extension SimulatedCatalog {
    /// Returns the mistakes in the products, such as a missing text, an offer without a price, or two subscriptions of
    /// a group with the same level.
    ///
    /// Key paths are those that the products have in a StoreKit configuration file.
    ///
    /// - Parameter productIDs: The identifiers that the app uses. The result names those that the catalog doesn't
    ///   contain, and the products of the catalog that the app doesn't use. With `nil`, identifiers aren't compared.
    public func findings(for productIDs: [String]? = nil) -> [CatalogFinding] {
        let review = CatalogReview(root: ConfigurationWriter(self).root)
        return review.findings(now: Date()) + review.findings(forIdentifiers: productIDs)
    }

    /// Returns the mistakes in a StoreKit configuration file, including those that make reading the file throw, such as
    /// an identifier that occurs twice, and settings for tests that were left on.
    ///
    /// ```swift
    /// let findings = try SimulatedCatalog.findings(inFile: url, for: shop.productIDs)
    /// #expect(findings.isEmpty)
    /// ```
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - productIDs: The identifiers that the app uses; see ``findings(for:)``.
    /// - Throws: `SimulatedCatalogError` if the file can't be opened, isn't a StoreKit configuration file, or has an
    ///   unknown version.
    public static func findings(inFile url: URL, for productIDs: [String]? = nil) throws(SimulatedCatalogError)
        -> [CatalogFinding]
    {
        let data: Data
        do {
            data = try Data(contentsOf: url)
        } catch {
            throw SimulatedCatalogError(.unreadable, "\(url.path) cannot be read: \(error.localizedDescription)")
        }
        let review = try CatalogReview(data, path: url.path)
        return review.findings(now: Date()) + review.findings(forIdentifiers: productIDs)
    }
}

extension CatalogReview {
    fileprivate func findings(forIdentifiers productIDs: [String]?) -> [CatalogFinding] {
        guard let productIDs else { return [] }
        return findings(sources: [], listed: productIDs.map { SourceLiteral(product: $0, file: nil, line: nil) })
    }
}

/// Writes a catalog in the form of a configuration file.
private struct ConfigurationWriter {
    private typealias Value = ConfigurationNode.Value
    let root: ConfigurationNode

    init(_ catalog: SimulatedCatalog) {
        var members: [String: Value] = ["version": .object(["major": .number(6)])]
        let kinds: [(String, [SimulatedProduct.Kind])] = [
            ("products", [.consumable, .nonConsumable]), ("nonRenewingSubscriptions", [.nonRenewingSubscription]),
        ]
        for (key, kinds) in kinds {
            members[key] = .array(catalog.products.filter { kinds.contains($0.kind) }.map(Self.product))
        }
        var groups: [(id: String, products: [Value])] = []
        for product in catalog.products where product.kind == .autoRenewableSubscription {
            let id = product.subscription?.groupID ?? ""
            if let index = groups.firstIndex(where: { $0.id == id }) {
                groups[index].products.append(Self.product(product))
            } else {
                groups.append((id, [Self.product(product)]))
            }
        }
        members["subscriptionGroups"] = .array(
            groups.map { .object(["id": .string($0.id), "subscriptions": .array($0.products)]) })
        root = ConfigurationNode(value: .object(members), keyPath: "")
    }

    private static func product(_ product: SimulatedProduct) -> Value {
        let types: [SimulatedProduct.Kind: String] = [
            .consumable: "Consumable", .nonConsumable: "NonConsumable",
            .nonRenewingSubscription: "NonRenewingSubscription", .autoRenewableSubscription: "RecurringSubscription",
        ]
        var members: [String: Value] = [
            "productID": .string(product.productID), "type": .string(types[product.kind] ?? ""),
            "displayPrice": .number(product.price), "referenceName": .string(product.referenceName),
            "familyShareable": .bool(product.isFamilyShareable),
            "localizations": .array(
                product.localizations.map {
                    .object([
                        "locale": .string($0.localeIdentifier), "displayName": .string($0.displayName),
                        "description": .string($0.description),
                    ])
                }),
        ]
        guard let terms = product.subscription else { return .object(members) }
        members["groupNumber"] = .number(Decimal(terms.groupLevel))
        members["recurringSubscriptionPeriod"] = .string(text(terms.period))
        var plans: [Value] = []
        add(
            .upFront, terms.introductoryOffer, terms.promotionalOffers, terms.winBackOffers, terms.codeOffers,
            to: &members)
        if let plan = terms.monthlyPlan {
            plans = [
                .object([
                    "billingPlanType": .string(SimulatedBillingPlan.upFront.rawValue),
                    "displayPrice": .number(product.price),
                ]),
                .object([
                    "billingPlanType": .string(SimulatedBillingPlan.monthly.rawValue),
                    "displayPrice": .number(plan.price), "commitmentDisplayPrice": .number(plan.commitmentPrice),
                ]),
            ]
            add(
                .monthly, plan.introductoryOffer, plan.promotionalOffers, plan.winBackOffers, plan.codeOffers,
                to: &members)
        }
        members["billingPlans"] = .array(plans)
        return .object(members)
    }

    private static func add(
        _ plan: SimulatedBillingPlan, _ introductory: SimulatedSubscription.Offer?,
        _ promotional: [SimulatedSubscription.Offer], _ winBack: [SimulatedSubscription.Offer],
        _ code: [SimulatedSubscription.Offer], to members: inout [String: Value]
    ) {
        let lists = [
            ("introductoryOffers", introductory.map { [$0] } ?? [], "internalID"),
            ("adHocOffers", promotional, "offerID"),
            ("winbackOffers", winBack, "offerID"), ("codeOffers", code, "referenceName"),
        ]
        for (key, offers, idKey) in lists {
            var all: [Value] = []
            if case .array(let earlier)? = members[key] { all = earlier }
            members[key] = .array(all + offers.map { offer($0, of: plan, idKey) })
        }
    }

    private static func offer(_ offer: SimulatedSubscription.Offer, of plan: SimulatedBillingPlan, _ idKey: String)
        -> Value
    {
        let modes: [SimulatedSubscription.Offer.PaymentMode: String] = [
            .payAsYouGo: "payAsYouGo", .payUpFront: "payUpFront", .freeTrial: "free",
        ]
        return .object([
            idKey: .string(offer.id ?? ""), "paymentMode": .string(modes[offer.paymentMode] ?? ""),
            "displayPrice": .number(offer.price), "subscriptionPeriod": .string(text(offer.period)),
            "numberOfPeriods": .number(Decimal(offer.numberOfPeriods)), "billingPlanType": .string(plan.rawValue),
        ])
    }

    private static func text(_ period: SimulatedPeriod) -> String {
        let units: [SimulatedPeriod.Unit: String] = [.day: "D", .week: "W", .month: "M", .year: "Y"]
        return "P\(period.numberOfUnits)\(units[period.unit] ?? "")"
    }
}
