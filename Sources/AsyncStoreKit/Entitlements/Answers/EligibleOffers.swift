/// The offers of a product that the customer may use now, the best first.
///
/// Win-back offers come first, in Apple's order, then the introductory offer, then promotional offers, the cheapest
/// first. A promotional offer also needs a signature of the app's server.
public struct EligibleOffers: Sendable, Hashable {
    private let offers: [StoreOffer]
    /// The offers whose eligibility is unknown: the device hasn't been read, or StoreKit 1 doesn't say. "No offers" is
    /// certain only if this is empty.
    public let unknown: [StoreOffer]

    /// Whether eligibility is known for every offer.
    public var isComplete: Bool { unknown.isEmpty }
    /// The best offer that the customer may use.
    public var best: StoreOffer? { offers.first }

    /// - Parameters:
    ///   - introductory: Whether the customer may use the introductory offer; `nil` if unknown.
    ///   - status: The subscription group of the product, if the product has one.
    package init(of product: StoreProduct, introductory: Bool?, _ status: SubscriptionGroupStatus?) {
        var eligible: [StoreOffer] = []
        var unknown: [StoreOffer] = []
        func add(_ offers: [StoreOffer], _ isEligible: Bool?) {
            if isEligible == true { eligible += offers }
            if isEligible == nil { unknown += offers }
        }
        let isKnown = status.map { $0.state != .unknown } ?? false
        if isKnown {
            let ids = status?.renewal?.eligibleWinBackOfferIDs ?? []
            add(ids.compactMap { id in product.allOffers(.winBack).first { $0.id == id } }, true)
        } else {
            add(product.allOffers(.winBack), nil)
        }
        add(product.allOffers(.introductory), introductory)
        // For present and former subscribers, who have paid for the subscription themselves.
        let isSubscriber = status?.entitlement.map { !$0.transaction.isPaidByOthers } ?? false
        add(product.allOffers(.promotional).sorted { $0.price < $1.price }, isKnown ? isSubscriber : nil)
        offers = eligible
        self.unknown = unknown
    }
}

extension EligibleOffers: RandomAccessCollection {
    /// The position of the first offer.
    public var startIndex: Int { offers.startIndex }
    /// The position after the last offer.
    public var endIndex: Int { offers.endIndex }
    /// The offer at a position.
    public subscript(position: Int) -> StoreOffer { offers[position] }
}

extension StoreProduct {
    /// Returns the offers of a kind: those for a purchase that is paid up front, then those of other billing plans.
    fileprivate func allOffers(_ kind: StoreOffer.Kind) -> [StoreOffer] {
        let own = [introductoryOffer].compactMap { $0 } + promotionalOffers + winBackOffers
        var offers = own.filter { $0.kind == kind }
        for offer in billingPlans.flatMap(\.offers) where offer.kind == kind && !offers.contains(offer) {
            offers.append(offer)
        }
        return offers
    }
}
