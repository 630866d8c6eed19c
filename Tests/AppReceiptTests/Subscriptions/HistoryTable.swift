import AppReceipt
import Foundation
import ReceiptTestFixtures

/// Difficult histories with the results according to Apple's documentation.
enum HistoryTable {
    private typealias F = ReceiptFixtures

    /// Returns an evaluation of `products` on a day.
    private static func at(
        _ day: Double, _ products: Set<String>, _ state: SubscriptionState, end: Double? = nil,
        product: String? = nil,
        renews: Bool? = nil, duration: Double? = nil
    ) -> History.Expectation {
        .init(
            products: products, date: .date(F.day(day)), state: state, end: end, product: product, renews: renews,
            duration: duration)
    }

    /// Returns an evaluation of the product in most histories.
    private static func at(
        _ day: Double, _ state: SubscriptionState, end: Double? = nil, product: String? = nil,
        renews: Bool? = nil
    ) -> History.Expectation {
        at(day, ["monthly"], state, end: end, product: product, renews: renews)
    }

    private static func renewal(
        _ product: String, _ original: String?, grace: Double? = nil, retry: Bool = true, renews: Bool? = nil,
        signed: Double? = nil
    ) -> ReceiptRenewal {
        var renewal = RenewalFacts(
            productID: product, originalTransactionID: original, willAutoRenew: renews, isInBillingRetry: retry,
            gracePeriodExpirationDate: grace.map(F.day))
        renewal.signedDate = signed.map(F.day)
        return ReceiptRenewal(renewal)
    }

    private static func purchase(
        _ product: String, _ transaction: String, on day: Double, original: String? = nil, originalDay: Double? = nil,
        _ change: (inout ReceiptTransaction) -> Void = { _ in }
    ) -> ReceiptTransaction {
        var row = ReceiptTransaction(
            PurchaseFacts(
                productID: product, transactionID: transaction, purchaseDate: F.day(day),
                originalTransactionID: original,
                originalPurchaseDate: originalDay.map(F.day)))
        change(&row)
        return row
    }

    static let renewals: [History] = [
        History(
            name: "a grace period belongs to the subscription it is about",
            source: "pending_renewal_info: original_transaction_id and product_id name the subscription",
            forms: [.json, .jws],
            rows: [F.period("monthly", from: 0, original: "1"), F.period("weekly", from: 10, days: 7, original: "2")],
            renewals: [
                renewal("monthly", "1", grace: 36, renews: true), renewal("weekly", "2", retry: false, renews: false),
            ],
            expectations: [
                at(32, .inGracePeriod, end: 30, renews: true), at(32, ["weekly"], .expired, end: 17, renews: false),
                at(32, ["monthly", "weekly"], .inGracePeriod, product: "monthly", renews: true),
            ]),
        History(
            name: "two subscriptions to one product: each has its own renewal",
            source: "pending_renewal_info: one element for each subscription, told by original_transaction_id",
            forms: [.json, .jws],
            rows: [
                F.period("monthly", from: 0, transaction: "11", original: "1"),
                F.period("monthly", from: 1, transaction: "21", original: "2"),
            ],
            renewals: [
                renewal("monthly", "1", grace: 36, renews: true), renewal("monthly", "2", retry: false, renews: false),
            ],
            expectations: [
                at(33, .inGracePeriod, product: "monthly", renews: true), at(37, .inBillingRetryPeriod, end: 30),
            ]),
        History(
            name: "whether a subscription renews is said of its product and original transaction",
            source:
                "auto_renew_status: the renewal status of the subscription that original_transaction_id and product_id name",
            forms: [.json, .jws],
            rows: [
                F.period("monthly", from: 0, transaction: "11", original: "1"),
                F.period("yearly", from: 0, days: 365, original: "2"),
            ],
            renewals: [
                renewal("monthly", "1", retry: false, renews: false),
                renewal("yearly", "2", retry: false, renews: true),
            ],
            expectations: [
                at(10, .subscribed, renews: false), at(10, ["yearly"], .subscribed, renews: true),
                at(10, ["monthly", "yearly"], .subscribed, end: 365, product: "yearly", renews: true),
            ]),
        History(
            name: "after a crossgrade, a renewal of the new product does not speak for the old one",
            source: "product_id of pending_renewal_info is the product of the period it is about",
            forms: [.json, .jws],
            rows: [
                F.period("monthly", from: 0, original: "1"), F.period("yearly", from: 30, days: 365, original: "1"),
            ],
            renewals: [renewal("yearly", "1", grace: 401)],
            expectations: [
                at(398, .expired, end: 30), at(398, ["yearly"], .inGracePeriod),
                at(398, ["monthly", "yearly"], .inGracePeriod, product: "yearly"),
            ]),
        History(
            name: "a renewal whose product the receipt does not have belongs to its original transaction",
            source: "original_transaction_id is the same for every period of a subscription, whatever the product",
            forms: [.json, .jws], rows: [F.period("monthly", from: 0, original: "1")],
            renewals: [renewal("yearly", "1", grace: 36)],
            expectations: [at(33, .inGracePeriod, end: 30)]),
        History(
            name: "a renewal without an original transaction belongs to its product",
            source: "receipts in the style of iOS 6 name the product alone",
            forms: [.json],
            rows: [F.period("monthly", from: 0, original: "1"), F.period("weekly", from: 0, original: "2")],
            renewals: [renewal("monthly", nil, grace: 36)],
            expectations: [at(33, .inGracePeriod), at(33, ["weekly"], .expired)]),
        History(
            name: "of two statements about a renewal the one signed later is used",
            source: "signedDate: a later JWS replaces an earlier one",
            forms: [.jws], rows: [F.period("monthly", from: 0, original: "1")],
            renewals: [
                renewal("monthly", "1", grace: 36, signed: 31), renewal("monthly", "1", retry: false, signed: 32),
            ],
            expectations: [at(33, .expired)]),
        History(
            name: "billing retry lasts sixty days",
            source: "is_in_billing_retry_period: Apple tries for up to 60 days",
            forms: [.json, .jws], rows: [F.period("monthly", from: 0, original: "1")],
            renewals: [renewal("monthly", "1")],
            expectations: [at(89.9, .inBillingRetryPeriod), at(90, .expired)]),
    ]

