import Foundation

/// Creates a catalog from a configuration file.
package struct ConfigurationReader {
    /// The key path at which each product identifier was declared.
    private var declarations: [String: String] = [:]
    /// The products and offers that can't be read, and the reasons.
    private var warnings: [SimulatedCatalogError] = []

    package init() {}

    package mutating func catalog(from root: ConfigurationNode) throws(SimulatedCatalogError) -> SimulatedCatalog {
        try Self.checkVersion(root.required("version").required("major"))
        var catalog = SimulatedCatalog()
        if let settings = try root.optional("settings") {
            catalog.behavior = try Self.behavior(settings)
            catalog.storefront = try Self.storefront(settings) ?? catalog.storefront
            catalog.localeIdentifier = try settings.optional("_locale")?.string() ?? catalog.localeIdentifier
            catalog.localeIdentifier = Self.localeIdentifier(catalog.localeIdentifier, pricedIn: catalog.storefront)
        }
        for node in try root.elements("products") {
            add(to: &catalog) { reader throws(SimulatedCatalogError) in try reader.product(node) }
        }
        for node in try root.elements("nonRenewingSubscriptions") {
            add(to: &catalog) { reader throws(SimulatedCatalogError) in
                try reader.product(node, kind: .nonRenewingSubscription)
            }
        }
        for group in try root.elements("subscriptionGroups") {
            for (index, node) in try group.elements("subscriptions").enumerated() {
                add(to: &catalog) { reader throws(SimulatedCatalogError) in
                    var product = try reader.product(node, kind: .autoRenewableSubscription)
                    product.subscription = try reader.subscription(node, in: group, position: index)
                    return product
                }
            }
        }
        catalog.warnings = warnings
        return catalog
    }

    /// Adds a product to the catalog. A product that can't be read becomes a warning, and the catalog has the others.
    private mutating func add(
        to catalog: inout SimulatedCatalog,
        _ read: (inout ConfigurationReader) throws(SimulatedCatalogError) -> SimulatedProduct
    ) {
        do throws(SimulatedCatalogError) {
            catalog.products.append(try read(&self))
        } catch {
            warnings.append(error)
        }
    }

    package static func checkVersion(_ major: ConfigurationNode) throws(SimulatedCatalogError) {
        guard case .number(let number) = major.value else { throw major.wrongType("a number") }
        guard let version = Int("\(number)"), (1...6).contains(version) else {
            throw SimulatedCatalogError(
                .unsupportedVersion, at: major.keyPath, "\(major.value.summary) is not a known version, 1 to 6")
        }
    }

    private mutating func product(
        _ node: ConfigurationNode, kind expected: SimulatedProduct.Kind? = nil
    ) throws(SimulatedCatalogError) -> SimulatedProduct {
        let identifierNode = try node.required("productID")
        let identifier = try identifierNode.string()
        guard !identifier.isEmpty else { throw identifierNode.invalid("is not a product identifier") }
        if let earlier = declarations.updateValue(identifierNode.keyPath, forKey: identifier) {
            throw SimulatedCatalogError(
                .duplicateProduct, at: identifierNode.keyPath,
                "\(identifierNode.value.summary) was declared before, at \(earlier)")
        }
        let kind = try Self.kind(node, expected: expected)
        return SimulatedProduct(
            productID: identifier, kind: kind,
            price: try (Self.billingPlan(.upFront, of: node) ?? node).required("displayPrice").price(),
            referenceName: try node.optional("referenceName")?.string() ?? "",
            localizations: try Self.localizations(node),
            isFamilyShareable: try node.optional("familyShareable")?.bool() ?? false && kind.isFamilyShareable,
            hostedContent: try Self.hostedContent(node, of: identifier))
    }

    private static func kind(
        _ node: ConfigurationNode, expected: SimulatedProduct.Kind?
    ) throws(SimulatedCatalogError) -> SimulatedProduct.Kind {
        if let expected, try node.optional("type") == nil { return expected }
        let type = try node.required("type")
        let kind: SimulatedProduct.Kind
        switch try type.string() {
        case "Consumable": kind = .consumable
        case "NonConsumable": kind = .nonConsumable
        case "NonRenewingSubscription": kind = .nonRenewingSubscription
        case "RecurringSubscription": kind = .autoRenewableSubscription
        default: throw type.invalid("is not a type of product")
        }
        if let expected, kind != expected { throw type.invalid("is not the type of products in this part of the file") }
        if expected == nil, kind == .autoRenewableSubscription {
            throw type.invalid("belongs into a subscription group")
        }
        return kind
    }

    private static func localizations(_ node: ConfigurationNode) throws(SimulatedCatalogError) -> [SimulatedProduct
        .Localization]
    {
        var localizations: [SimulatedProduct.Localization] = []
        for element in try node.elements("localizations") {
            localizations.append(
                SimulatedProduct.Localization(
                    localeIdentifier: try element.required("locale").string(),
                    displayName: try element.optional("displayName")?.string() ?? "",
                    description: try element.optional("description")?.string() ?? ""))
        }
        return localizations
    }

    private static func hostedContent(
        _ node: ConfigurationNode, of productID: String
    ) throws(SimulatedCatalogError) -> [SimulatedHostedContent] {
        var contents: [SimulatedHostedContent] = []
        for element in try node.elements("_hostedContent") {
            contents.append(
                SimulatedHostedContent(
                    contentID: try element.optional("contentIdentifier")?.string() ?? productID,
                    contentVersion: try element.optional("contentVersion")?.string() ?? "1.0",
                    contentLength: try element.required("contentLength").integer(in: 0...Int64.max)))
        }
        return contents
    }
}

