import AppStoreSimulator
import Foundation

// Offers, and products that families share.
extension CatalogReview {
    private static let shareable = ["NonConsumable", "RecurringSubscription"]
    // The lengths of free offers in App Store Connect.
    private static let trials: [SimulatedPeriod] = [
        .days(3), .weeks(1), .weeks(2), .months(1), .months(2), .months(3), .months(6), .years(1),
    ]
    /// The offers of a kind that can be active at a time.
    private static let mostOffers = 10

    func sharingFindings(_ product: ReviewedProduct) -> [CatalogFinding] {
        guard product.isFamilyShareable else { return [] }
        let place = product.node.path(of: "familyShareable")
        if let type = product.type, !Self.shareable.contains(type) {
            return [
                .init(
                    .familySharingKind, at: place,
                    "\(product.name) is a \(type), which families can't share. Turn off Family Sharing for it.")
            ]
        }
        guard product.group == nil, product.price == 0 else { return [] }
        return [
            .init(
                .sharedTrial, at: place,
                "\(product.name) is free and shared by families, so one trial starts for the whole family. Turn off Family Sharing for it."
            )
        ]
    }

    func offerFindings(_ product: ReviewedProduct) -> [CatalogFinding] {
        guard product.group != nil else { return [] }
        var findings = countFindings(product) + product.offers.flatMap { termFindings($0, of: product) }
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

    private func countFindings(_ product: ReviewedProduct) -> [CatalogFinding] {
        [("adHocOffers", "promotional offers"), ("codeOffers", "offer codes")].compactMap { key, what in
            let count = product.node.members(key).count
            guard count > Self.mostOffers else { return nil }
            return .init(
                .offerCount, at: product.node.path(of: key),
                "\(product.name) has \(count) \(what). App Store Connect allows \(Self.mostOffers) active ones.")
        }
    }

    /// Mistakes in the price, the time and the customers of an offer.
    private func termFindings(_ offer: ConfigurationNode, of product: ReviewedProduct) -> [CatalogFinding] {
        var findings: [CatalogFinding] = []
        if let eligibility = offer.member("eligibility"), eligibility.value == .array([]) {
            findings.append(
                .init(
                    .offerEligibility, at: eligibility.keyPath,
                    "An offer of \(product.name) is for no customers. Choose new, existing or expired subscribers."))
        }
        let key = "subscriptionPeriod"
        guard let period = try? offer.member(key).map(ConfigurationReader.period) else { return findings }
        // Offers of the monthly plan are paid monthly.
        let isMonthly = offer.isMonthlyPlan
        let count = (try? offer.member("numberOfPeriods")?.integer(in: 1...9999)) ?? 1
        switch offer.text("paymentMode") {
        case "free":
            let whole = SimulatedPeriod(period.numberOfUnits * Int(count), period.unit)
            guard !Self.trials.contains(where: { $0.isAsLong(as: whole) }) else { return findings }
            return findings + [
                .init(
                    .offerPeriod, at: offer.path(of: key),
                    "A free offer of \(product.name) has a length that App Store Connect doesn't have. Choose 3 days, 1 or 2 weeks, 1, 2, 3 or 6 months, or 1 year."
                )
            ]
        case "payAsYouGo" where !isMonthly:
            guard let own = product.period else { return findings }
            guard own.isAsLong(as: period) else {
                return findings + [
                    .init(
                        .offerPeriod, at: offer.path(of: key),
                        "An offer of \(product.name) is paid in another period than the subscription. Choose the subscription's period, and the number of periods."
                    )
                ]
            }
            guard let price = try? offer.member("displayPrice")?.price(), let regular = product.upFrontPrice,
                price > regular
            else { return findings }
            return findings + [
                .init(
                    .offerPrice, at: offer.path(of: "displayPrice"),
                    "An offer of \(product.name) costs \(price) in each period, and the subscription \(regular). Lower the price of the offer."
                )
            ]
        default: return findings
        }
    }
}
