import AppReceipt
import AppStoreSimulator
import AsyncStoreKit
import Foundation

extension StoreProduct {
    /// Returns the billing plans of a simulated subscription in the storefront.
    static func billingPlans(_ product: SimulatedProduct, _ display: SimulatedDisplay) -> [BillingPlanTerms] {
        guard let subscription = product.subscription else { return [] }
        let (locale, period) = (display.priceLocale, StoreSubscriptionPeriod(subscription.period))
        func terms(
            _ plan: SimulatedBillingPlan, _ price: Decimal, each billingPeriod: StoreSubscriptionPeriod, total: Decimal,
            _ offers: [(TransactionOffer.Kind, [SimulatedSubscription.Offer])]
        ) -> BillingPlanTerms {
            BillingPlanTerms(
                plan: BillingPlan(rawValue: plan.rawValue), billingPrice: price,
                billingDisplayPrice: price.formattedPrice(in: locale), billingPeriod: billingPeriod,
                commitment: BillingPlanTerms.Commitment(
                    price: total, displayPrice: total.formattedPrice(in: locale), period: period),
                offers: offers.flatMap { kind, offers in offers.map { StoreOffer($0, kind: kind, locale: locale) } })
        }
        let upFront = terms(
            .upFront, product.price, each: period, total: product.price,
            [
                (.introductory, subscription.introductoryOffer.map { [$0] } ?? []),
                (.promotional, subscription.promotionalOffers), (.winBack, subscription.winBackOffers),
            ])
        guard let plan = subscription.monthlyPlan(in: display.catalog.storefront) else { return [upFront] }
        let monthly = terms(
            .monthly, plan.price, each: StoreSubscriptionPeriod(SimulatedSubscription.billingPeriod),
            total: plan.commitmentPrice,
            [
                (.introductory, plan.introductoryOffer.map { [$0] } ?? []), (.promotional, plan.promotionalOffers),
                (.winBack, plan.winBackOffers),
            ])
        return [upFront, monthly]
    }

    static func bundledSubscriptions(_ product: SimulatedProduct, _ display: SimulatedDisplay) -> [BundledSubscription]
    {
        guard let bundle = product.bundle, !bundle.isSuite else { return [] }
        return bundle.productIDs.compactMap { display.catalog[$0] }.compactMap { member in
            guard let subscription = member.subscription else { return nil }
            let text = member.localization(for: display.localeIdentifier)
            return BundledSubscription(
                id: member.productID, displayName: text?.displayName ?? "", description: text?.description ?? "",
                price: member.price, displayPrice: member.price.formattedPrice(in: display.priceLocale),
                isFamilyShareable: member.isFamilyShareable, subscriptionGroupID: subscription.groupID,
                subscriptionLevel: subscription.groupLevel, subscriptionGroupName: subscription.groupName)
        }
    }
}