    static let refunds: [History] = [
        History(
            name: "a refund that was reversed in the newer list is treated as reversed",
            source: "REFUND_REVERSED: restore the purchase; latest_receipt_info is the newer list",
            forms: .json, rows: [F.period("monthly", from: 0)],
            olderRows: [F.period("monthly", from: 0) { $0.revocationDate = F.day(5) }],
            expectations: [at(10, .subscribed, end: 30)]),
        History(
            name: "a refund that only the newer list has ends access",
            source: "cancellation_date: treat a refunded transaction as never purchased",
            forms: .json, rows: [F.period("monthly", from: 0) { $0.revocationDate = F.day(5) }],
            olderRows: [F.period("monthly", from: 0)],
            expectations: [at(10, .revoked)]),
        History(
            name: "of two copies the one signed later is used: the refund was reversed",
            source: "signedDate: a later JWS replaces an earlier one",
            forms: .jws,
            rows: [
                F.period("monthly", from: 0) {
                    $0.signedDate = F.day(6)
                    $0.revocationDate = F.day(5)
                }, F.period("monthly", from: 0) { $0.signedDate = F.day(8) },
            ], expectations: [at(10, .subscribed, end: 30)]),
        History(
            name: "of two copies the one signed later is used: it was refunded",
            source: "signedDate: a later JWS replaces an earlier one",
            forms: .jws,
            rows: [
                F.period("monthly", from: 0) {
                    $0.signedDate = F.day(8)
                    $0.revocationDate = F.day(5)
                }, F.period("monthly", from: 0) { $0.signedDate = F.day(6) },
            ], expectations: [at(10, .revoked)]),
        History(
            name: "of two copies the one that ends later is used",
            source: "RENEWAL_EXTENDED: expiresDate of the same transaction moves",
            forms: .all, rows: [F.period("monthly", from: 0), F.period("monthly", from: 0, days: 44)],
            expectations: [at(40, .subscribed, end: 44), at(44, .expired)]),
        History(
            name: "a family's share that was withdrawn does not hide an own subscription",
            source:
                "REVOKE concerns the family member's transaction; the customer's own has another original transaction",
            forms: [.json, .jws],
            rows: [
                F.period("monthly", from: 0, days: 60, transaction: "11", original: "1"),
                F.period("monthly", from: 20, days: 60, transaction: "21", original: "2") {
                    $0.ownershipType = .familyShared
                    $0.revocationDate = F.day(25)
                },
            ], expectations: [at(30, .subscribed, end: 60), at(70, .revoked)]),
        History(
            name: "a refunded period after an ended one is revoked, beside a grace period it is not",
            source: "each original transaction is a subscription of its own",
            forms: [.json, .jws],
            rows: [
                F.period("monthly", from: 0, transaction: "11", original: "1"),
                F.period("monthly", from: 29, transaction: "21", original: "2") { $0.revocationDate = F.day(30) },
            ], renewals: [renewal("monthly", "1", grace: 36)],
            expectations: [at(33, .inGracePeriod, end: 30)]),
    ]

