import Foundation
import Support
import SwiftyStoreKit

/// Questions about the receipt dictionary of `verifyReceipt`.
enum ReceiptComparisons {
    typealias Row = Comparison

    static let all =
        rows + flags + dates + lists + purchases + subscriptions + cancellations + renewals + clocks + nonRenewing
        + products

    // Receipts. Days are counted from the first of January 2026.

    private typealias X = ReceiptExamples

    private static func ms(_ day: Double) -> String { X.milliseconds(day) }

    private static func row(_ product: String, _ id: String, day: Double = 0, _ members: [String: Any] = [:])
        -> [String: Any]
    { X.row(product, id, day: day, members) }

    private static func period(
        _ id: String, day: Double = 0, _ members: [String: Any] = [:], of product: String = "weekly"
    ) -> [String: Any] { X.period(product, id, from: day, members) }

    /// The members of a row that Apple has revoked.
    private static func revoked(_ day: Double) -> [String: Any] {
        let words = "\(X.day(day))".replacing("+0000", with: "Etc/GMT")
        return ["cancellation_date": words, "cancellation_date_ms": ms(day)]
    }

    private static func info(_ members: [String: Any]) -> ReceiptInfo { X.info(members) }

    private static func bought(_ rows: [String: Any]...) -> ReceiptInfo {
        info(["status": 0, "receipt": ["in_app": rows]])
    }

    private static func subscribed(
        _ rows: [String: Any]..., asked day: Double? = nil, with members: [String: Any] = [:]
    ) -> ReceiptInfo {
        let receipt: [String: Any] = day.map { ["request_date_ms": ms($0)] } ?? [:]
        return info(["status": 0, "receipt": receipt, "latest_receipt_info": rows].merging(members) { $1 })
    }

    // The questions and their results as texts.

    private static func day(_ date: Date) -> String { (date.timeIntervalSince(X.day(0)) / 86_400).formatted() }

    private static func item(_ row: [String: Any]) -> String {
        guard let item = ReceiptItem(receiptInfo: info(row)) else { return "no item" }
        return
            "\(item.productId)×\(item.quantity) \(item.transactionId) of \(item.originalTransactionId), day \(day(item.purchaseDate))"
    }

    private static func flagsOf(_ row: [String: Any]) -> String {
        guard let item = ReceiptItem(receiptInfo: info(row)) else { return "no item" }
        let flags = [
            ("trial", item.isTrialPeriod), ("intro", item.isInIntroOfferPeriod), ("upgraded", item.isUpgraded),
        ]
        return flags.filter(\.1).map(\.0).joined(separator: ", ")
    }

    private static func datesOf(_ row: [String: Any]) -> String {
        guard let item = ReceiptItem(receiptInfo: info(row)) else { return "no item" }
        let dates: [(String, Date?)] = [
            ("bought", item.purchaseDate), ("first", item.originalPurchaseDate),
            ("ends", item.subscriptionExpirationDate), ("revoked", item.cancellationDate),
        ]
        return dates.compactMap { name, date in date.map { "\(name) \(day($0))" } }.joined(separator: ", ")
    }

    private static func purchase(_ product: String, _ receipt: ReceiptInfo) -> String {
        guard case .purchased(let item) = ReceiptQueries.verifyPurchase(productId: product, inReceipt: receipt) else {
            return "not purchased"
        }
        return "purchased \(item.transactionId)"
    }

    private static func subscription(
        _ receipt: ReceiptInfo, _ products: Set<String> = ["weekly"], type: SubscriptionType = .autoRenewable,
        on date: Double = 10
    ) -> String {
        let result = ReceiptQueries.verifySubscriptions(
            ofType: type, productIds: products, inReceipt: receipt,
            validUntil: X.day(date))
        switch result {
        case .purchased(let end, let items):
            return "until \(day(end)): \(items.map(\.transactionId).joined(separator: ", "))"
        case .expired(let end, let items):
            return "expired \(day(end)): \(items.map(\.transactionId).joined(separator: ", "))"
        case .notPurchased: return "not purchased"
        }
    }

