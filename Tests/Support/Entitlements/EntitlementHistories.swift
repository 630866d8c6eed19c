package import AppStoreSimulator
import Foundation

/// Random histories of an account: purchases, renewals, changes of product, grace, retry, refunds, family sharing,
/// offers.
package struct EntitlementHistories {
    private var generator: ScheduleGenerator

    package init(seed: UInt64) {
        generator = ScheduleGenerator(seed: seed)
    }

    /// A storefront with billing plans, and additional products: commitments and a bundle.
    package static func addLaterProducts(to catalog: inout SimulatedCatalog) {
        catalog.storefront = SimulatedStorefront(countryCode: "DEU", id: "143443")
        catalog.products += [
            .autoRenewable("annual", price: 30, period: .year(1), group: "club", level: 2, monthlyPlan: .monthly(3)),
            .autoRenewable("archive", price: 20, period: .year(1), group: "archive", monthlyPlan: .monthly(2)),
            .bundle("everything", of: ["magazine", "archive"], price: 5, period: .month(1), group: "bundles"),
        ]
    }

    /// The events in order.
    package enum Event: CaseIterable {
        case buy, buyAgain, commit, changePlan, buySeats, leaveBundle, endInBundle, assign, unassign, refund,
            refundPart, refundEarlier, renewOff, renewOn, expire, share, unshare, offerCode, raisePrice, agree, retry,
            grace, resolve, time, longTime
    }

    /// Performs `count` random events and returns their descriptions.
    package mutating func play(_ count: Int, on appStore: SimulatedAppStore) -> [String] {
        (0..<count).map { _ in
            let event = Event.allCases.randomElement(using: &generator) ?? .time
            let product = appStore.catalog.products.randomElement(using: &generator)?.productID ?? ""
            // Many events aren't possible in the current state. Then the control throws, and the state doesn't change.
            do {
                try play(event, product, appStore)
                return "\(event) \(product)"
            } catch {
                return "(\(event) \(product))"
            }
        }
    }

    private mutating func play(_ event: Event, _ product: String, _ appStore: SimulatedAppStore) throws {
        switch event {
        case .buy, .buyAgain: try appStore.buyProduct(productID: product)
        case .commit: try appStore.buyProduct(productID: product, plan: .monthly)
        case .changePlan:
            try appStore.changeBillingPlan(
                of: product, to: SimulatedBillingPlan.allCases.randomElement(using: &generator) ?? .upFront)
        case .buySeats: try appStore.buyProduct(productID: product, seats: Int.random(in: 1...9, using: &generator))
        case .leaveBundle: try appStore.leaveBundle(product)
        case .endInBundle: try appStore.leaveBundle(product, continues: false)
        case .assign: try appStore.assignSeat(of: product)
        case .unassign: try appStore.unassignSeat(of: product)
        case .refund: try appStore.refund(product)
        case .refundPart: try appStore.refund(product, percentage: Decimal(Int.random(in: 1...99, using: &generator)))
        case .refundEarlier:
            let transactions = appStore.allTransactions().filter { $0.productID == product && $0.state == .purchased }
            if let earlier = transactions.dropLast().last { try appStore.refundTransaction(id: earlier.id) }
        case .renewOff: try appStore.disableAutoRenew(of: product)
        case .renewOn: try appStore.enableAutoRenew(of: product)
        case .expire: try appStore.expireSubscription(productID: product)
        case .share: try appStore.shareInFamily(product)
        case .unshare: try appStore.revokeFamilySharing(of: product)
        case .offerCode: try appStore.redeemOfferCode("gift", for: product)
        case .raisePrice: try appStore.raisePrice(of: product, to: Decimal(Int.random(in: 7...20, using: &generator)))
        case .agree: try appStore.consentToPriceIncrease(of: product)
        case .retry: appStore.behavior.shouldEnterBillingRetryOnRenewal.toggle()
        case .grace: appStore.behavior.billingGracePeriodIsEnabled.toggle()
        case .resolve: try appStore.resolvePurchase(of: product)
        case .time: appStore.advance(by: Double(Int.random(in: 1...20, using: &generator)) * 86_400)
        case .longTime: appStore.advance(by: Double(Int.random(in: 20...80, using: &generator)) * 86_400)
        }
    }
}