extension ConfigurationReader {
    private mutating func subscription(
        _ node: ConfigurationNode, in group: ConfigurationNode, position: Int
    ) throws(SimulatedCatalogError) -> SimulatedSubscription {
        let upFront = try PlanOffers(node, .upFront, &warnings)
        return SimulatedSubscription(
            groupID: try group.required("id").string(),
            groupLevel: Int(
                clamping: try node.optional("groupNumber")?.integer(in: 1...Int64(Int32.max)) ?? Int64(position) + 1),
            period: try Self.period(node.required("recurringSubscriptionPeriod")),
            introductoryOffer: upFront.introductory, promotionalOffers: upFront.promotional,
            winBackOffers: upFront.winBack,
            codeOffers: upFront.code, groupName: try group.optional("name")?.string() ?? "",
            monthlyPlan: try monthlyPlan(node))
    }

    /// Reads the monthly plan of a subscription; `nil` if it has none, or if the plan is disabled.
    private mutating func monthlyPlan(
        _ node: ConfigurationNode
    ) throws(SimulatedCatalogError) -> SimulatedMonthlyPlan? {
        guard let plan = try Self.billingPlan(.monthly, of: node) else { return nil }
        guard try Self.period(node.required("recurringSubscriptionPeriod")).isAsLong(as: .year(1)) else {
            warnings.append(SimulatedCatalogError(.invalidValue, at: plan.keyPath, "the subscription isn't yearly"))
            return nil
        }
        let offers = try PlanOffers(node, .monthly, &warnings)
        return SimulatedMonthlyPlan(
            price: try plan.required("displayPrice").price(),
            commitmentPrice: try plan.required("commitmentDisplayPrice").price(),
            introductoryOffer: offers.introductory,
            promotionalOffers: offers.promotional, winBackOffers: offers.winBack, codeOffers: offers.code)
    }

    /// Returns the entry of an enabled billing plan. Version 5 lists the up-front plan of every subscription.
    fileprivate static func billingPlan(
        _ plan: SimulatedBillingPlan, of node: ConfigurationNode
    ) throws(SimulatedCatalogError) -> ConfigurationNode? {
        for entry in try node.elements("billingPlans")
        where try entry.required("billingPlanType").string() == plan.rawValue {
            return try entry.optional("isEnabled")?.bool() ?? true ? entry : nil
        }
        return nil
    }

    fileprivate static func offer(_ node: ConfigurationNode, id: String?) throws(SimulatedCatalogError)
        -> SimulatedSubscription.Offer
    {
        let modeNode = try node.required("paymentMode")
        let mode: SimulatedSubscription.Offer.PaymentMode
        switch try modeNode.string() {
        case "payAsYouGo": mode = .payAsYouGo
        case "payUpFront": mode = .payUpFront
        case "free": mode = .freeTrial
        default: throw modeNode.invalid("is not payAsYouGo, payUpFront or free")
        }
        // Xcode writes no price for a free offer.
        let price = mode == .freeTrial ? 0 : try node.required("displayPrice").price()
        return SimulatedSubscription.Offer(
            id: id, paymentMode: mode, price: price, period: try period(node.required("subscriptionPeriod")),
            numberOfPeriods: Int(clamping: try node.optional("numberOfPeriods")?.integer(in: 1...9999) ?? 1))
    }

    /// Reads an ISO 8601 period of a single unit: `P3D`, `P1W`, `P6M`, `P1Y`.
    package static func period(_ node: ConfigurationNode) throws(SimulatedCatalogError) -> SimulatedPeriod {
        let string = try node.string()
        let units: [Character: SimulatedPeriod.Unit] = ["D": .day, "W": .week, "M": .month, "Y": .year]
        let digits = string.dropFirst().dropLast()
        guard string.first == "P", let unit = string.last.flatMap({ units[$0] }), !digits.isEmpty,
            digits.utf8.allSatisfy({ (48...57).contains($0) })
        else { throw node.invalid("is not an ISO 8601 period") }
        guard let number = Int(digits), (1...9999).contains(number) else {
            throw node.invalid("is not a period of 1 to 9999 units")
        }
        return SimulatedPeriod(number, unit)
    }
}

private struct PlanOffers {
    var introductory: SimulatedSubscription.Offer?
    var promotional: [SimulatedSubscription.Offer] = []
    var winBack: [SimulatedSubscription.Offer] = []
    var code: [SimulatedSubscription.Offer] = []

