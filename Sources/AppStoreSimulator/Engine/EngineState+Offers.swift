import Foundation

extension EngineState {
    /// Returns the offer that the customer redeems with a payment: a promotional offer, a win-back offer or an offer
    /// code.
    func redeemedOffer(for index: Int, _ terms: SimulatedSubscription) -> SimulatedTransactionOffer? {
        let entry = queue[index]
        let payment = entry.payment
        if let id = payment.discount?.offerID ?? payment.promotionalOffer?.offerID ?? payment.testTerms.offerID,
            let offer = terms.promotionalOffers.first(where: { $0.id == id })
        {
            return SimulatedTransactionOffer(.promotional, offer)
        }
        if let id = payment.winBackOfferID, let offer = terms.winBackOffers.first(where: { $0.id == id }) {
            return SimulatedTransactionOffer(.winBack, offer)
        }
        if let id = entry.offerCode ?? payment.testTerms.offerCode,
            let offer = terms.codeOffers.first(where: { $0.id == id })
        {
            return SimulatedTransactionOffer(.code, offer)
        }
        return nil
    }

    /// Returns the offer that a payment for a new subscription uses, and marks an introductory offer as used.
    mutating func takeOffer(for index: Int, _ terms: SimulatedSubscription) -> SimulatedTransactionOffer? {
        let payment = queue[index].payment
        if let offer = redeemedOffer(for: index, terms) { return offer }
        guard let introduction = terms.introductoryOffer else { return nil }
        if let eligibility = payment.introductoryOfferEligibility {
            // With an unreadable text, the customer pays the full price, without an error.
            guard Self.claims(of: eligibility)?["allowIntroductoryOffer"] as? Bool == true else { return nil }
            account.groupsWithUsedIntroduction.insert(terms.groupID)
            return SimulatedTransactionOffer(.introductory, introduction)
        }
        guard account.groupsWithUsedIntroduction.insert(terms.groupID).inserted else { return nil }
        return SimulatedTransactionOffer(.introductory, introduction)
    }

    /// Returns the error of invalid offers in a StoreKit 2 payment; `nil` for valid offers.
    func refusal(ofOffersIn payment: SimulatedPayment) -> SimulatedError? {
        let terms = terms(of: payment.productID).billed(payment.billingPlan)
        let subscription = account.subscriptions[SubscriptionKey(groupID: terms.groupID)]
        if let offer = payment.promotionalOffer {
            guard terms.promotionalOffers.contains(where: { $0.id == offer.offerID }) else {
                return .invalidOfferIdentifier
            }
            guard let claims = Self.claims(of: offer.compactJWS),
                claims["offerIdentifier"].map({ $0 as? String == offer.offerID }) ?? true,
                claims["productId"].map({ $0 as? String == payment.productID }) ?? true
            else { return .invalidOfferSignature }
        }
        let test = payment.testTerms
        if let id = test.offerID, !terms.promotionalOffers.contains(where: { $0.id == id }) {
            return .invalidOfferIdentifier
        }
        if let id = test.offerCode, !terms.codeOffers.contains(where: { $0.id == id }),
            product(payment.productID)?.codeOffers[id] == nil
        {
            return .invalidOfferIdentifier
        }
        if payment.discount != nil || payment.promotionalOffer != nil {
            // Apple's documentation: promotional offers are for current and former subscribers only.
            guard subscription != nil else { return .ineligibleForOffer }
        }
        if let id = payment.winBackOfferID {
            guard terms.winBackOffers.contains(where: { $0.id == id }) else { return .invalidOfferIdentifier }
            guard isLapsed(groupOf: payment.productID) else { return .ineligibleForOffer }
        }
        return nil
    }

    /// Returns the win-back offers that the customer is eligible for, in the order of the catalog.
    func eligibleWinBackOffers(for subscription: SubscriptionState, _ key: SubscriptionKey) -> [String] {
        guard key.ownership == .purchased, isLapsed(subscription) else { return [] }
        let terms = product(subscription.productID)?.subscription
        let offers = (terms?.winBackOffers ?? []) + (terms?.monthlyPlan(in: catalog.storefront)?.winBackOffers ?? [])
        return offers.compactMap(\.id)
    }

    /// Returns whether the account had a subscription in the group of a product.
    func isLapsed(groupOf productID: String) -> Bool {
        account.subscriptions[SubscriptionKey(groupID: terms(of: productID).groupID)].map { isLapsed($0) } ?? false
    }

    private func isLapsed(_ subscription: SubscriptionState) -> Bool {
        subscription.status == .expired && !account.rows[subscription.row].isRevoked
    }

    /// Returns whether the customer is eligible for an introductory offer in a group, or repeats the first result of
    /// the launch, see ``SimulatorBehavior/remembersIntroductoryEligibility``.
    mutating func isEligibleForIntroductoryOffer(inGroup groupID: String) -> Bool {
        if behavior.remembersIntroductoryEligibility, let known = device.launch.introductoryEligibility[groupID] {
            return known
        }
        let isEligible = !account.groupsWithUsedIntroduction.contains(groupID)
        device.launch.introductoryEligibility[groupID] = isEligible
        return isEligible
    }

    /// Returns the claims of the app server's JSON Web Signature; `nil` for other texts. The signature isn't checked,
    /// because the key is unknown.
    private static func claims(of jws: String) -> [String: Any]? {
        let parts = jws.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, parts.allSatisfy({ !$0.isEmpty }) else { return nil }
        var payload = parts[1].replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        payload += String(repeating: "=", count: (4 - payload.count % 4) % 4)
        return Data(base64Encoded: payload).flatMap { try? JSONSerialization.jsonObject(with: $0) } as? [String: Any]
    }
}
