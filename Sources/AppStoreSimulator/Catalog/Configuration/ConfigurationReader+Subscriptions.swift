import Foundation

extension ConfigurationReader {
    static func subscription(
        _ node: ConfigurationNode, in group: ConfigurationNode, position: Int
    ) throws(CatalogError) -> SimulatedSubscription {
        // Version 5 lists introductory offers by billing plan; the first is the one that earlier versions have.
        let byPlan = try node.elements("introductoryOffers").first
        let introductory = try node.optional("introductoryOffer") ?? byPlan
        var promotional: [SimulatedSubscription.Offer] = []
        for offer in try node.elements("adHocOffers") {
            promotional.append(try self.offer(offer, identifier: offer.required("offerID").string()))
        }
        return SimulatedSubscription(
            groupIdentifier: try group.required("id").string(),
            groupLevel: Int(clamping: try node.optional("groupNumber")?.integer(in: 1...Int64(Int32.max)) ?? Int64(position) + 1),
            period: try period(node.required("recurringSubscriptionPeriod")),
            introductoryOffer: try introductory.map { node throws(CatalogError) in try offer(node, identifier: nil) },
            promotionalOffers: promotional)
    }

    private static func offer(_ node: ConfigurationNode, identifier: String?) throws(CatalogError) -> SimulatedSubscription.Offer {
        let modeNode = try node.required("paymentMode")
        let mode: SimulatedSubscription.Offer.PaymentMode
        switch try modeNode.string() {
        case "payAsYouGo": mode = .payAsYouGo
        case "payUpFront": mode = .payUpFront
        case "free": mode = .freeTrial
        default: throw modeNode.invalid("is not payAsYouGo, payUpFront or free")
        }
        // Xcode writes no price for what is free.
        let price = mode == .freeTrial ? 0 : try node.required("displayPrice").price()
        return SimulatedSubscription.Offer(
            identifier: identifier, paymentMode: mode, price: price, period: try period(node.required("subscriptionPeriod")),
            numberOfPeriods: Int(clamping: try node.optional("numberOfPeriods")?.integer(in: 1...9999) ?? 1))
    }

    /// Reads an ISO 8601 period of a single unit: `P3D`, `P1W`, `P6M`, `P1Y`.
    private static func period(_ node: ConfigurationNode) throws(CatalogError) -> SimulatedSubscription.Period {
        let string = try node.string()
        let units: [Character: SimulatedSubscription.Period.Unit] = ["D": .day, "W": .week, "M": .month, "Y": .year]
        let digits = string.dropFirst().dropLast()
        guard string.first == "P", let unit = string.last.flatMap({ units[$0] }), !digits.isEmpty,
            digits.utf8.allSatisfy({ (48...57).contains($0) })
        else { throw node.invalid("is not an ISO 8601 period") }
        guard let number = Int(digits), (1...9999).contains(number) else { throw node.invalid("is not a period of 1 to 9999 units") }
        return SimulatedSubscription.Period(number, unit)
    }
}