    private static func ids(_ receipt: ReceiptInfo, type: SubscriptionType = .autoRenewable) -> String {
        ReceiptQueries.getDistinctPurchaseIds(ofType: type, inReceipt: receipt).map {
            $0.sorted().joined(separator: ", ")
        } ?? "nil"
    }

    private static func lasting(_ days: Double) -> SubscriptionType { .nonRenewing(validDuration: days * 86_400) }

    // The scenarios. The first outcome of a scenario is that of 0.16.4.

    private static let rows: [Row] = [
        row("a row as Apple writes it", "weekly×1 1 of 1000, day 0") { item(row("weekly", "1")) },
        row("several of one", "weekly×3 1 of 1000, day 0") { item(row("weekly", "1", ["quantity": "3"])) },
        row("a row without a product", "no item") { item(row("weekly", "1", ["product_id": NSNull()])) },
        row("a row whose product is a number", "no item", now: "7×1 1 of 1000, day 0", .lenientRows) {
            item(row("weekly", "1", ["product_id": 7]))
        },
        row("a row without a transaction", "no item") { item(row("weekly", "1", ["transaction_id": NSNull()])) },
        row("a row whose transaction is a number", "no item", now: "weekly×1 12 of 1000, day 0", .lenientRows) {
            item(row("weekly", "1", ["transaction_id": 12]))
        },
        row("a row without an original transaction", "no item", now: "weekly×1 1 of 1, day 0", .lenientRows) {
            item(row("weekly", "1", ["original_transaction_id": NSNull()]))
        },
        row("a row without a quantity", "no item", now: "weekly×1 1 of 1000, day 0", .lenientRows) {
            item(row("weekly", "1", ["quantity": NSNull()]))
        },
        row("a row whose quantity is a number", "no item", now: "weekly×2 1 of 1000, day 0", .lenientRows) {
            item(row("weekly", "1", ["quantity": 2]))
        },
        row("a row whose quantity is no number", "no item", now: "weekly×1 1 of 1000, day 0", .lenientRows) {
            item(row("weekly", "1", ["quantity": "many"]))
        },
        row("a row without a purchase date", "no item") { item(row("weekly", "1", ["purchase_date_ms": NSNull()])) },
        row("a row with its date in words only", "no item", now: "weekly×1 1 of 1000, day 1", .lenientRows) {
            item(row("weekly", "1", ["purchase_date_ms": NSNull(), "purchase_date": "2026-01-02 00:00:00 Etc/GMT"]))
        },
        row("a row whose date is a number", "no item", now: "weekly×1 1 of 1000, day 2", .lenientRows) {
            item(row("weekly", "1", ["purchase_date_ms": 1_767_398_400_000]))
        },
        row("a row whose date is nonsense", "no item") { item(row("weekly", "1", ["purchase_date_ms": "soon"])) },
        row("a row without an original date", "no item", now: "weekly×1 1 of 1000, day 0", .lenientRows) {
            item(row("weekly", "1", ["original_purchase_date_ms": NSNull()]))
        },
        row("an empty row", "no item") { item([:]) },
        row("a row with unknown fields", "weekly×1 1 of 1000, day 0") { item(row("weekly", "1", ["colour": "blue"])) },
    ]

    private static let flags: [Row] =
        [("is_trial_period", "trial"), ("is_in_intro_offer_period", "intro")].flatMap { name, flag in
            [("true", flag, nil), ("false", "", nil), ("TRUE", "", flag), ("1", "", flag)].map { text, original, ours in
                let scenario = "\(name) as the text \(text)"
                let play = { @Sendable in flagsOf(row("weekly", "1", [name: text])) }
                return ours.map { row(scenario, original, now: $0, .lenientRows, play) }
                    ?? row(scenario, original, play)
            }
        } + [
            row("is_upgraded as true", "upgraded") { flagsOf(row("weekly", "1", ["is_upgraded": true])) },
            row("is_upgraded as the text true", "", now: "upgraded", .upgradedText) {
                flagsOf(row("weekly", "1", ["is_upgraded": "true"]))
            },
            row("is_upgraded missing", "") { flagsOf(row("weekly", "1")) },
            row("is_trial_period as null", "") { flagsOf(row("weekly", "1", ["is_trial_period": NSNull()])) },
        ]

