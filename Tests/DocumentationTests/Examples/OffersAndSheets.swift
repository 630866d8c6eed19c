import AppReceipt
import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation
import TestHarness
import Testing

/// The code of the articles on discounts, on sheets, and on what the customer has.
@MainActor private final class ScreenExamples {
    let store: PurchaseStore
    let server = Server()
    var message = ""

    init(_ store: PurchaseStore) {
        self.store = store
    }

    func gameHasPaused() async {}

    func days(from now: Date, to date: Date?) -> Int {
        Int((date ?? now).timeIntervalSince(now) / 86_400)
    }

    func describeBestOffer(of product: StoreProduct) async -> String? {
        let offers = await store.offers(for: product)
        guard let offer = offers.best else { return nil }
        switch offer.paymentMode {
        case .freeTrial:
            return "Free for \(offer.period.formatted(in: .current))"
        default:
            return "\(offer.displayPrice) at first, then \(product.displayPrice)"
        }
    }

    func buyWithOffer(account: UUID) async throws {
        let productID = "com.example.monthly"
        let offer = try await server.sign(offer: "half-price", for: productID, account: account)
        let options: PurchaseOptions = [.appAccountToken(account), .offer(offer)]
        try await store.purchase(productID, options: options) { purchase in
            try await server.deliver(purchase)
        }
    }

    func winBack(_ product: StoreProduct) async throws {
        let offers = await store.offers(for: product)
        guard let offer = offers.first(where: { $0.kind == .winBack }) else { return }
        try await store.purchase(product, options: [.offer(.winBack(offer))]) { purchase in
            try await server.deliver(purchase)
        }
    }

    func label(_ yearly: StoreProduct, comparedTo monthly: StoreProduct) -> String {
        var text = yearly.displayPrice
        if let price = yearly.pricePerMonth { text += " (\(price) per month)" }
        if let percent = yearly.saving(comparedTo: monthly) { text += ", \(percent) % less" }
        return text
    }

    func requestRefund(of entitlement: StoreEntitlement) async -> String? {
        do throws(StoreError) {
            switch try await store.requestRefund(for: entitlement.transaction) {
            case .submitted: return "Apple will answer your request by email."
            case .userCancelled: return nil
            }
        } catch {
            switch error.code {
            case .refundDuplicate: return "You have already requested a refund."
            default: return error.localizedDescription
            }
        }
    }

    func buttons(for entitlement: StoreEntitlement) -> [String] {
        var buttons: [String] = []
        if entitlement.actions.contains(.changePlan) { buttons.append("Change plan") }
        if entitlement.actions.contains(.manage) { buttons.append("Cancel subscription") }
        if entitlement.actions.contains(.requestRefund) { buttons.append("Request a refund") }
        return buttons
    }

    func manage() async throws {
        try await store.manageSubscriptions(inGroup: "club")
    }

    func redeem() async throws {
        if case .userCancelled = try await store.redeemOfferCode() { return }
        message = "Thank you!"
    }

    func showMessages() async {
        for await message in store.messages {
            await gameHasPaused()
            try? await store.show(message)
        }
    }

    func subscriptionText(_ entitlements: StoreEntitlements, now: Date) -> String {
        let status = entitlements.status(inGroup: "club")
        switch status.state {
        case .unknown: return ""
        case .subscribed where status.isTrial:
            let remaining = days(from: now, to: status.expirationDate)
            return "Your trial ends in \(remaining) days."
        case .subscribed where status.renewal?.willRenew == false:
            return "Your subscription has been canceled."
        case .subscribed: return "You're a member."
        case .inGracePeriod, .inBillingRetryPeriod: return "Update your payment method."
        case .expired where status.expirationReason == .billingError: return "Your payment failed."
        case .expired: return "Your subscription has ended."
        default: return "Become a member."
        }
    }

    func historyLines() async throws -> [String] {
        try await store.transactionHistory().map { transaction in
            let refund = transaction.revocationDate == nil ? "" : ", refunded"
            let currency = transaction.currency ?? ""
            let price = "\(transaction.price ?? 0) \(currency)"
            return "\(transaction.productID): \(price)\(refund)"
        }
    }

