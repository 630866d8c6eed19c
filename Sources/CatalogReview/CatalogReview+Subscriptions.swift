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

    func offerFindings(_ product: ReviewedProduct) -> [CatalogFinding] {
        var findings: [CatalogFinding] = []
        if product.isFamilyShareable, product.group == nil, product.price == 0 {
            findings.append(
                .init(
                    .sharedTrial, at: product.node.path(of: "familyShareable"),
                    "\(product.name) is free and shared by families, so one trial starts for the whole family. Turn off Family Sharing for it."
                ))
        }
        // Version 5 repeats the introductory offer of the up-front plan under the key of earlier versions.
        var plans: [String: ConfigurationNode] = [:]
        let upFront = SimulatedBillingPlan.upFront.rawValue
        if let offer = product.node.member("introductoryOffer") { plans[upFront] = offer }
        for offer in product.node.members("introductoryOffers") {
            let plan = offer.text("billingPlanType") ?? upFront
            guard let other = plans.updateValue(offer, forKey: plan), !Self.areSame(offer, other) else { continue }
            findings.append(
                .init(
                    .introductoryOffers, at: offer.keyPath,
                    "\(product.name) has another introductory offer at \(other.keyPath). Keep one of them."))
        }
        return findings
    }

    private static func areSame(_ offer: ConfigurationNode, _ other: ConfigurationNode) -> Bool {
        ["paymentMode", "subscriptionPeriod", "numberOfPeriods", "displayPrice"].allSatisfy { key in
            let (value, otherValue) = (offer.member(key), other.member(key))
            // Xcode leaves out a single period.
            if key == "numberOfPeriods", value == nil || otherValue == nil {
                return (value ?? otherValue).map { $0.value == .number(1) } ?? true
            }
            if key == "displayPrice", value == nil || otherValue == nil { return true }
            return value?.value == otherValue?.value
        }
    }

    /// Pairs of subscriptions of a group that customers can't tell apart by level or period.
    var levelFindings: [CatalogFinding] {
        root.members("subscriptionGroups").flatMap { group -> [CatalogFinding] in
            var seen: [String: ReviewedProduct] = [:]
            return products.filter { $0.group?.keyPath == group.keyPath }.compactMap { product -> CatalogFinding? in
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
}