    static let changes: [History] = [
        History(
            name: "after an upgrade, a day before it is evaluated by what ran on that day",
            source: "is_upgraded: the transaction ended with the upgrade, not before",
            forms: [.json, .jws],
            rows: [
                F.period("monthly", from: 0, original: "1") {
                    $0.isUpgraded = true
                    $0.revocationDate = F.day(10)
                }, F.period("yearly", from: 10, days: 365, original: "1"),
            ],
            expectations: [
                at(0, .subscribed, end: 10, product: "monthly"), at(5, .subscribed, end: 10, product: "monthly"),
                at(9.5, ["monthly", "yearly"], .subscribed, product: "monthly"),
                at(9.999, .subscribed, end: 10), at(10, .upgraded), at(12, .upgraded),
                at(12, ["monthly", "yearly"], .subscribed, end: 375, product: "yearly"),
                at(5, ["yearly"], .neverSubscribed),
                .init(products: ["monthly"], date: .now, state: .upgraded),
            ]),
        History(
            name: "an upgrade after the period has ended makes it no longer",
            source: "expires_date: the period ends then, whatever comes later",
            forms: [.json, .jws],
            rows: [
                F.period("monthly", from: 0, original: "1") {
                    $0.isUpgraded = true
                    $0.revocationDate = F.day(31)
                }, F.period("yearly", from: 31, days: 365, original: "1"),
            ], expectations: [at(29.9, .subscribed, end: 30), at(30, .upgraded)]),
        History(
            name: "a gap between two periods is a gap, and a renewal is listed up to a day ahead",
            source: "renewals are charged within 24 hours before the period begins",
            forms: .all, rows: [F.period("monthly", from: 0), F.period("monthly", from: 60)],
            expectations: [
                at(40, .expired, end: 30), at(59.5, .subscribed, end: 90), at(61, .subscribed),
                at(10, .subscribed, end: 30),
            ]),
        History(
            name: "a device whose clock is behind does not lose a running subscription",
            source: "every period in the receipt has begun, whatever the device's clock says",
            forms: .all,
            rows: [
                F.period("monthly", from: 30_000, transaction: "1"),
                F.period("monthly", from: 30_060, transaction: "2"),
                F.period("monthly", from: 0, transaction: "3"),
            ], expectations: [.init(products: ["monthly"], date: .now, state: .subscribed, end: 30_090)]),
        History(
            name: "each original transaction is evaluated by itself, the best first",
            source: "each original transaction is a subscription of its own",
            forms: .all,
            rows: [
                F.period("monthly", from: 0, transaction: "11", original: "1"),
                F.period("monthly", from: 25, transaction: "21", original: "2"),
                F.period("weekly", from: 26, days: 7, transaction: "31", original: "3"),
            ],
            expectations: [
                at(28, ["monthly", "weekly"], .subscribed, end: 55, product: "monthly"), at(31, .subscribed, end: 55),
                at(60, .expired, end: 55),
                at(60, ["monthly", "weekly"], .expired, product: "weekly"),
            ]),
        History(
            name: "a set with a lifetime product gives access for good",
            source: "a non-consumable does not expire",
            forms: .all, rows: [F.period("monthly", from: 0), purchase("lifetime", "9", on: 40)],
            expectations: [
                at(35, ["monthly", "lifetime"], .expired),
                at(50, ["monthly", "lifetime"], .subscribed, product: "lifetime"),
                at(5_000, ["lifetime"], .subscribed), at(50, .expired),
            ]),
        History(
            name: "a lifetime product that was refunded does not",
            source: "cancellation_date: treat a refunded transaction as never purchased",
            forms: .all,
            rows: [F.period("monthly", from: 0), purchase("lifetime", "9", on: 20) { $0.revocationDate = F.day(21) }],
            expectations: [
                at(25, ["monthly", "lifetime"], .subscribed, end: 30, product: "monthly"),
                at(35, ["monthly"], .expired),
            ]),
    ]

    static let nonRenewing: [History] = [
        History(
            name: "a restored copy of a non-renewing purchase starts on its original date",
            source:
                "original_purchase_date is when it was bought, purchase_date of a restored copy when it was restored",
            forms: .all,
            rows: [purchase("season", "1", on: 0), purchase("season", "7", on: 20, original: "1", originalDay: 0)],
            expectations: [
                at(5, ["season"], .subscribed, end: 10, duration: 10),
                at(15, ["season"], .expired, end: 10, duration: 10),
                at(21, ["season"], .expired, end: 10, duration: 10),
            ]),
        History(
            name: "two in a row add up",
            source: "the second was paid for, too",
            forms: .all,
            rows: [purchase("season", "1", on: 0), purchase("season", "2", on: 4), purchase("season", "3", on: 40)],
            expectations: [
                at(15, ["season"], .subscribed, end: 20, duration: 10), at(20, ["season"], .expired, duration: 10),
                at(42, ["season"], .subscribed, end: 50, duration: 10),
                at(3, ["season"], .subscribed, end: 10, duration: 10),
                at(5, ["summer"], .neverSubscribed, duration: 10),
            ]),
        History(
            name: "one of the two was refunded",
            source: "cancellation_date: treat a refunded transaction as never purchased",
            forms: .all,
            rows: [purchase("season", "1", on: 0), purchase("season", "2", on: 4) { $0.revocationDate = F.day(5) }],
            expectations: [
                at(9, ["season"], .subscribed, end: 10, duration: 10), at(15, ["season"], .revoked, duration: 10),
            ]),
        History(
            name: "three bought at once",
            source: "quantity is how many were bought",
            forms: .all, rows: [purchase("season", "1", on: 0) { $0.quantity = 3 }],
            expectations: [
                at(29, ["season"], .subscribed, end: 30, duration: 10), at(31, ["season"], .expired, duration: 10),
            ]),
    ]

    static let all = renewals + refunds + changes + nonRenewing
}