    func storeWithTrial() -> PurchaseStore {
        let durations: [String: TimeInterval] = ["com.example.trial": 14 * 86_400]
        return PurchaseStore(configuration: StoreConfiguration(nonRenewingDurations: durations))
    }
}

@Suite(.bounded) @MainActor struct ScreenExampleTests {
    private let appStore = SimulatedAppStore(products: [
        .autoRenewable(
            "com.example.monthly", price: 5, period: .month(1), group: "club", introductoryOffer: .freeTrial(.week(1)),
            promotionalOffers: [.payAsYouGo(2.5, each: .month(1), times: 3, id: "half-price")],
            winBackOffers: [.payUpFront(6, for: .months(3), id: "back")],
            codeOffers: [.freeTrial(.month(1), id: "gift")]),
        .autoRenewable("com.example.yearly", price: 30, period: .year(1), group: "club"),
        .nonConsumable("com.example.pro", price: 10),
    ])

    private var screen: ScreenExamples { ScreenExamples(PurchaseStore(simulating: appStore)) }

    private func monthly(_ screen: ScreenExamples) async throws -> StoreProduct {
        try #require(try await screen.store.products(for: ["com.example.monthly"]).first)
    }

    private func text(_ screen: ScreenExamples) async -> String {
        screen.subscriptionText(await screen.store.entitlements.refresh(), now: screen.store.now)
    }

    @Test func `a subscription screen shows a trial, a failed payment, and the end`() async throws {
        let screen = screen
        try await screen.store.purchase("com.example.monthly") { _ in }
        expectEqual(await text(screen), "Your trial ends in 7 days.")
        appStore.advance(by: .days(8))
        expectEqual(await text(screen), "You're a member.")
        try appStore.disableAutoRenew(of: "com.example.monthly")
        expectEqual(await text(screen), "Your subscription has been canceled.")
        appStore.advance(by: .months(2))
        expectEqual(await text(screen), "Your subscription has ended.")
        expectEqual(screen.subscriptionText(.unknown, now: screen.store.now), "")
    }

    @Test func `a former subscriber comes back with the offer that is shown`() async throws {
        let screen = screen
        let product = try await monthly(screen)
        try await screen.store.purchase(product) { _ in }
        try appStore.expireSubscription(productID: product.id)
        appStore.advance(by: .days(1))
        expectEqual(await screen.describeBestOffer(of: product), "$6.00 at first, then $5.00")
        try await screen.winBack(product)
        expectEqual(await screen.server.coins, 1)
        expectEqual(await screen.store.entitlements.refresh()[product.id]?.offer?.id, "back")
        try await screen.buyWithOffer(account: UUID())
    }

    @Test func `prices are compared by month`() async throws {
        let screen = screen
        let products = try await screen.store.products(for: ["com.example.yearly", "com.example.monthly"])
        expectEqual(screen.label(products[0], comparedTo: products[1]), "$30.00 ($2.50 per month), 50 % less")
    }

    @Test func `a settings screen requests a refund, and offers what Apple allows`() async throws {
        let screen = screen
        try await screen.store.purchase("com.example.pro") { _ in }
        let pro = try #require(await screen.store.entitlements.refresh()["com.example.pro"])
        expectEqual(screen.buttons(for: pro), ["Request a refund"])
        expectEqual(await screen.requestRefund(of: pro), "Apple will answer your request by email.")
        appStore.behavior.refundRequestEnding = .duplicateRequest
        expectEqual(await screen.requestRefund(of: pro), "You have already requested a refund.")
        try await screen.manage()
        appStore.behavior.offerCodeSheetReturnsTransaction = true
        try await screen.redeem()
        expectEqual(screen.message, "")
        try appStore.setNextOfferCode("gift", for: "com.example.monthly")
        try await screen.redeem()
        expectEqual(screen.message, "Thank you!")
    }

    @Test func `the history has a line for each purchase`() async throws {
        let screen = screen
        try await screen.store.purchase("com.example.pro") { _ in }
        try appStore.refund("com.example.pro")
        expectEqual(try await screen.historyLines(), ["com.example.pro: 10 USD, refunded"])
    }
}
