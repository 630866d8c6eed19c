import AppReceipt
import Foundation

/// The customer's purchases: Apple's latest signed transaction about each, and what reads and reports say about them.
struct EntitlementRecords: Sendable {
    struct Record: Sendable {
        var signedTransaction: VerifiedTransaction
        /// When a read, or Apple's signature, last confirmed the purchase.
        var confirmed = Date.distantPast
        /// The date until which a reported purchase gives access although the listing lacks it.
        var reportedUntil: Date?
        /// When complete reads began to lack the purchase.
        var missingSince: Date?
        /// The list of the last read that contains the purchase.
        var list = List.none
        /// The verdict of the last read that decided something, if access has ended.
        var ended: EntitlementEvidence.Verdict?
        /// Whether the transaction gives no access, and only says why access ended.
        var isPast = false

        var facts: PurchaseFacts { signedTransaction.facts }
        /// Whether the entry is an unsigned report of the payment queue. The rows of a receipt aren't signed either.
        var isReport: Bool { reportedUntil != nil && !signedTransaction.isSigned }
        /// Whether the last read has the purchase as a current entitlement, or as the latest of a subscription.
        var isListed: Bool { list == .entitlements || list == .statuses }
    }

    /// The lists of one read that can give access.
    enum List: Sendable, Hashable {
        case none, unfinished, statuses, entitlements
    }

    typealias Key = TransactionKey

    let timing: EntitlementTiming
    /// How long non-renewing subscriptions last, in seconds.
    let durations: [String: TimeInterval]
    /// Returns a product that has been loaded. Receipts lack groups and kinds.
    let product: @Sendable (String) -> StoreProduct?
    var entries = [Key: Record]()
    var past = PastTransactions()
    /// How subscriptions continue, by ``VerifiedRenewal/subscriptionID``.
    var renewals = [String: [VerifiedRenewal]]()
    var lastRead = ReadSummary()
    /// The `appTransactionId` of the customer whose purchases these are; `nil` while no transaction has identified the
    /// customer.
    private(set) var customerID: String?
    /// The subscription groups of the purchases that were ever known, and those that the app has asked about.
    var groups: Set<String> = []
    var clock = SignedClock()

    /// - Parameter durations: How long non-renewing subscriptions last, in seconds. A duration that isn't positive and
    ///   finite is ignored.
    init(
        durations: [String: TimeInterval], timing: EntitlementTiming,
        product: @escaping @Sendable (String) -> StoreProduct?
    ) {
        self.timing = timing
        self.durations = durations.filter { $0.value > 0 && $0.value.isFinite }
        self.product = product
    }

    /// Whether there is a purchase that Apple has signed, and that no read has listed yet.
    var hasSignedReports: Bool { entries.values.contains { $0.reportedUntil != nil && $0.signedTransaction.isSigned } }

    /// The purchases that the records are.
    var purchases: [KnownPurchase] {
        let known = customerID ?? entries.values.lazy.map(\.signedTransaction).customerID
        let ended = past.belonging(to: known, without: entries).map { Record(signedTransaction: $0, isPast: true) }
        return KnownPurchase.all(entries.values + ended, renewals, durations: durations)
    }

    /// Sets the customer, and forgets the purchases of another customer.
    mutating func setCustomer(_ newID: String) {
        guard customerID != newID else { return }
        if customerID != nil { (entries, past, renewals) = ([:], PastTransactions(), [:]) }
        customerID = newID
    }

    /// Applies refunds and upgrades at once, unless Apple has signed the listed transaction later. An upgrade to a
    /// bundle waits for the listing, which has the subscription through the bundle.
    mutating func applyRevocations() {
        for (key, entry) in entries where !entry.isReport {
            guard let signedTransaction = past.all[key], !signedTransaction.facts.isValid,
                signedTransaction.facts.revocationReason != .upgradedToBundle,
                !entry.facts.isSignedLater(than: signedTransaction.facts)
            else { continue }
            entries[key]?.signedTransaction = signedTransaction
        }
    }
}

