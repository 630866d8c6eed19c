import AppReceipt
import Foundation
import TestHarness

@testable import AsyncStoreKit

/// Plays scripts with the machine of entitlements. Dates are in seconds since the start, or in days, such as `-5d`. A
/// step with several dates, such as `read 0+1 pro`, is performed at each of them.
///
/// | step | what it does |
/// |---|---|
/// | `read 0 pro [past old] [latest …] [unfinished …] [subscriptions …] [says expired] [renewal yes]` | a read ends |
/// | `fail 0` | a read fails |
/// | `cache 0 pro [confirmed -5]`, `report 0 pro [paid]` | the cache is loaded, or the queue reports purchases |
/// | `revoke 0 pro` | StoreKit 1 revokes products, without a transaction |
/// | `levels pro=1 basic=2` | a launch after which products are loaded |
/// | `lifetime 60`, `new` | a launch with another lifetime of unconfirmed access, or with the usual one |
/// | `closes` | the store is closed |
/// | `asks` | whether the device is read again before the answer changes by itself |
///
/// A transaction is a product with what Apple says about it, such as `pro:ends=100:signed=5:revoked:by=1:family`.
/// Before the lists of a read, `partial`, `unread`, and `until 500` say that a part failed, that the history isn't read
/// yet, and when the read ended.
struct EntitlementScript {
    private static let start = Date(timeIntervalSince1970: 1_767_225_600)
    private static let lists = ["past", "latest", "unfinished", "subscriptions", "says", "renewal", "confirmed"]

    private var run = EntitlementRun()

    /// The date of a number of seconds, or of days, such as `-5d`.
    private static func date(_ word: some StringProtocol) -> Date? {
        let days = word.hasSuffix("d") ? Double(word.dropLast()).map { $0 * 86_400 } : nil
        return (days ?? Double(word)).map(start.addingTimeInterval)
    }

    private static func text(_ date: Date?) -> String {
        guard let seconds = date?.timeIntervalSince(start) else { return "none" }
        let days = seconds / 86_400
        return seconds != 0 && days == days.rounded() ? "\(Script.text(days))d" : Script.text(seconds)
    }

    mutating func perform(_ step: Script.Step) -> String? {
        let dates = step[0].split(separator: "+").compactMap(Self.date)
        for date in dates where !perform(step, at: date) { return step.unknown }
        if !dates.isEmpty { return nil }
        let entitlement = run.entitlements[step[0]]
        switch step.verb {
        case "levels": run = EntitlementRun(EntitlementStateMachine(hasCache: true, product: Self.products(step)))
        case "new": run = EntitlementRun()
        case "closes": run.perform { $0.close() }
        case "owns": return Script.list(run.entitlements.productIDs.sorted())
        case "knows": return Script.list(run.entitlements.map(\.productID))
        case "basis": return describe(run.entitlements.basis)
        case "issues": return Script.list(run.entitlements.issues.map(Self.describe).sorted())
        case "wakes": return Self.text(run.nextWake)
        case "changes": return Self.text(run.entitlements.nextChange)
        case "asks":
            let next = run.entitlements.nextChange ?? .distantFuture
            return Script.answer(run.nextWake.map { $0 < next } ?? false)
        case "reads": return Script.answer(run.reading != nil)
        case "saves": return "\(run.saves)"
        case "confirmed": return Self.text(run.texts.confirmedDate)
        case "customer": return run.texts.customerID ?? "none"
        case "saved": return Script.list(run.texts.transactions.map(\.facts.productID).sorted())
        case "explained": return Script.list(run.texts.past.map(\.facts.productID).sorted())
        case "state": return entitlement.map { "\($0.state)" } ?? "none"
        case "id": return entitlement?.transactionID ?? "none"
        case "ends": return Self.text(entitlement?.accessEndDate)
        case "kind": return entitlement.map { "\($0.productKind)" } ?? "none"
        case "signed": return Script.answer(entitlement?.jws != nil)
        case "renews": return entitlement?.renewal?.willRenew.map { $0 ? "yes" : "no" } ?? "unknown"
        default: return step.unknown
        }
        return nil
    }

    /// Performs a step with a date. Returns `false` for an unknown one.
    private mutating func perform(_ step: Script.Step, at date: Date) -> Bool {
        switch step.verb {
        case "lifetime":
            let timing = EntitlementTiming(
                unconfirmedAccess: date.timeIntervalSince(Self.start), launchChecks: [])
            run = EntitlementRun(EntitlementStateMachine(timing: timing, hasCache: true))
        case "read": run.take(Self.listing(step), begun: date, at: step["until"].flatMap(Self.date) ?? date)
        case "fail": run.take(StoreError(.timedOut, ""), begun: date, at: date)
        case "cache":
            run.take(cache: Self.listing(step), issues: step.has("refused") ? [.cacheRefused("")] : [], at: date)
        case "report":
            run.take(reports: Self.listing(step).transactions, isPaidHere: step.has("paid"), at: date)
        case "revoke":
            run.perform {
                $0.purchasesRevoked(PurchaseRevocation(productIDs: Set(step.arguments.dropFirst())), at: date)
            }
        default: return false
        }
        return true
    }

    private func describe(_ basis: StoreEntitlements.Basis) -> String {
        if case .cached(let date) = basis { "cached \(Self.text(date))" } else { "\(basis)" }
    }

