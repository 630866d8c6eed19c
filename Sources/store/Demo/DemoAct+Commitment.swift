import AppReceipt
import AppStoreSimulator
import AsyncStoreKit
import Foundation

extension DemoAct {
    static let commitment = DemoAct(title: "A subscription, paid monthly with a 12-month commitment") { stage in
        let product = try stage.castCommitted()
        let (id, name) = (product.productID, stage.name(of: product.productID))
        guard let terms = try await stage.store.products(for: [id])[id]?.terms(of: .monthly) else {
            throw Skipped(reason: "the storefront has no monthly plan.")
        }
        stage.say(
            .app, "shows both prices: \(terms.billingDisplayPrice) a month, \(terms.commitment.displayPrice) in all")
        stage.say(.customer, "buys \(name) on the monthly plan")
        let outcome = try await stage.store.purchase(id, options: [.billingPlan(.monthly)]) { _ in }
        guard case .success = outcome else { throw Unexpected(outcome: outcome) }
        stage.own(product)
        try await stage.sayCommitment(of: id)
        try await stage.receiveRenewals(3)
        stage.say(.customer, "cancels; the payments of the commitment continue")
        try stage.appStore.disableAutoRenew(of: id)
        try await stage.sayCommitment(of: id)
        try await stage.receiveRenewals(8)
        try await stage.sayCommitment(of: id)
        stage.appStore.advance(by: .months(1))
        let state = await stage.store.entitlements.refresh()[id]?.state.rawValue ?? "unknown"
        stage.say(.app, "after 12 payments: \(state)")
        try await stage.sayUnfinished()
    }
}

extension DemoStage {
    /// A product with a monthly plan, for a customer who has no subscription of its group.
    fileprivate func castCommitted() throws(DemoAct.Skipped) -> SimulatedProduct {
        guard let product = MonthlyPlans.products(in: catalog).first else {
            throw DemoAct.Skipped(reason: "the file has no subscription with a monthly plan.")
        }
        if appStore.allTransactions().contains(where: { $0.groupID == product.subscription?.groupID }) {
            changeCustomer()
        }
        return product
    }

    /// Lets months pass, and finishes the renewals.
    fileprivate func receiveRenewals(_ count: Int) async throws {
        for _ in 0..<count {
            appStore.advance(by: .months(1))
            let renewal = try await nextUpdate()
            await renewal.finish()
        }
        // What the device says at the very end of a period isn't believed at once.
        appStore.advance(by: .days(1))
        say(.stream, "\(count) renewals, a month each")
    }

    /// What the entitlement says of a commitment.
    fileprivate func sayCommitment(of productID: String) async throws {
        try await settle()
        guard let entitlement = await store.entitlements.refresh()[productID], let commitment = entitlement.commitment,
            let end = entitlement.accessEndDate, let renewal = entitlement.renewal
        else { throw StoreError(.unknown, "There is no commitment.") }
        say(
            .app,
            "month \(commitment.billingPeriodNumber) of \(commitment.totalBillingPeriods), access to "
                + end.formatted(.iso8601.year().month().day()))
        let change =
            renewal.changeDate.map { "changes on \($0.formatted(.iso8601.year().month().day()))" } ?? "nothing changes"
        let renews = renewal.commitment?.willAutoRenew == true
        say(
            .app,
            "another payment: \(renewal.willRenew == true ? "yes" : "no"), commitment renews: \(renews ? "yes" : "no"), \(change)"
        )
    }
}
