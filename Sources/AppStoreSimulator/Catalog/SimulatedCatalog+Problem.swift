import Foundation

// Products that App Store Connect doesn't allow.
extension SimulatedCatalog {
    /// The reason that the App Store can't sell the products; `nil` if it can.
    var problem: SimulatorError? {
        var kinds: [String: SimulatedProduct.Kind] = [:]
        for product in products {
            if kinds.updateValue(product.kind, forKey: product.productID) != nil {
                return SimulatorError(.invalidCatalog, "The catalog contains \"\(product.productID)\" twice.")
            }
        }
        for product in products {
            if let reason = product.problem { return SimulatorError(.invalidCatalog, reason) }
            let other = product.bundle?.productIDs.first { kinds[$0] != .autoRenewableSubscription }
            if let other {
                return SimulatorError(
                    .invalidCatalog,
                    "\"\(product.productID)\" includes \"\(other)\", which isn't an auto-renewable subscription in the catalog."
                )
            }
        }
        return nil
    }
}

extension SimulatedProduct {
    /// The reason that the App Store can't sell the product, as a sentence; `nil` if it can.
    var problem: String? {
        if productID.isEmpty { return "A product of the catalog has an empty identifier." }
        if let reason = Self.problem(ofPrice: price) { return "\"\(productID)\" has \(reason)." }
        if isFamilyShareable, !kind.isFamilyShareable {
            return
                "\"\(productID)\" is family shareable. Families share only non-consumables and auto-renewable subscriptions."
        }
        for (id, price) in codeOffers.sorted(by: { $0.key < $1.key }) {
            if kind == .autoRenewableSubscription || id.isEmpty {
                return id.isEmpty
                    ? "\"\(productID)\" has a code offer without an identifier."
                    : "\"\(productID)\" has the code offer \"\(id)\" beside the terms of its subscription."
            }
            if let reason = Self.problem(ofPrice: price) {
                return "\"\(productID)\" has a code offer \"\(id)\" with \(reason)."
            }
        }
        guard let subscription else { return nil }
        guard kind == .autoRenewableSubscription else {
            return "\"\(productID)\" has the terms of an auto-renewable subscription, but another kind."
        }
        return subscription.problem.map { "\"\(productID)\" has \($0)." }
    }

    /// Returns the problem of a price, after "has"; `nil` for a price that the App Store allows.
    static func problem(ofPrice price: Decimal) -> String? {
        if !price.isFinite { return "a price that isn't a number" }
        return price < 0 ? "the price \(price), which is below zero" : nil
    }
}

extension SimulatedProduct.Kind {
    /// Whether App Store Connect has Family Sharing for the kind.
    var isFamilyShareable: Bool { self == .nonConsumable || self == .autoRenewableSubscription }
}

extension SimulatedSubscription {
    /// The problem of the terms, after "has"; `nil` for terms that the App Store allows.
    fileprivate var problem: String? {
        if groupLevel < 1 { return "the level \(groupLevel). The highest level is 1" }
        if period.numberOfUnits < 1 { return "a period of \(period.numberOfUnits) units" }
        if let reason = Self.problem(
            introductoryOffer, promotional: promotionalOffers, winBack: winBackOffers, code: codeOffers)
        {
            return reason
        }
        guard let monthlyPlan else { return nil }
        if !period.isAsLong(as: .year(1)) { return "a monthly plan, but isn't yearly" }
        return SimulatedProduct.problem(ofPrice: monthlyPlan.price)
            ?? SimulatedProduct.problem(ofPrice: monthlyPlan.commitmentPrice)
            ?? Self.problem(
                monthlyPlan.introductoryOffer, promotional: monthlyPlan.promotionalOffers,
                winBack: monthlyPlan.winBackOffers, code: monthlyPlan.codeOffers)
    }

    private static func problem(
        _ introductory: Offer?, promotional: [Offer], winBack: [Offer], code: [Offer]
    ) -> String? {
        if let reason = introductory?.problem { return "an introductory offer with \(reason)" }
        for (kind, offers) in [("a promotional", promotional), ("a win-back", winBack), ("a code", code)] {
            var identifiers: Set<String> = []
            for offer in offers {
                guard let id = offer.id, !id.isEmpty else { return "\(kind) offer without an identifier" }
                if !identifiers.insert(id).inserted { return "\(kind) offer \"\(id)\" twice" }
                if let reason = offer.problem { return "\(kind) offer \"\(id)\" with \(reason)" }
            }
        }
        return nil
    }
}

extension SimulatedSubscription.Offer {
    /// The problem of the offer, after "with"; `nil` for an offer that the App Store allows.
    fileprivate var problem: String? {
        if let reason = SimulatedProduct.problem(ofPrice: price) { return reason }
        if paymentMode == .freeTrial, price != 0 { return "the price \(price), although the offer is free" }
        if period.numberOfUnits < 1 { return "a period of \(period.numberOfUnits) units" }
        return numberOfPeriods < 1 ? "\(numberOfPeriods) periods" : nil
    }
}
