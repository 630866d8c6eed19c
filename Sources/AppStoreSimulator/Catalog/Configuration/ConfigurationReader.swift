import Foundation

/// Makes a catalog of a configuration file.
struct ConfigurationReader {
    // Where each product identifier was declared.
    private var declarations: [String: String] = [:]

    mutating func catalog(from root: ConfigurationNode) throws(CatalogError) -> Catalog {
        try checkVersion(root.required("version").required("major"))
        var catalog = Catalog()
        if let settings = try root.optional("settings") {
            catalog.settings = try Self.settings(settings)
            catalog.storefront = try Self.storefront(settings) ?? catalog.storefront
            catalog.localeIdentifier = try settings.optional("_locale")?.string() ?? catalog.localeIdentifier
            catalog.localeIdentifier = Self.localeIdentifier(catalog.localeIdentifier, pricedIn: catalog.storefront)
        }
        for node in try root.elements("products") {
            catalog.products.append(try product(node))
        }
        for node in try root.elements("nonRenewingSubscriptions") {
            catalog.products.append(try product(node, kind: .nonRenewingSubscription))
        }
        for group in try root.elements("subscriptionGroups") {
            for (index, node) in try group.elements("subscriptions").enumerated() {
                var product = try product(node, kind: .autoRenewableSubscription)
                product.subscription = try Self.subscription(node, in: group, position: index)
                catalog.products.append(product)
            }
        }
        return catalog
    }

    private func checkVersion(_ major: ConfigurationNode) throws(CatalogError) {
        guard case .number(let number) = major.value else { throw major.wrongType("a number") }
        guard let version = Int("\(number)"), (1...5).contains(version) else {
            throw CatalogError(.unsupportedVersion, at: major.keyPath, "\(major.value.shown) is not a known version, 1 to 5")
        }
    }

    private mutating func product(
        _ node: ConfigurationNode, kind expected: SimulatedProduct.Kind? = nil
    ) throws(CatalogError) -> SimulatedProduct {
        let identifierNode = try node.required("productID")
        let identifier = try identifierNode.string()
        guard !identifier.isEmpty else { throw identifierNode.invalid("is not a product identifier") }
        if let earlier = declarations.updateValue(identifierNode.keyPath, forKey: identifier) {
            throw CatalogError(
                .duplicateProduct, at: identifierNode.keyPath, "\(identifierNode.value.shown) was declared before, at \(earlier)")
        }
        return SimulatedProduct(
            productIdentifier: identifier,
            kind: try Self.kind(node, expected: expected),
            price: try node.required("displayPrice").price(),
            referenceName: try node.optional("referenceName")?.string() ?? "",
            localizations: try Self.localizations(node),
            isFamilyShareable: try node.optional("familyShareable")?.bool() ?? false,
            hostedContent: try Self.hostedContent(node, of: identifier))
    }

    private static func kind(
        _ node: ConfigurationNode, expected: SimulatedProduct.Kind?
    ) throws(CatalogError) -> SimulatedProduct.Kind {
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
        if expected == nil, kind == .autoRenewableSubscription { throw type.invalid("belongs into a subscription group") }
        return kind
    }

    private static func localizations(_ node: ConfigurationNode) throws(CatalogError) -> [SimulatedProduct.Localization] {
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
        _ node: ConfigurationNode, of productIdentifier: String
    ) throws(CatalogError) -> [SimulatedHostedContent] {
        var contents: [SimulatedHostedContent] = []
        for element in try node.elements("_hostedContent") {
            contents.append(
                SimulatedHostedContent(
                    contentIdentifier: try element.optional("contentIdentifier")?.string() ?? productIdentifier,
                    contentVersion: try element.optional("contentVersion")?.string() ?? "1.0",
                    contentLength: try element.required("contentLength").integer(in: 0...Int64.max)))
        }
        return contents
    }
}