    private static func describe(_ issue: StoreEntitlements.Issue) -> String {
        switch issue {
        case .cacheRefused: "cache"
        case .incomplete(let code): "\(code)"
        default: "\(issue)"
        }
    }

    /// The products, all of one group, with their levels of service.
    private static func products(_ step: Script.Step) -> @Sendable (String) -> StoreProduct? {
        let levels = Dictionary(
            uniqueKeysWithValues: step.arguments.map { word in
                let parts = word.split(separator: "=")
                return (String(parts[0]), parts.count > 1 ? Int(parts[1]) : nil)
            })
        return { id in
            levels[id].map { level in
                StoreProduct(
                    id: id, kind: .autoRenewable, displayName: id, description: "", price: 1,
                    priceLocale: Locale(identifier: "en_US"), subscriptionGroupID: "club", subscriptionLevel: level)
            }
        }
    }

    private static func listing(_ step: Script.Step) -> PurchaseListing {
        var listing = PurchaseListing()
        var list = "transactions"
        let flags: Set = ["partial", "unread", "paid", "refused", "until"]
        for word in step.arguments.dropFirst() where !flags.contains(word) && date(word) == nil {
            if lists.contains(word) {
                list = word
                continue
            }
            switch list {
            case "past": listing.past.append(transaction(word))
            case "latest": listing.latest.append(transaction(word))
            case "unfinished": listing.unfinished.append(transaction(word))
            case "subscriptions": listing.subscriptions.append(transaction(word))
            case "says": listing.statuses.append(status(word))
            case "renewal": listing.renewals.append(renewal(word))
            default: listing.transactions.append(transaction(word))
            }
        }
        listing.hasReadPast = !step.has("unread")
        if step.has("partial") { listing.failure = StoreError(.networkError, "") }
        listing = PurchaseListing(completing: listing)
        listing.confirmedDate = step["confirmed"].flatMap(date)
        return listing
    }

    /// Splits a word such as `pro:ends=100:revoked`.
    private static func parts(_ word: String) -> (name: String, values: [String: String]) {
        let parts = word.split(separator: ":").map(String.init)
        let values = parts.dropFirst().map { part in
            let pair = part.split(separator: "=", maxSplits: 1).map(String.init)
            return (pair[0], pair.count > 1 ? pair[1] : "")
        }
        return (parts[0], Dictionary(values) { $1 })
    }

    /// A transaction: its product, and any of `id=`, `of=` the original transaction, `from=`, `ends=`, `signed=`,
    /// `revoked`, `bundled`, `by=` the customer, `family`, `assigned`, `kind=`, `group=` and `unsigned`.
    private static func transaction(_ word: String) -> VerifiedTransaction {
        let (product, values) = parts(word)
        let signed = values["signed"].flatMap(date) ?? start
        let kind: ProductKind? = values["ends"] != nil ? .autoRenewable : .nonConsumable
        var row = PurchaseFacts(
            productID: product, transactionID: values["id"] ?? product,
            purchaseDate: values["from"].flatMap(date) ?? start,
            originalTransactionID: values["of"] ?? product, expirationDate: values["ends"].flatMap(date),
            revocationDate: values["revoked"] ?? values["bundled"] != nil ? signed : nil,
            productKind: values["kind"].map(Self.kind) ?? kind)
        if values["bundled"] != nil { row.revocationReason = .upgradedToBundle }
        // Over StoreKit 1, the loaded product names the group of a report.
        row.subscriptionGroupID =
            values["group"] ?? (values["unsigned"] != nil && row.productKind == .autoRenewable ? "club" : nil)
        row.appTransactionID = values["by"]
        row.ownershipType =
            values["family"] != nil ? .familyShared : values["assigned"] != nil ? .assigned : .purchased
        if values["unsigned"] != nil { return VerifiedTransaction(row) }
        row.signedDate = signed
        return VerifiedTransaction(row, text: { "text" })
    }

    private static func kind(_ name: String) -> ProductKind? {
        switch name {
        case "": nil
        case "subscription": .autoRenewable
        case "season": .nonRenewable
        case "consumable": .consumable
        default: ProductKind(rawValue: name)
        }
    }

    /// A status: its state, and any of `product=`, `id=` the transaction and `of=` the original transaction.
    private static func status(_ word: String) -> SubscriptionStatusReport {
        let (state, values) = parts(word)
        let product = values["product"] ?? "basic"
        return SubscriptionStatusReport(
            groupID: "club", state: SubscriptionState(rawValue: state), productID: product,
            transactionID: values["id"] ?? product, originalTransactionID: values["of"] ?? product)
    }

    /// Whether a subscription renews, and any of `product=`, `of=` the original transaction, `grace=` and `signed=`.
    private static func renewal(_ word: String) -> VerifiedRenewal {
        let (renews, values) = parts(word)
        let product = values["product"] ?? "basic"
        var renewal = RenewalFacts(productID: product, originalTransactionID: values["of"] ?? product)
        renewal.willAutoRenew = renews == "yes" ? true : renews == "no" ? false : nil
        renewal.gracePeriodExpirationDate = values["grace"].flatMap(date)
        renewal.signedDate = values["signed"].flatMap(date)
        return VerifiedRenewal(ReceiptRenewal(renewal), text: { word })
    }
}
