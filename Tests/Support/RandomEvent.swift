package import AppStoreSimulator
import Foundation

/// What can happen to an account outside the app: purchases, renewals, changes of product, grace, retry, refunds,
/// family sharing, offers, and faults of the device.
///
/// All tests with random purchases draw from these events, and judge the result: two engines by their differences,
/// the entitlements by the App Store's own records, and the store by its invariants.
package enum RandomEvent: CaseIterable, Sendable {
    // Purchases.
    case buy, commit, buySeats, offerCode, assign, unassign, approve, decline, resolve, share, unshare
    // Subscriptions.
    case changePlan, leaveBundle, endInBundle, renewOff, renewOn, expire, raisePrice, agree, disagree, retry, grace
    // Refunds.
    case refund, refundPart, refundEarlier, reverseRefund
    // Time.
    case seconds, days, months
    // The device.
    case storefront, signature, fault

    /// What happens to an account in a year.
    package static let history: [RandomEvent] =
        [
            .buy, .buy, .commit, .changePlan, .buySeats, .leaveBundle, .endInBundle, .assign, .unassign, .refund,
            .refundPart, .refundEarlier, .renewOff, .renewOn, .expire, .share, .unshare, .offerCode, .raisePrice,
            .agree, .retry, .grace, .resolve, .days, .months,
        ]
}

extension ScheduleGenerator {
    /// Lets one of some events happen, with one of some products, and describes the event.
    package mutating func play(
        _ events: [RandomEvent] = RandomEvent.history, of products: [String]? = nil, on appStore: SimulatedAppStore
    ) -> String {
        let products = products ?? appStore.catalog.products.map(\.productID)
        let event = events.randomElement(using: &self) ?? .days
        let product = products.randomElement(using: &self) ?? ""
        // Many events aren't possible in the current state. Then the control throws, and the state doesn't change.
        do {
            try play(event, product, appStore)
            return "\(event) \(product)"
        } catch {
            return "(\(event) \(product): \(error))"
        }
    }

    private mutating func play(_ event: RandomEvent, _ product: String, _ appStore: SimulatedAppStore) throws {
        switch event {
        case .buy: try appStore.buyProduct(productID: product)
        case .commit: try appStore.buyProduct(productID: product, plan: .monthly)
        case .buySeats: try appStore.buyProduct(productID: product, seats: Int.random(in: 1...9, using: &self))
        case .offerCode: try appStore.redeemOfferCode("gift", for: product)
        case .assign: try appStore.assignSeat(of: product)
        case .unassign: try appStore.unassignSeat(of: product)
        case .approve: try appStore.approvePurchase(of: product)
        case .decline: try appStore.declinePurchase(of: product)
        case .resolve: try appStore.resolvePurchase(of: product)
        case .share: try appStore.shareInFamily(product)
        case .unshare: try appStore.revokeFamilySharing(of: product)
        case .changePlan: try appStore.changeBillingPlan(of: product, to: pick())
        case .leaveBundle: try appStore.leaveBundle(product)
        case .endInBundle: try appStore.leaveBundle(product, continues: false)
        case .renewOff: try appStore.disableAutoRenew(of: product)
        case .renewOn: try appStore.enableAutoRenew(of: product)
        case .expire: try appStore.expireSubscription(productID: product)
        case .raisePrice: try appStore.raisePrice(of: product, to: Decimal(Int.random(in: 7...20, using: &self)))
        case .agree: try appStore.consentToPriceIncrease(of: product)
        case .disagree: try appStore.declinePriceIncrease(of: product)
        case .retry: appStore.behavior.shouldEnterBillingRetryOnRenewal.toggle()
        case .grace: appStore.behavior.billingGracePeriodIsEnabled.toggle()
        case .refund: try appStore.refund(product)
        case .refundPart: try appStore.refund(product, percentage: Decimal(Int.random(in: 1...99, using: &self)))
        case .refundEarlier:
            let transactions = appStore.allTransactions().filter { $0.productID == product && $0.state == .purchased }
            if let earlier = transactions.dropLast().last { try appStore.refundTransaction(id: earlier.id) }
        case .reverseRefund: try appStore.reverseRefund(of: product)
        case .seconds: appStore.advance(by: Double(Int.random(in: 1...20, using: &self)))
        case .days: appStore.advance(by: Double(Int.random(in: 1...20, using: &self)) * 86_400)
        case .months: appStore.advance(by: Double(Int.random(in: 20...80, using: &self)) * 86_400)
        case .storefront:
            appStore.storefront =
                chance(50) ? .unitedStates : SimulatedStorefront(countryCode: "DEU", id: "143443")
        case .signature: appStore.behavior.transactionsAreUnverified = chance(50)
        case .fault: appStore.setNextListingFault(chance(50) ? .empty : .stale(changes: 1), for: pick())
        }
    }

    /// Returns one of all values.
    package mutating func pick<Choice: CaseIterable>() -> Choice {
        let all = Array(Choice.allCases)
        return all[Int.random(in: all.indices, using: &self)]
    }
}

extension SimulatedCatalog {
    /// The club in a storefront with billing plans, with additional products: commitments and a bundle.
    package static var clubWithPlans: SimulatedCatalog {
        var catalog = club
        catalog.storefront = SimulatedStorefront(countryCode: "DEU", id: "143443")
        catalog.products += [
            .autoRenewable("annual", price: 30, period: .year(1), group: "club", level: 2, monthlyPlan: .monthly(3)),
            .autoRenewable("archive", price: 20, period: .year(1), group: "archive", monthlyPlan: .monthly(2)),
            .bundle("everything", of: ["magazine", "archive"], price: 5, period: .month(1), group: "bundles"),
        ]
        return catalog
    }
}
