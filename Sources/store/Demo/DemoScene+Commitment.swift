import AppReceipt
import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation

extension DemoScene {
    private static let yearly = "darkroom.cloud.yearly"

    static let commitment = DemoScene(title: "A yearly subscription, paid monthly") { stage in
        stage.changeCustomer(stage.catalog.inGermany)
        stage.say(.customer, "in Germany, opens the app")
        guard let terms = try await stage.store.products(for: [yearly])[yearly]?.terms(of: .monthly) else {
            throw StoreError(.billingPlanUnavailable, "\"\(yearly)\" has no monthly plan.")
        }
        let total = terms.commitment.displayPrice
        stage.say(.app, "shows both prices: \(terms.billingDisplayPrice) a month, \(total) for 12 months")
        stage.say(.customer, "buys \(stage.name(of: yearly)) on the monthly plan")
        let outcome = try await stage.store.purchase(yearly, options: [.billingPlan(.monthly)]) { purchase in
            stage.say(.app, "delivers \(stage.describe(purchase))")
        }
        guard case .success = outcome else { throw Unexpected(outcome: outcome) }
        try await stage.sayCommitment(to: yearly)
        try await stage.receiveRenewals(3)
        stage.say(.customer, "cancels; the monthly payments continue")
        try stage.appStore.disableAutoRenew(of: yearly)
        try await stage.sayCommitment(to: yearly)
        try await stage.receiveRenewals(8)
        try await stage.sayCommitment(to: yearly)
        try await stage.advance("five weeks", by: .weeks(5))
        try await stage.sayEntitlement(to: yearly)
        try await stage.sayUnfinished()
    }
}

extension DemoStage {
    /// Advances the clock by months, and finishes the renewals.
    fileprivate func receiveRenewals(_ count: Int) async throws {
        for _ in 0..<count {
            try await store.advance(by: .months(1))
            let renewal = try await nextPurchase()
            await renewal.finish()
        }
        // When a period ends, the store doesn't trust the device's answer at once.
        try await store.advance(by: .days(1))
        say(.time, "\(count) months later, on \(appStore.now.dayText)", .quiet)
        say(.stream, "\(count) renewals, all delivered and finished")
    }

    /// Prints the state of a commitment.
    fileprivate func sayCommitment(to productID: String) async throws {
        try await settle()
        guard let entitlement = await store.entitlements.refresh()[productID], let commitment = entitlement.commitment,
            let renewal = entitlement.renewal
        else { throw StoreError(.unknown, "There is no commitment to \"\(productID)\".") }
        let month = "month \(commitment.billingPeriodNumber) of \(commitment.totalBillingPeriods)"
        let continues = renewal.willRenew == true ? "another payment follows" : "no payment follows"
        let renews = renewal.commitment?.willAutoRenew == true ? "the commitment renews" : "the commitment ends"
        let end = renewal.commitment?.willAutoRenew == true ? "" : " on \(commitment.expirationDate.dayText)"
        say(.app, "\(month): \(continues), \(renews)\(end)")
    }
}

extension SimulatedCatalog {
    /// The catalog in the storefront of Germany, which has monthly plans, with prices in euros.
    fileprivate var inGermany: SimulatedCatalog {
        var catalog = self
        if let germany = SimulatedStorefront(countryCode: "DEU") { catalog.storefront = germany }
        catalog.localeIdentifier = "\(localeIdentifier.prefix { $0.isLetter })_DE"
        return catalog
    }
}