// Reports.
extension EntitlementRecords {
    /// Adds purchases that the payment queue has reported. Each gives access until the listing has it, or for a time.
    ///
    /// A report that names another customer is ignored, unless that customer has just paid on this device.
    /// - Parameters:
    ///   - isPaidHere: Whether the reports answer a payment, and so identify the customer.
    mutating func addReports(_ reports: [VerifiedTransaction], isPaidHere: Bool, at now: Date) {
        if isPaidHere, let customerID = reports.customerID { setCustomer(customerID) }
        for report in reports { addReport(report, at: now) }
    }

    private mutating func addReport(_ report: VerifiedTransaction, at now: Date) {
        var row = report.facts
        guard row.productKind != .consumable, !isAnotherCustomers(row) else { return }
        guard report.isSigned || row.purchaseDate > now.addingTimeInterval(-timing.reportDuration) else { return }
        // The customer now has the subscription through a bundle: the listing says so.
        if row.revocationReason == .upgradedToBundle { return past.add([report]) }
        let key = Key(row)
        // Signed data takes precedence.
        guard entries[key].map({ $0.isReport || report.isSigned && row.replaces($0.facts) }) ?? true
        else { return }
        if !report.isSigned {
            complete(&row)
            guard row.productKind != .consumable, !isLaterChange(row, at: now) else { return }
        }
        // Keep the list: only a read changes it.
        entries[key] = Record(
            signedTransaction: report.isSigned ? report : VerifiedTransaction(row), confirmed: row.signedDate ?? now,
            reportedUntil: now.addingTimeInterval(timing.reportDuration), list: entries[key]?.list ?? .none,
            ended: entries[key]?.ended)
        clock.add(row.signedDate)
        if let group = row.subscriptionGroupID { groups.insert(group) }
        upgrade(to: row)
    }

    /// Whether a report is of another customer than the listing, or than the earlier reports while there's no listing.
    private func isAnotherCustomers(_ row: PurchaseFacts) -> Bool {
        if customerID != nil { return row.isAnotherCustomers(than: customerID) }
        // Most reports name the same customer as the first one. To compare each with all would take too long.
        let known = entries.values.lazy.map(\.signedTransaction)
        if known.contains(where: { $0.facts.appTransactionID == row.appTransactionID && !$0.facts.isPaidByOthers }) {
            return false
        }
        return row.isAnotherCustomers(than: known.customerID)
    }

    /// Whether an unsigned report may be of a change that takes effect later: it has the identifier of a signed
    /// transaction of another product, or a signed subscription to another product of the group is running, and isn't
    /// known to be of a lower level of service. An unknown group may be the same.
    private func isLaterChange(_ row: PurchaseFacts, at now: Date) -> Bool {
        let level = product(row.productID)?.subscriptionLevel
        return entries.values.contains { entry in
            let other = entry.facts
            guard !entry.isReport, other.productID != row.productID else { return false }
            if other.transactionID == row.transactionID { return true }
            let loaded = product(other.productID)
            guard let group = row.subscriptionGroupID, other.isValid, !other.isPaidByOthers,
                other.subscriptionGroupID ?? loaded?.subscriptionGroupID ?? group == group,
                other.expirationDate.map({ $0 > now }) ?? false
            else { return false }
            guard let level, let otherLevel = loaded?.subscriptionLevel else { return true }
            return level >= otherLevel
        }
    }

    /// Adds the kind and the group of the product to an unsigned report. A period without a known length ends when the
    /// report stops giving access.
    private func complete(_ row: inout PurchaseFacts) {
        let known = entries.values.lazy.map(\.facts).filter { [id = row.productID] in $0.productID == id }
        if row.productKind == nil { row.productKind = known.compactMap(\.productKind).first }
        if row.subscriptionGroupID == nil { row.subscriptionGroupID = known.compactMap(\.subscriptionGroupID).first }
        guard row.productKind == .autoRenewable || known.contains(where: { $0.expirationDate != nil })
        else { return }
        if row.expirationDate == nil { row.expirationDate = row.purchaseDate + timing.reportDuration }
    }

