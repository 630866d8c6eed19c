import AppStoreSimulator
import Foundation

// Groups, levels, periods and offers.
extension CatalogReview {
    private static let subscriptionType = "RecurringSubscription"
    // The durations of App Store Connect.
    private static let periods: [SimulatedPeriod] = [
        .weeks(1), .months(1), .months(2), .months(3), .months(6), .years(1),
    ]

    func subscriptionFindings(_ product: ReviewedProduct) -> [CatalogFinding] {
        guard product.group != nil else {
            if product.type == Self.subscriptionType {
                return [
                    .init(
                        .subscriptionGroup, at: product.node.path(of: "type"),
                        "\(product.name) is an auto-renewable subscription without a group. Move it to a subscription group."
                    )
                ]
            }
            return product.offers.first.map { offer in
                [
                    .init(
                        .subscriptionGroup, at: offer.keyPath,
                        "\(product.name) has an offer, but isn't a subscription of a group. Remove the offer.")
                ]
            } ?? []
        }
        return periodFindings(product) + commitmentFindings(product)
    }

    private func periodFindings(_ product: ReviewedProduct) -> [CatalogFinding] {
        let key = "recurringSubscriptionPeriod"
        let place = product.node.path(of: key)
        guard let node = product.node.member(key), node.value != .string("") else {
            return [.init(.subscriptionPeriod, at: place, "\(product.name) has no period. Choose its duration.")]
        }
        guard let period = try? ConfigurationReader.period(node) else {
            return [
                .init(
                    .subscriptionPeriod, at: place,
                    "\(product.name) has the period \(node.value.summary). Write a duration such as P1M.")
            ]
        }
        guard !Self.periods.contains(where: { $0.isAsLong(as: period) }) else { return [] }
        return [
            .init(
                .subscriptionPeriod, at: place,
                "\(product.name) has the period \(node.value.summary). App Store Connect has 1 week, 1, 2, 3 and 6 months, and 1 year."
            )
        ]
    }

    private func commitmentFindings(_ product: ReviewedProduct) -> [CatalogFinding] {
        guard let plan = product.billingPlans.first(where: \.isMonthlyPlan),
            let price = try? plan.member("displayPrice")?.price(),
            let total = try? plan.member("commitmentDisplayPrice")?.price(), total != price * 12
        else { return [] }
        return [
            .init(
                .commitmentTotal, at: plan.path(of: "commitmentDisplayPrice"),
                "The commitment of \(product.name) costs \(total), and twelve payments of \(price) cost \(price * 12). Correct one of them."
            )
        ]
    }

    /// Groups that can't be told apart, and subscriptions that name another group than the one around them.
    var groupFindings: [CatalogFinding] {
        var findings: [CatalogFinding] = []
        var places: [String: String] = [:]
        for (group, members) in groups {
            guard let id = group.text("id") else { continue }
            if let earlier = places.updateValue(group.keyPath, forKey: id) {
                findings.append(
                    .init(
                        .subscriptionGroup, at: group.path(of: "id"),
                        "The group at \(earlier) has the identifier \"\(id)\", too, so customers have one subscription of both. Give each group its own identifier."
                    ))
            }
            for product in members {
                let key = "subscriptionGroupID"
                guard let other = product.node.text(key), !other.isEmpty, other != id else { continue }
                findings.append(
                    .init(
                        .subscriptionGroup, at: product.node.path(of: key),
                        "\(product.name) names the group \"\(other)\", and is in the group \"\(id)\". Correct one of them."
                    ))
            }
        }
        return findings
    }

    /// Pairs of subscriptions of a group that customers can't tell apart by level or period.
    var levelFindings: [CatalogFinding] {
        groups.flatMap { _, members -> [CatalogFinding] in
            var seen: [String: ReviewedProduct] = [:]
            return members.compactMap { product -> CatalogFinding? in
                guard let level = product.node.member("groupNumber"),
                    let period = product.node.text("recurringSubscriptionPeriod")
                else { return nil }
                let key = "\(level.value.summary) \(period)"
                guard let other = seen[key] else {
                    seen[key] = product
                    return nil
                }
                return .init(
                    .equalLevels, at: level.keyPath,
                    "\(product.name) has the level and the period of \(other.name), so a change between them is neither an upgrade nor a downgrade. Give the better one the higher level."
                )
            }
        }
    }

    /// Subscriptions of a year that cost more than twelve months of the same level.
    var yearlyPriceFindings: [CatalogFinding] {
        groups.flatMap { _, members -> [CatalogFinding] in
            var monthly: [String: ReviewedProduct] = [:]
            for product in members where product.period?.isAsLong(as: .months(1)) == true {
                monthly[product.node.member("groupNumber")?.value.summary ?? ""] = product
            }
            return members.compactMap { product -> CatalogFinding? in
                guard product.period?.isAsLong(as: .years(1)) == true, let price = product.price,
                    let month = monthly[product.node.member("groupNumber")?.value.summary ?? ""],
                    let monthlyPrice = month.price, monthlyPrice > 0, price > monthlyPrice * 12
                else { return nil }
                return .init(
                    .yearlyPrice, at: product.node.path(of: "displayPrice"),
                    "A year of \(product.name) costs \(price), and twelve months of \(month.name) cost \(monthlyPrice * 12). Correct one of the prices."
                )
            }
        }
    }
}