    private static let dates: [Row] = [
        row("all four dates", "bought 1, first 1, ends 31, revoked 2") {
            datesOf(period("1", day: 1, ["cancellation_date_ms": ms(2)]))
        },
        row("a purchase that does not end", "bought 1, first 1") { datesOf(row("pro", "1", day: 1)) },
        row("an original date of its own", "bought 5, first 1") {
            datesOf(row("pro", "1", day: 5, ["original_purchase_date_ms": ms(1)]))
        },
        row("an end in words only", "bought 0, first 0", now: "bought 0, first 0, ends 31", .lenientRows) {
            datesOf(row("weekly", "1", ["expires_date": "2026-02-01 00:00:00 Etc/GMT"]))
        },
        row("an end as a number", "bought 0, first 0", now: "bought 0, first 0, ends 2", .lenientRows) {
            datesOf(row("weekly", "1", ["expires_date_ms": 1_767_398_400_000]))
        },
        row("revoked, in words only", "bought 0, first 0", now: "bought 0, first 0, revoked 1", .cancellationFields) {
            datesOf(row("weekly", "1", ["cancellation_date": "2026-01-02 00:00:00 Etc/GMT"]))
        },
    ]

    private static let lists: [Row] = [
        row("no receipt at all", "not purchased") { purchase("pro", [:]) },
        row("a receipt without rows", "not purchased") { purchase("pro", bought()) },
        row("rows of another product", "not purchased") { purchase("pro", bought(row("coins", "1"))) },
        row("in_app that is no list", "not purchased") { purchase("pro", info(["receipt": ["in_app": "none"]])) },
        row("a row that cannot be read, and one that can", "purchased 2") {
            purchase("pro", bought(row("pro", "1", ["purchase_date_ms": "soon"]), row("pro", "2")))
        },
        row("a purchase in latest_receipt_info only", "not purchased") { purchase("weekly", subscribed(period("1"))) },
        row("a subscription in in_app only", "not purchased") { subscription(bought(period("1"))) },
        row("latest_receipt_info that is no list", "not purchased") {
            subscription(info(["receipt": [String: Any](), "latest_receipt_info": "none"]))
        },
        row("a receipt in the style of iOS 6", "not purchased", now: "until 30: 1", .oldStyle) {
            subscription(
                info([
                    "status": 0, "receipt": row("weekly", "1", ["expires_date": ms(30)]),
                    "latest_receipt_info": row("weekly", "1", ["expires_date": ms(30)]),
                ]))
        },
        row("a purchase in the style of iOS 6", "not purchased", now: "purchased 1", .oldStyle) {
            purchase("pro", info(["status": 0, "receipt": row("pro", "1")]))
        },
    ]

    private static let purchases: [Row] = [
        row("bought once", "purchased 1") { purchase("pro", bought(row("pro", "1"))) },
        row("bought twice", "purchased 1", now: "purchased 2", .latestRow) {
            purchase("pro", bought(row("pro", "1"), row("pro", "2", day: 1)))
        },
        row("bought twice, the later first", "purchased 2") {
            purchase("pro", bought(row("pro", "2", day: 1), row("pro", "1")))
        },
        row("bought and revoked", "not purchased") { purchase("pro", bought(row("pro", "1", revoked(1)))) },
        row("revoked, and bought again", "purchased 2") {
            purchase(
                "pro", bought(row("pro", "1", revoked(1)), row("pro", "2", day: 2, ["original_transaction_id": "2"])))
        },
        row("revoked, and a restored copy", "purchased 2", now: "not purchased", .refundedCopies) {
            purchase("pro", bought(row("pro", "1", revoked(1)), row("pro", "2", day: 2)))
        },
        row("revoked, in milliseconds only", "purchased 1", now: "not purchased", .cancellationFields) {
            purchase("pro", bought(row("pro", "1", ["cancellation_date_ms": ms(1)])))
        },
        row("cancellation_date as null", "not purchased", now: "purchased 1", .cancellationFields) {
            purchase("pro", bought(row("pro", "1", ["cancellation_date": NSNull()])))
        },
        row("an upgraded row, as the text that Apple writes", "purchased 1", now: "not purchased", .upgradedRows) {
            purchase("weekly", bought(period("1", ["is_upgraded": "true"])))
        },
    ]

