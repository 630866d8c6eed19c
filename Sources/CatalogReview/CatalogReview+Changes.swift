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
        let current = productsByID
        var findings: [CatalogFinding] = []
        for product in previous.products {
            guard let id = product.id else { continue }
            guard let current = current[id] else {
                findings.append(removal(of: id, players))
                continue
            }
            findings += changes(from: product, to: current, players)
            findings += players?.narrowedOffers(of: id, at: current.node.keyPath) ?? []
        }
        return sorted(findings + levelChanges(since: previous, players))
    }

    /// The first product with each identifier.
    private var productsByID: [String: ReviewedProduct] {
        Dictionary(products.compactMap { product in product.id.map { ($0, product) } }) { first, _ in first }
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
        // Only a change is worth the simulation of customers.
        func subscribers() -> [Customer] { players?.subscribers(of: id) ?? [] }
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
                subscribers())
        }
        if let group = old.group?.text("id"), let newGroup = new.group?.text("id"), group != newGroup {
            report(
                .changedGroup, "subscriptionGroupID",
                "\(new.name) was in the group \(group). Subscribers of that group could subscribe twice, and App Store Connect can't move a subscription. Restore the group.",
                subscribers())
        }
        if old.isFamilyShareable, !new.isFamilyShareable {
            report(
                .familySharingOff, "familyShareable",
                "\(new.name) was shared by families. App Store Connect can't turn off Family Sharing. Turn it on again.",
                [.familyMember, .familyEnded].filter { players?.exists($0, of: id) ?? false })
        }
        return findings
    }

    /// Subscriptions whose order in a group has changed, with one of the others.
    private func levelChanges(since previous: CatalogReview, _ players: CustomerComparison?) -> [CatalogFinding] {
        let earlier = previous.productsByID
        return groups.flatMap { group, members -> [CatalogFinding] in
            let levels = members.compactMap { product -> LevelChange? in
                guard let id = product.id, let level = product.level, let old = earlier[id], let oldLevel = old.level,
                    let groupID = group.text("id"), old.group?.text("id") == groupID
                else { return nil }
                return LevelChange(id: id, product: product, level: level, oldLevel: oldLevel)
            }
            return Self.reordered(levels).map { change, other in
                let customers = [Customer.upgraded, .downgradePending].filter {
                    players?.exists($0, of: change.id) ?? false
                }
                var finding = CatalogFinding(
                    .changedLevel, at: change.product.node.path(of: "groupNumber"),
                    "A change between \(change.product.name) and \(other.product.name) was \(Self.direction(change.oldLevel, other.oldLevel)), and isn't any more. Restore the levels, unless the services have changed.\(customers.asSentence)"
                )
                finding.customers = customers
                return finding
            }
        }
    }

    private struct LevelChange {
        let id: String
        let product: ReviewedProduct
        let level: Int64
        let oldLevel: Int64
    }

    /// Returns each subscription whose order has changed compared with one that follows in the order of identifiers. A
    /// group has a few levels, so only the first subscription of each pair of levels is compared.
    private static func reordered(_ changes: [LevelChange]) -> [(LevelChange, LevelChange)] {
        let sorted = changes.sorted { $0.id < $1.id }
        var later: [[Int64]: LevelChange] = [:]
        var result: [(LevelChange, LevelChange)] = []
        for change in sorted.reversed() {
            let others = later.values.filter { other in
                (change.level - other.level).signum() != (change.oldLevel - other.oldLevel).signum()
            }
            if let other = others.min(by: { $0.id < $1.id }) { result.append((change, other)) }
            later[[change.level, change.oldLevel]] = change
        }
        return result.reversed()
    }

    private static func direction(_ level: Int64, _ otherLevel: Int64) -> String {
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
