import AppReceipt
import AsyncStoreKit
import Foundation
import TestHarness
import Testing

/// The second column of the tables in the article Migrate from RevenueCat. Nothing calls these functions.
private struct FromRevenueCat {
    let productIDs = ["pro"]
    let userID = UUID()
    let jws = "signed by the server"

    private func ignore(_ values: Any?...) {}

    func settings() {
        var configuration = StoreConfiguration()
        configuration.log = { print($0) }
        configuration.entitlementCache = EntitlementFile()
        var options = PurchaseOptions()
        options.account = .token(userID)
        ignore(PurchaseStore(), PurchaseStore(mode: .observing), configuration, options)
        ignore(AccessLevel("pro", products: ["pro"], groups: ["club"]))
    }

    func products(_ store: PurchaseStore) async throws {
        let products = try await store.products(for: productIDs)
        guard let product = products["pro"] else { return }
        ignore(product.displayName, product.description, product.displayPrice, product.currency)
        ignore(product.pricePerMonth, product.introductoryOffer, product.promotionalOffers)
        ignore(await store.isEligibleForIntroductoryOffer(inGroup: "club"), await store.offers(for: product))
    }

    func purchases(_ store: PurchaseStore, _ product: StoreProduct, _ offer: StoreOffer) async throws {
        let options = PurchaseOptions()
        switch try await store.purchase(product, options: options) {
        case PurchaseOutcome.pending(let pending): ignore(PurchaseOutcome.pending(pending))
        case .userCancelled: ignore(PurchaseOutcome.userCancelled)
        case .success: break
        }
        ignore(StoreError.Code.networkError, StoreError.Code.productUnavailable, store.canMakePayments)
        ignore(PurchaseOffer.promotional(id: "back", jws: jws), PurchaseOffer.winBack(offer))
        ignore(try await store.restore(), try await store.redeemOfferCode(), store.purchaseIntents)
        ignore(store.purchaseFailures, store.transactions, store.messages, store.events)
    }

    func access(_ store: PurchaseStore) async throws {
        for await entitlements in store.entitlements {
            ignore(entitlements.contains("pro"), entitlements.active)
        }
        ignore(await store.entitlements.current, store.entitlements.latest, await store.entitlements.refresh())
        ignore(try await store.transactionHistory(), try await store.consumablePurchases())
        guard let entitlement = await store.entitlements.current["pro"] else { return }
        ignore(entitlement.isTrial, entitlement.renewal?.willRenew, entitlement.renewal?.willRenew == false)
        ignore(entitlement.state == .inGracePeriod, entitlement.accessEndDate, entitlement.isFamilyShared)
    }

    func management(_ store: PurchaseStore, _ transaction: VerifiedTransaction) async throws {
        try await store.manageSubscriptions(inGroup: "club")
        ignore(try await store.requestRefund(for: transaction))
        try await store.eraseStoredData()
    }
}

@Suite(.bounded) struct FromRevenueCatTests {
    private static let documented = DocumentedCode()
    /// The views are in a module that needs SwiftUI.
    private static let views = [
        "SubscriptionPicker", "paywall(for:isDismissible:content:)", "ManageSubscriptionsButton",
    ]

    @Test func `each row names code that compiles`() throws {
        let article = try Self.documented.text(
            of: "Sources/AsyncStoreKit/AsyncStoreKit.docc/Articles/FromRevenueCat.md")
        let code = try Self.documented.text(of: "Tests/DocumentationTests/Examples/FromRevenueCat.swift")
        let rows = article.components(separatedBy: "\n").filter { $0.hasPrefix("| ") && !$0.hasPrefix("| RevenueCat") }
        #expect(rows.count >= 40, "\(rows.count) rows")
        for row in rows {
            let ours = row.components(separatedBy: " | ")[1]
            guard ours != "–" else { continue }
            let span = ours.components(separatedBy: "`").dropFirst().first ?? ""
            #expect(!span.isEmpty && (Self.views.contains(span) || code.contains(span)), "\(row)")
        }
    }
}