    private static let subscriptions: [Row] = [
        row("a period that runs", "until 30: 1") { subscription(subscribed(period("1"))) },
        row("a period that has ended", "expired 30: 1") { subscription(subscribed(period("1")), on: 31) },
        row("a period that ends at the moment", "expired 30: 1") { subscription(subscribed(period("1")), on: 30) },
        row("two periods, the latest first", "until 60: 2, 1") {
            subscription(subscribed(period("1"), period("2", day: 30)), on: 40)
        },
        row("two periods, in the other order", "until 60: 2, 1") {
            subscription(subscribed(period("2", day: 30), period("1")), on: 40)
        },
        row("three periods, all over", "expired 90: 3, 2, 1") {
            subscription(subscribed(period("1"), period("2", day: 30), period("3", day: 60)), on: 100)
        },
        row("a gap between periods", "until 90: 3, 1") {
            subscription(subscribed(period("1"), period("3", day: 60)), on: 70)
        },
        row("a group of two products", "until 60: 2, 1") {
            subscription(subscribed(period("1"), period("2", day: 30, of: "yearly")), ["weekly", "yearly"], on: 40)
        },
        row("only the product that is asked for", "expired 30: 1") {
            subscription(subscribed(period("1"), period("2", day: 30, of: "yearly")), on: 40)
        },
        row("no product", "not purchased") { subscription(subscribed(period("1")), []) },
        row("a product that was never bought", "not purchased") { subscription(subscribed(period("1")), ["yearly"]) },
        row("a row without an end", "not purchased") { subscription(subscribed(row("weekly", "1"))) },
        row("a row that cannot be read, before one that can", "until 30: 2") {
            subscription(subscribed(period("1", ["purchase_date_ms": "soon"]), period("2")))
        },
        row("a free trial", "until 30: 1") { subscription(subscribed(period("1", ["is_trial_period": "true"]))) },
        row("an introductory offer", "until 30: 1") {
            subscription(subscribed(period("1", ["is_in_intro_offer_period": "true"])))
        },
        row("an upgraded period that runs", "until 30: 1", now: "not purchased", .upgradedRows) {
            subscription(subscribed(period("1", ["is_upgraded": "true"])))
        },
        row("an upgraded period, and the higher product's", "until 40: 2, 1", now: "until 40: 2", .upgradedRows) {
            subscription(
                subscribed(period("1", ["is_upgraded": "true"]), period("2", day: 10, of: "yearly")),
                ["weekly", "yearly"], on: 20)
        },
        row("a row with its end in words only", "not purchased", now: "until 31: 1", .lenientRows) {
            subscription(subscribed(row("weekly", "1", ["expires_date": "2026-02-01 00:00:00 Etc/GMT"])))
        },
    ]

    private static let cancellations: [Row] = [
        row("a period that was revoked", "not purchased") { subscription(subscribed(period("1", revoked(4)))) },
        row("the latest was revoked, the one before has ended", "expired 30: 1") {
            subscription(subscribed(period("1"), period("2", day: 30, revoked(32))), on: 40)
        },
        row(
            "revoked, in milliseconds only, of a subscription", "until 30: 1", now: "not purchased",
            .cancellationFields
        ) {
            subscription(subscribed(period("1", ["cancellation_date_ms": ms(4)])))
        },
        row("cancellation_date as null, of a subscription", "not purchased", now: "until 30: 1", .cancellationFields) {
            subscription(subscribed(period("1", ["cancellation_date": NSNull()])))
        },
    ]

    private static func renewal(_ members: [String: Any]) -> [String: Any] {
        let info: [String: Any] = [
            "product_id": "weekly", "auto_renew_product_id": "weekly", "original_transaction_id": "1000",
        ]
        return ["pending_renewal_info": [info.merging(members) { $1 }]]
    }