    /// Has a reported subscription replace those of its group that are reported, not listed yet, and of a lower level
    /// of service. Only a subscription that the customer paid for replaces another one that the customer paid for.
    private mutating func upgrade(to row: PurchaseFacts) {
        guard !row.isPaidByOthers, let group = row.subscriptionGroupID,
            let highest = product(row.productID)?.subscriptionLevel
        else { return }
        for (key, entry) in entries where entry.reportedUntil != nil && entry.facts.subscriptionGroupID == group {
            var replaced = entry.facts
            guard !replaced.isPaidByOthers, let lower = product(key.productID)?.subscriptionLevel, lower > highest
            else { continue }
            replaced.isUpgraded = true
            entries[key]?.signedTransaction = entry.signedTransaction.with(replaced)
        }
    }

    /// Removes unsigned reports of products that StoreKit 1 says are revoked. Signed transactions wait for the receipt.
    mutating func revoke(_ productIDs: Set<String>) {
        entries = entries.filter { !($0.value.isReport && productIDs.contains($0.key.productID)) }
    }

    /// Adds the content of the cache, unless the reports of this run name another customer.
    /// - Returns: Whether the content was added.
    mutating func addCache(_ cache: PurchaseListing) -> Bool {
        clock.add(cache.latestSignedDate)
        guard customerID == nil || cache.customerID == nil || customerID == cache.customerID else { return false }
        customerID = customerID ?? cache.customerID
        // The reports that came before may belong to another customer than the last listing.
        entries = entries.filter { !$0.value.facts.isAnotherCustomers(than: customerID) }
        groups.formUnion(cache.transactions.compactMap(\.facts.subscriptionGroupID))
        // A listing has the latest of its signed dates.
        let confirmed = cache.confirmedDate ?? cache.latestSignedDate ?? .distantPast
        for signedTransaction in cache.transactions where entries[Key(signedTransaction.facts)]?.isReport ?? true {
            entries[Key(signedTransaction.facts)] = Record(signedTransaction: signedTransaction, confirmed: confirmed)
        }
        // A read that came before may have revocations.
        past.add(cache.past)
        applyRevocations()
        addRenewals(cache.renewals, begun: nil)
        return true
    }
}

/// Transactions of the full history, and those that a complete read no longer lists. They never give access.
///
/// Of the periods of a subscription that weren't revoked, only the newest is kept: it says why access ended.
struct PastTransactions: Sendable {
    private(set) var all = [TransactionKey: VerifiedTransaction]()
    /// The transactions of the full history of the last read.
    var history: Set<TransactionKey> = []
    /// The purchases that ended because nothing confirmed them, while the device listed nothing.
    var lapsed: Set<TransactionKey> = []

    /// Adds transactions that say why access ended.
    mutating func add(_ signedTransactions: [VerifiedTransaction]) {
        for signedTransaction in signedTransactions where signedTransaction.facts.productKind != .consumable {
            let key = TransactionKey(signedTransaction.facts)
            if let known = all[key], !signedTransaction.facts.replaces(known.facts) { continue }
            all[key] = signedTransaction
        }
        // Revocations are all kept: each ends the access of its own transaction.
        let valid = all.values.lazy.map(\.facts).filter(\.isValid)
        for periods in Dictionary(grouping: valid, by: { [$0.originalTransactionID, $0.productID] }).values {
            let newest = periods.min { $0.isNewer(than: $1) }.map(TransactionKey.init)
            for key in periods.map(TransactionKey.init) where key != newest { all[key] = nil }
        }
    }

    /// Returns the transactions of the customer that aren't among the entries.
    ///
    /// The full history may be another account's. A listed family-shared transaction is the customer's whatever
    /// `appTransactionId` it has, because the device lists it for this account. A past one has no such witness, so it
    /// needs the customer's identifier, or none.
    func belonging(
        to customerID: String?, without entries: [TransactionKey: EntitlementRecords.Record]
    ) -> [VerifiedTransaction] {
        let others = all.compactMap { entries[$0.key] == nil ? $0.value : nil }
        return others.belonging(to: customerID).filter { signedTransaction in
            customerID == nil || signedTransaction.facts.appTransactionID.map { $0 == customerID } ?? true
        }
    }
}
