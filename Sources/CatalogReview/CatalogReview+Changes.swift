import AppStoreSimulator
import Foundation

// Changes to the file that take something away from customers.
extension CatalogReview {
    /// Returns the changes since an earlier version of the file that App Store Connect doesn't allow, or that take
    /// something away from customers.
    ///
    /// Each named ``Customer`` of each earlier product is simulated with both versions. If one of the versions can't be
    /// read, no customer is simulated.
    package func findings(since previous: CatalogReview) -> [CatalogFinding] {
        let old = previous.catalog
        let players = old.map { CustomerComparison(before: $0, after: catalog) }
        var findings: [CatalogFinding] = []
        for product in previous.products {
            guard let id = product.id else { continue }
            guard let current = products.first(where: { $0.id == id }) else {
                findings.append(removal(of: id, players))
                continue
            }
            findings += changes(from: product, to: current, players)
            findings += players?.narrowedOffers(of: id, at: current.node.keyPath) ?? []
        }
        return sorted(findings + levelChanges(since: previous, players))
    }

    private var catalog: SimulatedCatalog? {
        var reader = ConfigurationReader()
        return try? reader.catalog(from: root)
    }

    private func removal(of id: String, _ players: CustomerComparison?) -> CatalogFinding {
        var finding = CatalogFinding(
            .removedProduct,
            "\"\(id)\" was removed, and App Store Connect never reuses an identifier.\(players?.removal(of: id).text ?? "") Keep the product, and stop offering it in the app."
        )
        finding.customers = players?.removal(of: id).customers ?? []
        return finding
    }

    private func changes(
        from old: ReviewedProduct, to new: ReviewedProduct, _ players: CustomerComparison?
    ) -> [CatalogFinding] {
        let id = new.id ?? ""
        var findings: [CatalogFinding] = []
        func report(_ rule: CatalogFinding.Rule, _ key: String, _ message: String, _ customers: [Customer]) {
            var finding = CatalogFinding(rule, at: new.node.path(of: key), message + customers.asSentence)
            finding.customers = customers
            findings.append(finding)
        }
        let subscribers = players?.subscribers(of: id) ?? []
        if let type = old.type, let newType = new.type, type != newType {
            report(
                .changedProduct, "type",
                "\(new.name) was a \(type). App Store Connect can't change the type. Create another product.",
                players?.customers(of: id) ?? [])
        }
        let key = "recurringSubscriptionPeriod"
        if let period = old.node.text(key), let newPeriod = new.node.text(key), period != newPeriod {
            report(
                .changedProduct, key,
                "\(new.name) had the period \(period). App Store Connect can't change the period after review. Create another product.",
                subscribers)
        }
        if let group = old.group?.text("id"), let newGroup = new.group?.text("id"), group != newGroup {
            report(
                .changedGroup, "subscriptionGroupID",
                "\(new.name) was in the group \(group). Subscribers of that group could subscribe twice, and App Store Connect can't move a subscription. Restore the group.",
                subscribers)
        }
        if old.isFamilyShareable, !new.isFamilyShareable {
            report(
                .familySharingOff, "familyShareable",
                "\(new.name) was shared by families. App Store Connect can't turn off Family Sharing. Turn it on again.",
                [.familyMember, .familyEnded].filter { players?.exists($0, of: id) ?? false })
        }
        return findings
    }

    /// Pairs of subscriptions whose order in a group has changed.
    private func levelChanges(since previous: CatalogReview, _ players: CustomerComparison?) -> [CatalogFinding] {
        var findings: [CatalogFinding] = []
        for product in products {
            guard let id = product.id, let level = product.level, let group = product.group?.text("id"),
                let old = previous.products.first(where: { $0.id == id }), old.group?.text("id") == group,
                let oldLevel = old.level
            else { continue }
            let reordered = products.filter { other in
                guard let otherID = other.id, otherID > id, other.group?.text("id") == group,
                    let otherLevel = other.level,
                    let oldOtherLevel = previous.products.first(where: { $0.id == otherID })?.level
                else { return false }
                return (level - otherLevel).signum() != (oldLevel - oldOtherLevel).signum()
            }
            guard let other = reordered.first else { continue }
            let customers = [Customer.upgraded, .downgradePending].filter { players?.exists($0, of: id) ?? false }
            var finding = CatalogFinding(
                .changedLevel, at: product.node.path(of: "groupNumber"),
                "A change between \(product.name) and \(other.name) was \(Self.direction(oldLevel, old: previous, other)), and isn't any more. Restore the levels, unless the services have changed.\(customers.asSentence)"
            )
            finding.customers = customers
            findings.append(finding)
        }
        return findings
    }

    private static func direction(_ level: Int64, old: CatalogReview, _ other: ReviewedProduct) -> String {
        let otherLevel = old.products.first { $0.id == other.id }?.level ?? level
        if level == otherLevel { return "a crossgrade" }
        return level > otherLevel ? "an upgrade" : "a downgrade"
    }
}

extension ReviewedProduct {
    fileprivate var level: Int64? { (try? node.member("groupNumber")?.integer(in: 1...Int64(Int32.max))) ?? nil }
}

extension [Customer] {
    /// A sentence that names the customers; empty without customers.
    var asSentence: String {
        isEmpty ? "" : " Customers who lose: \(map(\.description).joined(separator: ", "))."
    }
}