    private static let renewals: [Row] = [
        row("a grace period", "expired 30: 1", now: "until 36: 1", .gracePeriod) {
            subscription(
                subscribed(
                    period("1"),
                    with: renewal(["is_in_billing_retry_period": "1", "grace_period_expires_date_ms": ms(36)])), on: 35)
        },
        row("a grace period that has ended", "expired 30: 1") {
            subscription(
                subscribed(
                    period("1"),
                    with: renewal(["is_in_billing_retry_period": "1", "grace_period_expires_date_ms": ms(36)])), on: 50)
        },
        row("billing is tried again, without grace", "expired 30: 1") {
            subscription(subscribed(period("1"), with: renewal(["is_in_billing_retry_period": "1"])), on: 40)
        },
        row("a subscription that will not renew, and runs", "until 30: 1") {
            subscription(subscribed(period("1"), with: renewal(["auto_renew_status": "0"])))
        },
        row("a subscription that did not renew", "expired 30: 1") {
            subscription(
                subscribed(period("1"), with: renewal(["auto_renew_status": "0", "expiration_intent": "1"])), on: 40)
        },
    ]

    private static let clocks: [Row] = [
        row("an old answer, asked about a later date", "until 30: 1", now: "expired 30: 1", .validUntil) {
            subscription(subscribed(period("1"), asked: 10), on: 40)
        },
        row("a fresh answer, asked about the same date", "until 30: 1") {
            subscription(subscribed(period("1"), asked: 10), on: 10)
        },
        row("an answer after the end, asked about the same date", "expired 30: 1") {
            subscription(subscribed(period("1"), asked: 40), on: 40)
        },
        row("an answer after the end, asked about an earlier date", "expired 30: 1", now: "until 30: 1", .validUntil) {
            subscription(subscribed(period("1"), asked: 40), on: 20)
        },
        row("an answer without a date of its own", "expired 30: 1") { subscription(subscribed(period("1")), on: 40) },
    ]

    private static let nonRenewing: [Row] = [
        row("a non-renewing subscription that runs", "until 30: 1") {
            subscription(bought(row("weekly", "1")), type: lasting(30))
        },
        row("one that has ended", "expired 30: 1") {
            subscription(bought(row("weekly", "1")), type: lasting(30), on: 31)
        },
        row("one that lasts from its original purchase", "until 30: 1") {
            subscription(bought(row("weekly", "1", day: 5, ["original_purchase_date_ms": ms(0)])), type: lasting(30))
        },
        row("one bought twice", "until 50: 2, 1") {
            subscription(bought(row("weekly", "1"), row("weekly", "2", day: 20)), type: lasting(30), on: 25)
        },
        row("one that was revoked", "not purchased") {
            subscription(bought(row("weekly", "1", revoked(1))), type: lasting(30))
        },
        row("one in latest_receipt_info only", "not purchased") {
            subscription(subscribed(row("weekly", "1")), type: lasting(30))
        },
        row("one that lasts no time", "expired 0: 1") { subscription(bought(row("weekly", "1")), type: lasting(0)) },
    ]

    private static let products: [Row] = [
        row("the products of a receipt", "weekly, yearly") {
            ids(subscribed(period("1"), period("2", of: "yearly"), period("3", day: 30)))
        },
        row("products that were revoked", "weekly") { ids(subscribed(period("1", revoked(4)))) },
        row("products of a list without rows", "nil") { ids(subscribed()) },
        row("products without a list", "nil") { ids(bought(row("pro", "1"))) },
        row("products of purchases", "coins, pro") {
            ids(bought(row("pro", "1"), row("coins", "2")), type: lasting(1))
        },
        row("products of purchases, without any", "nil") { ids(bought(), type: lasting(1)) },
        row("products of rows that cannot be read", "nil") {
            ids(subscribed(period("1", ["purchase_date_ms": "soon"])))
        },
    ]

    private static func row(_ scenario: String, _ outcome: String, _ play: @escaping @Sendable () -> String) -> Row {
        .same(scenario, outcome) { play() }
    }

    private static func row(
        _ scenario: String, _ original: String, now ours: String, _ why: Difference,
        _ play: @escaping @Sendable () -> String
    ) -> Row {
        .differs(scenario, was: original, is: ours, why) { play() }
    }
}
