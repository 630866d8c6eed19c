import AppReceipt
import Foundation
import TestHarness
import Testing

@Suite(.bounded) struct SubscriptionStatusTests {
    private typealias F = ReceiptFixtures

    private func state(
        _ rows: [ReceiptTransaction], _ renewals: [ReceiptRenewal] = [], of products: Set<String> = ["monthly"],
        on day: Double
    ) -> ReceiptSubscriptionState {
        F.receipt(rows, renewals).subscriptionStatus(of: products, at: .date(F.day(day))).state
    }

    @Test func `a running period is active, and its last moment is not`() {
        let rows = [F.period("monthly", from: 0)]
        expectEqual(state(rows, on: 0), .subscribed)
        expectEqual(state(rows, on: 29.999), .subscribed)
        expectEqual(state(rows, on: 30), .expired)
    }

    @Test func `a product without rows was never bought`() {
        let status = F.receipt([F.period("weekly", from: 0)]).subscriptionStatus(of: "monthly", at: .now)
        expectEqual(status.state, .neverSubscribed)
        #expect(
            status.transaction == nil && status.expirationDate == nil && status.transactions.isEmpty
                && !status.isEntitled)
    }

    @Test func `a period that starts after Foundation's distant future counts`() {
        let status = F.receipt([F.period("monthly", from: 2_000_000)]).subscriptionStatus(of: "monthly", at: .now)
        #expect(F.day(2_000_000) > .distantFuture)
        expectEqual(status.state, .subscribed)
    }

    @Test func `the period that ends last decides, in any order of the rows`() {
        let rows = [F.period("monthly", from: 30), F.period("monthly", from: 0), F.period("monthly", from: 60)]
        let status = F.receipt(rows).subscriptionStatus(of: "monthly", at: .date(F.day(65)))
        expectEqual(status.state, .subscribed)
        expectEqual(status.expirationDate, F.day(90))
        expectEqual(status.transactions.map(\.transactionID), ["1060", "1030", "1000"])
        expectEqual(status.transaction?.transactionID, "1060")
    }

    @Test func `a longer period bought earlier outlasts a shorter one bought later`() {
        let rows = [F.period("yearly", from: 0, days: 365), F.period("weekly", from: 30, days: 7)]
        let status = F.receipt(rows).subscriptionStatus(of: ["weekly", "monthly", "yearly"], at: .date(F.day(100)))
        expectEqual(status.state, .subscribed)
        expectEqual(status.transaction?.productID, "yearly")
        expectEqual(status.productIDs, ["weekly", "monthly", "yearly"])
    }

    @Test func `the grace period gives access until its end`() {
        let renewal = ReceiptRenewal(
            productID: "monthly", originalTransactionID: "1000", willAutoRenew: true, expirationReason: .billingError,
            isInBillingRetry: true, gracePeriodExpirationDate: F.day(36))
        let receipt = F.receipt([F.period("monthly", from: 0)], [renewal])
        let grace = receipt.subscriptionStatus(of: "monthly", at: .date(F.day(35)))
        #expect(grace.state == .inGracePeriod && grace.isEntitled)
        expectEqual(grace.expirationDate, F.day(30))
        expectEqual(grace.accessEndDate, F.day(36))
        expectEqual(grace.willAutoRenew, true)
        let retry = receipt.subscriptionStatus(of: "monthly", at: .date(F.day(36)))
        #expect(retry.state == .inBillingRetryPeriod && !retry.isEntitled)
        expectEqual(retry.accessEndDate, F.day(30))
        expectEqual(retry.renewal?.expirationReason, .billingError)
    }

    @Test func `billing retry is over after sixty days`() {
        let renewal = ReceiptRenewal(productID: "monthly", originalTransactionID: "1000", isInBillingRetry: true)
        expectEqual(state([F.period("monthly", from: 0)], [renewal], on: 89), .inBillingRetryPeriod)
        expectEqual(state([F.period("monthly", from: 0)], [renewal], on: 91), .expired)
    }

    @Test func `renewal information of another subscription does not count`() {
        let renewal = ReceiptRenewal(productID: "news", originalTransactionID: "77", isInBillingRetry: true)
        expectEqual(state([F.period("monthly", from: 0)], [renewal], on: 31), .expired)
    }

    @Test func `a refunded period is revoked, and an earlier one that still runs is not`() {
        let refunded = F.period("monthly", from: 30) { $0.revocationDate = F.day(31) }
        expectEqual(state([F.period("monthly", from: 0), refunded], on: 32), .revoked)
        expectEqual(state([F.period("monthly", from: 0, days: 60), refunded], on: 32), .subscribed)
    }

    @Test func `an upgraded row counts for the lower product only`() {
        let lower = F.period("monthly", from: 0) {
            $0.isUpgraded = true
            $0.revocationDate = F.day(10)
        }
        let rows = [lower, F.period("yearly", from: 10, days: 365)]
        expectEqual(state(rows, of: ["monthly"], on: 12), .upgraded)
        expectEqual(state(rows, of: ["monthly", "yearly"], on: 12), .subscribed)
        expectEqual(state(rows, of: ["monthly", "yearly"], on: 400), .expired)
    }

    @Test func `between an ended period and one yet to begin the subscription has expired`() {
        let rows = [F.period("monthly", from: 0), F.period("monthly", from: 60)]
        expectEqual(state(rows, on: 40), .expired)
        expectEqual(state(rows, on: 59.5), .subscribed, "renewals are listed up to a day before they begin")
        expectEqual(state(rows, on: 61), .subscribed)
    }

    @Test func `a later purchase doesn't count for an earlier date`() {
        expectEqual(state([F.period("monthly", from: 60)], on: 10), .neverSubscribed)
    }

    @Test func `a device with a clock years behind doesn't lose a purchase`() {
        let row = ReceiptTransaction(
            productID: "monthly", transactionID: "1", purchaseDate: Date().addingTimeInterval(1e9),
            expirationDate: Date().addingTimeInterval(1e9 + 100))
        expectEqual(F.receipt([row]).subscriptionStatus(of: "monthly", at: .now).state, .subscribed)
    }

    @Test func `the receipt's own date is the request date, then the creation date`() {
        var contents = ReceiptContents(transactions: [F.period("monthly", from: 0)])
        contents.creationDate = F.day(31)
        expectEqual(Receipt(contents).subscriptionStatus(of: "monthly", at: .requestDate).state, .expired)
        contents.requestDate = F.day(29)
        let status = Receipt(contents).subscriptionStatus(of: "monthly", at: .requestDate)
        expectEqual(status.state, .subscribed)
        expectEqual(status.date, F.day(29))
    }

    @Test func `a non-renewing subscription lasts its duration from the last valid purchase`() {
        let first = ReceiptTransaction(productID: "season", transactionID: "1", purchaseDate: F.day(0))
        var second = ReceiptTransaction(productID: "season", transactionID: "2", purchaseDate: F.day(20))
        func status(_ rows: [ReceiptTransaction], on day: Double) -> ReceiptSubscriptionStatus {
            F.receipt(rows).subscriptionStatus(ofNonRenewing: ["season"], duration: 10 * 86_400, at: .date(F.day(day)))
        }
        expectEqual(status([first], on: 9).state, .subscribed)
        expectEqual(status([first], on: 10).state, .expired)
        expectEqual(status([first, second], on: 25).expirationDate, F.day(30))
        expectEqual(status([], on: 5).state, .neverSubscribed)
        second.revocationDate = F.day(21)
        expectEqual(status([first, second], on: 25).state, .revoked)
        expectEqual(status([second], on: 25).state, .revoked)
    }

    @Test func `a group is evaluated by its identifier, or derived without one`() {
        let rows = [
            F.period("monthly", from: 0) { $0.subscriptionGroupID = "200" },
            F.period("yearly", from: 30, days: 365) { $0.subscriptionGroupID = "200" },
            F.period("news", from: 0, original: "2000"), F.period("news.plus", from: 31, original: "2000"),
        ]
        let receipt = F.receipt(rows)
        expectEqual(receipt.subscriptionStatus(ofGroup: "200", at: .date(F.day(50)))?.transaction?.productID, "yearly")
        expectEqual(receipt.subscriptionStatus(ofGroup: "none", at: .now)?.state, .neverSubscribed)
        expectEqual(
            F.receipt([F.period("monthly", from: 0)]).subscriptionStatus(ofGroup: "200", at: .now), nil, "no groups")
        let all = receipt.subscriptionStatuses(at: .date(F.day(70)))
        expectEqual(all.map(\.productIDs), [["monthly", "yearly"], ["news", "news.plus"]])
        expectEqual(all.map(\.state), [.subscribed, .expired])
        expectEqual(receipt.subscriptionGroups, ["200": ["monthly", "yearly"]])
    }

    @Test func `products with a chain of changes of any length are one group`() {
        let rows = (0..<2_000).map {
            F.period("p\($0 / 2)", from: Double(($0 * 7) % 2_000), transaction: "\($0)", original: "\(($0 + 1) / 2)")
        }
        let statuses = F.receipt(rows).subscriptionStatuses(at: .date(F.day(3_000)))
        expectEqual(statuses.count, 1)
        expectEqual(statuses.first?.productIDs.count, 1_000)
    }

    @Test func `the status names the offer of the deciding period`() {
        func offer(_ change: (inout ReceiptTransaction) -> Void) -> SignedTransactionOffer? {
            F.receipt([F.period("monthly", from: 0, change)]).subscriptionStatus(of: "monthly", at: .date(F.day(1)))
                .appliedOffer
        }
        expectEqual(offer { $0.isTrialPeriod = true }, SignedTransactionOffer(kind: .introductory, payment: .freeTrial))
        expectEqual(offer { $0.isInIntroductoryOfferPeriod = true }, SignedTransactionOffer(kind: .introductory))
        expectEqual(
            offer { $0.promotionalOfferID = "back" }, SignedTransactionOffer(kind: .promotional, identifier: "back"))
        expectEqual(
            offer { $0.offerCodeReferenceName = "fair" }, SignedTransactionOffer(kind: .offerCode, identifier: "fair"))
        expectEqual(offer { _ in }, nil)
    }
}
