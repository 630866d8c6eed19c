import AppReceipt
import Foundation
import ReceiptTestFixtures
import TestHarness
import Testing

@Suite(.bounded) struct SubscriptionStatusTests {
    private typealias F = ReceiptFixtures

    /// A receipt of subscription periods. A period lasts 30 days, and its transaction has the number of its first day
    /// plus 1000.
    ///
    /// | step | what it does |
    /// |---|---|
    /// | `period monthly 0 [days 60] [revoked 31] [upgraded]` | a period that begins on a day |
    /// | `retry monthly [of 77] [grace 36]` | the renewal of transaction 1000 hasn't been paid |
    /// | `day 29.5 [of monthly yearly]` | the state of the products, by default monthly |
    /// | `expires 29.5`, … | a property of the status on a day |
    private struct Periods {
        var rows: [ReceiptTransaction] = []
        var renewals: [ReceiptRenewal] = []

        mutating func perform(_ step: Script.Step) -> String? {
            switch step.verb {
            case "period":
                let period = F.period(step[0], from: Double(step[1]) ?? 0, days: step.number("days") ?? 30) {
                    $0.isUpgraded = step.has("upgraded") ? true : $0.isUpgraded
                    $0.revocationDate = step.number("revoked").map(F.day)
                }
                rows.append(period)
            case "retry":
                var renewal = ReceiptRenewal(
                    RenewalFacts(
                        productID: step[0], originalTransactionID: step["of"] ?? "1000", isInBillingRetry: true))
                if let grace = step.number("grace") {
                    renewal.gracePeriodExpirationDate = F.day(grace)
                    renewal.willAutoRenew = true
                    renewal.expirationReason = .billingError
                }
                renewals.append(renewal)
            default: return property(step)
            }
            return nil
        }

        private func property(_ step: Script.Step) -> String {
            let products = step.arguments.drop { $0 != "of" }.dropFirst()
            let status = F.receipt(rows, renewals).subscriptionStatus(
                of: products.isEmpty ? ["monthly"] : Set(products), at: .date(F.day(Double(step[0]) ?? 0)))
            switch step.verb {
            case "day": return status.state.rawValue
            case "isEntitled": return Script.answer(status.isEntitled)
            case "expires": return day(status.expirationDate)
            case "accessEnds": return day(status.accessEndDate)
            case "renews": return status.willAutoRenew.map(Script.answer) ?? "unknown"
            case "reason": return status.renewal?.expirationReason == .billingError ? "billingError" : "another"
            case "decides": return status.transaction.map { "\($0.productID) \($0.transactionID)" } ?? "none"
            case "transactions": return Script.list(status.transactions.map(\.transactionID))
            case "products": return Script.list(status.productIDs.sorted())
            default: return step.unknown
            }
        }

        private func day(_ date: Date?) -> String {
            date.map { Script.text($0.timeIntervalSince(F.newYear) / 86_400) } ?? "none"
        }
    }

    static let scripts = [
        Script(
            "a running period is active, and its last moment is not",
            "period monthly 0, day 0 → subscribed, day 29.999 → subscribed, day 30 → expired"),
        Script(
            "the period that ends last decides, in any order of the rows",
            """
            period monthly 30, period monthly 0, period monthly 60, day 65 → subscribed, expires 65 → 90
            transactions 65 → 1060 + 1030 + 1000, decides 65 → monthly 1060
            """),
        Script(
            "a longer period bought earlier outlasts a shorter one bought later",
            """
            period yearly 0 days 365, period weekly 30 days 7
            day 100 of weekly monthly yearly → subscribed
            decides 100 of weekly monthly yearly → yearly 1000
            products 100 of weekly monthly yearly → monthly + weekly + yearly
            """),
        Script(
            "the grace period gives access until its end",
            """
            period monthly 0, retry monthly grace 36
            day 35 → inGracePeriod, isEntitled 35 → yes, expires 35 → 30, accessEnds 35 → 36, renews 35 → yes
            day 36 → inBillingRetryPeriod, isEntitled 36 → no, accessEnds 36 → 30, reason 36 → billingError
            """),
        Script(
            "renewal information of another subscription is ignored",
            "period monthly 0, retry news of 77, day 31 → expired"),
        Script(
            "a refunded period is revoked", "period monthly 0, period monthly 30 revoked 31, day 32 → revoked"),
        Script(
            "an earlier period that still runs is not revoked with a refunded one",
            "period monthly 0 days 60, period monthly 30 revoked 31, day 32 → subscribed"),
        Script(
            "a later purchase has no effect on an earlier date", "period monthly 60, day 10 → neverSubscribed"),
    ]

    @Test(arguments: scripts) func `the periods determine the state on a day`(script: Script) {
        var periods = Periods()
        script.play { periods.perform($0) }
    }

    @Test func `a product without rows was never bought`() {
        let status = F.receipt([F.period("weekly", from: 0)]).subscriptionStatus(of: "monthly", at: .now)
        expectEqual(status.state, .neverSubscribed)
        #expect(
            status.transaction == nil && status.expirationDate == nil && status.transactions.isEmpty
                && !status.isEntitled)
    }

    @Test func `a period that starts after Foundation's distant future is evaluated`() {
        let status = F.receipt([F.period("monthly", from: 2_000_000)]).subscriptionStatus(of: "monthly", at: .now)
        #expect(F.day(2_000_000) > .distantFuture)
        expectEqual(status.state, .subscribed)
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
        func offer(_ change: (inout ReceiptTransaction) -> Void) -> TransactionOffer? {
            F.receipt([F.period("monthly", from: 0, change)]).subscriptionStatus(of: "monthly", at: .date(F.day(1)))
                .offer
        }
        expectEqual(offer { $0.isTrialPeriod = true }, TransactionOffer(kind: .introductory, paymentMode: .freeTrial))
        expectEqual(offer { $0.isInIntroductoryOfferPeriod = true }, TransactionOffer(kind: .introductory))
        expectEqual(
            offer { $0.promotionalOfferID = "back" }, TransactionOffer(kind: .promotional, id: "back"))
        expectEqual(
            offer { $0.offerCodeReferenceName = "fair" }, TransactionOffer(kind: .offerCode, id: "fair"))
        expectEqual(offer { _ in }, nil)
    }
}