    /// Reads the offers of a subscription that belong to a plan. An offer without a plan belongs to the up-front plan.
    ///
    /// Xcode saves offers while they are edited. An offer that can't be read becomes a warning, and the subscription
    /// has its other offers.
    init(
        _ node: ConfigurationNode, _ plan: SimulatedBillingPlan, _ warnings: inout [SimulatedCatalogError]
    ) throws(SimulatedCatalogError) {
        // Version 5 lists introductory offers by plan, and repeats the offer of the up-front plan under the key of
        // earlier versions.
        introductory = try Self.offers("introductoryOffers", id: nil, of: node, plan, &warnings).first
        if introductory == nil, plan == .upFront, let offer = try node.optional("introductoryOffer") {
            introductory = Self.read(offer, id: nil, &warnings)
        }
        promotional = try Self.offers("adHocOffers", id: "offerID", of: node, plan, &warnings)
        winBack = try Self.offers("winbackOffers", id: "offerID", of: node, plan, &warnings)
        code = try Self.offers("codeOffers", id: "referenceName", of: node, plan, &warnings)
    }

    private static func offers(
        _ key: String, id: String?, of node: ConfigurationNode, _ plan: SimulatedBillingPlan,
        _ warnings: inout [SimulatedCatalogError]
    ) throws(SimulatedCatalogError) -> [SimulatedSubscription.Offer] {
        var offers: [SimulatedSubscription.Offer] = []
        for element in try node.elements(key) where belongs(element, to: plan) {
            guard let offer = read(element, id: id, &warnings) else { continue }
            if let id, offers.contains(where: { $0.id == offer.id }), let name = try element.optional(id) {
                warnings.append(name.invalid("is the identifier of an earlier offer"))
            } else {
                offers.append(offer)
            }
        }
        return offers
    }

    private static func belongs(_ offer: ConfigurationNode, to plan: SimulatedBillingPlan) -> Bool {
        let name = try? offer.optional("billingPlanType")?.string()
        return (name ?? SimulatedBillingPlan.upFront.rawValue) == plan.rawValue
    }

    private static func read(
        _ node: ConfigurationNode, id: String?, _ warnings: inout [SimulatedCatalogError]
    ) -> SimulatedSubscription.Offer? {
        do throws(SimulatedCatalogError) {
            guard let id else { return try ConfigurationReader.offer(node, id: nil) }
            let name = try node.required(id)
            guard try !name.string().isEmpty else { throw name.invalid("is not an identifier") }
            return try ConfigurationReader.offer(node, id: name.string())
        } catch {
            warnings.append(error)
            return nil
        }
    }
}

extension ConfigurationReader {
    /// Returns the behavior of a configuration file's settings, for those that the simulator supports.
    static func behavior(_ node: ConfigurationNode) throws(SimulatedCatalogError) -> SimulatorBehavior {
        var behavior = SimulatorBehavior()
        func isOn(_ key: String) throws(SimulatedCatalogError) -> Bool {
            try node.optional(key)?.bool() ?? false
        }
        behavior.askToBuyEnabled = try isOn("_askToBuyEnabled")
        let (interrupted, billingIssues) = (try isOn("_interruptedPurchasesEnabled"), try isOn("_billingIssuesEnabled"))
        behavior.interruptedPurchasesEnabled = interrupted || billingIssues
        behavior.failTransactionsEnabled = try isOn("_failTransactionsEnabled")
        behavior.billingGracePeriodIsEnabled = try isOn("_billingGracePeriodEnabled")
        behavior.shouldEnterBillingRetryOnRenewal = try isOn("_renewalBillingIssuesEnabled")
        if let rate = try node.optional("_timeRate") {
            behavior.timeRate = SimulatedTimeRate(testTimeRate: Int(try rate.integer(in: 0...9999))) ?? .realTime
        }
        for error in try node.elements("_storeKitErrors") where try error.optional("enabled")?.bool() ?? false {
            switch try error.required("name").string() {
            case "Load Products": behavior.productRequestError = .notConnectedToInternet
            case "Purchase": behavior.failTransactionsEnabled = true
            case "App Store Sync": behavior.restoreEnding = .fails(.unknown, afterRows: 0)
            default: break
            }
        }
        return behavior
    }

    /// Returns the storefront of the settings, if any. A country without a known storefront gets an empty identifier.
    static func storefront(_ settings: ConfigurationNode) throws(SimulatedCatalogError) -> SimulatedStorefront? {
        guard let node = try settings.optional("_storefront") else { return nil }
        let code = try node.string()
        guard code.utf8.count == 3, code.utf8.allSatisfy({ (65...90).contains($0) }) else {
            throw node.invalid("is not a three-letter country code")
        }
        return SimulatedStorefront(countryCode: code) ?? SimulatedStorefront(countryCode: code, id: "")
    }

    /// Returns the locale with the storefront's currency, if the locale's region has another currency or none.
    static func localeIdentifier(_ localeIdentifier: String, pricedIn storefront: SimulatedStorefront) -> String {
        guard let currency = storefront.currencyCode, !localeIdentifier.contains("@"),
            Locale(identifier: localeIdentifier).currencyCode != currency
        else { return localeIdentifier }
        return "\(localeIdentifier)@currency=\(currency)"
    }
}
