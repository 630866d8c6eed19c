package import AppStoreSimulator
package import Foundation

/// The review of a configuration file. A review reports all mistakes; the reader stops at the first one.
package struct CatalogReview: Sendable {
    /// The path of the file; `nil` for a catalog that wasn't read from a file.
    let path: String?
    let root: ConfigurationNode
    private let lines: JSONLines?
    let products: [ReviewedProduct]

    /// Creates a review of a file.
    ///
    /// - Throws: `SimulatedCatalogError` for a file that isn't a configuration file, or has an unknown version.
    package init(_ data: Data, path: String) throws(SimulatedCatalogError) {
        let root = try ConfigurationNode(data: data)
        // Anything that has a known version is a configuration file.
        try ConfigurationReader.checkVersion(root.required("version").required("major"))
        self.init(root: root, path: path, lines: JSONLines(data))
    }

    init(root: ConfigurationNode, path: String? = nil, lines: JSONLines? = nil) {
        self.root = root
        self.path = path
        self.lines = lines
        products = ReviewedProduct.all(in: root)
    }

    /// Whether App Store Connect synchronizes the file, so that its values are those of App Store Connect.
    var isSynchronized: Bool {
        let settings = root.member("settings")
        return settings?.member("_lastSynchronizedDate") != nil && settings?.member("_applicationInternalID") != nil
    }

    /// The products of each subscription group of the file, by the key path of the group.
    var groups: [(group: ConfigurationNode, products: [ReviewedProduct])] {
        let members = Dictionary(grouping: products) { $0.group?.keyPath ?? "" }
        return root.members("subscriptionGroups").map { ($0, members[$0.keyPath] ?? []) }
    }

    /// The identifiers of the products.
    package var productIDs: [String] { products.compactMap(\.id) }

    /// Returns the mistakes in the file.
    ///
    /// - Parameter now: The date for rules about dates in the past.
    package func findings(now: Date) -> [CatalogFinding] {
        let findings =
            identifierFindings + products.flatMap { priceFindings($0) + textFindings($0) + localeFindings($0) }
            + languageFindings + groupFindings
            + products.flatMap { subscriptionFindings($0) + sharingFindings($0) + offerFindings($0) } + levelFindings
            + yearlyPriceFindings + settingFindings + dateFindings(now)
        return sorted(findings + unreadableFindings(besides: findings))
    }

    /// Returns findings with their lines, in the order of the file.
    func sorted(_ findings: [CatalogFinding]) -> [CatalogFinding] {
        let located = findings.map { finding in
            guard let path, finding.file == nil else { return finding }
            var finding = finding
            finding.file = path
            finding.line = lines?.line(of: finding.keyPath)
            return finding
        }
        return located.enumerated().sorted { first, second in
            (first.element.line ?? 0, first.offset) < (second.element.line ?? 0, second.offset)
        }.map(\.element)
    }

    /// The values that the reader refuses, unless a rule names them. A value that another one hides is found after the
    /// first is corrected.
    private func unreadableFindings(besides findings: [CatalogFinding]) -> [CatalogFinding] {
        let places = Set(findings.filter { $0.severity == .error }.map(\.keyPath))
        var errors: [SimulatedCatalogError] = []
        var reader = ConfigurationReader()
        do throws(SimulatedCatalogError) {
            errors = try reader.catalog(from: root).warnings
        } catch {
            errors = [error]
        }
        // The products of a group report the group's mistake each.
        var known = places
        return errors.filter { known.insert($0.keyPath).inserted }.map {
            CatalogFinding(
                .unreadableValue, at: $0.keyPath, "The value can't be read: \($0.reason). Correct it in Xcode.")
        }
    }
}
