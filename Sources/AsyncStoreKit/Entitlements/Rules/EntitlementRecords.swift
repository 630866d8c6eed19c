import AppReceipt
import Foundation

/// The customer's purchases: Apple's latest statement about each, and what reads and reports say about them.
struct EntitlementRecords: Sendable {
    struct Entry: Sendable {
        var statement: VerifiedTransaction
        /// When a read, or Apple's signature, last confirmed the purchase.
        var confirmed: Date
        /// The date until which a reported purchase gives access although the listing lacks it.
        var reportedUntil: Date?
        /// When complete reads began to lack the purchase.
        var missingSince: Date?
        /// The list of the last read that contains the purchase.
        var list = List.none
        /// Whether the entry is an unsigned report of the payment queue.
        var isReport = false
        /// Whether the entry is from the cache, and no read has ended since.
        var isCached = false

        /// Whether the last read has the purchase as a current entitlement, or as the latest of a subscription.
        var isListed: Bool { list == .entitlements || list == .statuses }
    }

    /// The lists of one read that can give access.
    enum List: Sendable, Hashable {
        case none, unfinished, statuses, entitlements
    }

    /// A subscription or purchase of one product.
    struct PurchaseKey: Hashable, Sendable {
        let originalID: String
        let productID: String

        init(_ row: PurchaseFacts) {
            originalID = row.originalTransactionID
            productID = row.productID
        }
    }

    typealias Key = TransactionKey

    let timing: EntitlementTiming
    let durations: [String: TimeInterval]
    /// Returns a product that has been loaded. Receipts lack groups and kinds.
    let product: @Sendable (String) -> StoreProduct?
    var entries = [Key: Entry]() { didSet { purchases = nil } }
    /// Transactions of the full history, and those that a complete read no longer lists. They never give access.
    ///
    /// Of the periods of a subscription that weren't revoked, only the newest is kept: it says why access ended.
    private(set) var past = [Key: VerifiedTransaction]()
    private var newestPast = [PurchaseKey: Key]()
    /// The transactions of the full history of the last read.
    var history: Set<Key> = []
    /// The purchases that ended because nothing confirmed them, while the device listed nothing.
    var lapsed: Set<Key> = []
    var renewals = [String: [VerifiedRenewal]]()
    /// The states of the subscriptions in the last read, by original transaction.
    var statuses = [String: SubscriptionStatusReport]()
    /// The groups with a status in the last read.
    var statusGroups: Set<String> = []
    /// The original transactions of the current entitlements of the last read.
    var listedOriginals: Set<String> = []
    /// The purchases that the last read lacks although StoreKit's latest transaction of the product is the purchase.
    var contradicted: Set<Key> = []
    var hasReadPast = false
    /// The products with a transaction that doesn't verify in the last read.
    var unverifiedProductIDs: Set<String> = []
    /// The customer whose purchases the entries are; `nil` while no transaction has identified the customer.
    private(set) var customerID: String?
    private(set) var latestSignedDate: Date?
    /// The latest date that Apple has signed about what the device lists, and the date of the read that had it first.
    var signedClock: (signed: Date, device: Date)?
    /// The subscription groups of the purchases that were ever known, and those that the app has asked about.
    var groups: Set<String> = []
    /// What the last read said as a whole.
    var listing = EntitlementConfirmation.Listing.none
    /// When reads began to list nothing.
    var emptySince: Date?
    /// The moment that the last read is about.
    var readDate = Date.distantPast
    /// When the last complete read began.
    var completeReadDate: Date?
    /// The last read, while it alone is evidence.
    var settled: PurchaseListing?
    /// The purchases that the present records are, once they have been evaluated.
    private var purchases: [KnownPurchase]?

    /// - Parameter durations: How long non-renewing subscriptions last, in seconds. A duration that isn't positive and
    ///   finite is ignored.
    init(
        durations: [String: TimeInterval], timing: EntitlementTiming,
        product: @escaping @Sendable (String) -> StoreProduct?
    ) {
        self.product = product
        self.durations = durations.filter { $0.value > 0 && $0.value.isFinite }
        self.timing = timing
    }

    /// The dates at which unconfirmed reports stop giving access.
    var reportEnds: [Date] { settled == nil ? entries.values.compactMap(\.reportedUntil) : [] }

    /// Called when the entries, the past, or the renewals have changed.
    mutating func recordsChanged() {
        purchases = nil
        settled = nil
    }

    /// Returns the purchases that the present records are.
    mutating func knownPurchases() -> [KnownPurchase] {
        if let purchases { return purchases }
        let new = KnownPurchase.all(
            entries.values, past: customersPast, renewals.values.flatMap(\.self), durations: durations)
        purchases = new
        return new
    }

    /// The past transactions of the customer that aren't among the entries. A family-shared transaction needs this
    /// customer's `appTransactionId`, or none.
    private var customersPast: [VerifiedTransaction] {
        let known = customerID ?? entries.values.lazy.map(\.statement).customerID
        return past.compactMap { entries[$0.key] == nil ? $0.value : nil }.belonging(to: known).filter { statement in
            known == nil || statement.facts.appTransactionID.map { $0 == known } ?? true
        }
    }

    mutating func addSignedDate(_ date: Date?) {
        if let date { latestSignedDate = max(latestSignedDate ?? date, date) }
    }

    /// Adds a subscription group that the app asks about.
    mutating func addGroup(_ groupID: String) {
        groups.insert(groupID)
    }

    /// Sets the customer, and forgets the purchases of another customer.
    mutating func setCustomer(_ customerID: String) {
        if let known = self.customerID, known != customerID {
            entries = [:]
            (past, newestPast, history, lapsed) = ([:], [:], [], [])
            renewals = [:]
            recordsChanged()
        }
        self.customerID = customerID
    }

    /// Adds transactions that say why access ended.
    mutating func addPast(_ statements: [VerifiedTransaction]) {
        for statement in statements where statement.facts.productKind != .consumable {
            let (key, row) = (Key(statement.facts), statement.facts)
            if let known = past[key], !row.replaces(known.facts) { continue }
            past[key] = statement
            // Revocations are all kept: each ends the access of its own transaction.
            guard row.isValid else { continue }
            let purchase = PurchaseKey(row)
            guard let newest = newestPast[purchase], newest != key, let other = past[newest]?.facts, other.isValid
            else {
                newestPast[purchase] = key
                continue
            }
            let isNewer =
                (row.expirationDate ?? .distantPast, row.purchaseDate)
                > (other.expirationDate ?? .distantPast, other.purchaseDate)
            past[isNewer ? newest : key] = nil
            if isNewer { newestPast[purchase] = key }
        }
    }

    /// Applies refunds and upgrades at once, unless Apple has signed the listed statement later. An upgrade to a bundle
    /// waits for the listing, which has the subscription through the bundle.
    mutating func applyRevocations() {
        for (key, entry) in entries where !entry.isReport {
            guard let statement = past[key], !statement.facts.isValid,
                statement.facts.revocationReason != .upgradedToBundle,
                !entry.statement.facts.isSignedLater(than: statement.facts)
            else { continue }
            entries[key]?.statement = statement
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
    /// - Returns: Whether anything has changed.
    mutating func addReports(_ reports: [VerifiedTransaction], isPaidHere: Bool, at now: Date) -> Bool {
        if isPaidHere, let customerID = reports.customerID { setCustomer(customerID) }
        var hasChanged = false
        for report in reports where addReport(report, at: now) {
            hasChanged = true
            upgrade(to: entries[Key(report.facts)]?.statement.facts ?? report.facts)
        }
        if hasChanged { recordsChanged() }
        return hasChanged
    }

    private mutating func addReport(_ report: VerifiedTransaction, at now: Date) -> Bool {
        var row = report.facts
        guard !isAnotherCustomers(row) else { return false }
        guard report.isSigned || row.purchaseDate > now.addingTimeInterval(-timing.reportDuration) else { return false }
        if row.revocationReason == .upgradedToBundle {
            // The customer now has the subscription through a bundle: the listing says so.
            addPast([report])
            recordsChanged()
            return false
        }
        let key = Key(row)
        // Signed data takes precedence.
        guard entries[key].map({ $0.isReport || report.isSigned && row.replaces($0.statement.facts) }) ?? true else {
            return false
        }
        if !report.isSigned {
            complete(&row)
            guard !isLaterChange(row, at: now) else { return false }
        }
        guard row.productKind != .consumable else { return false }
        // A new signature of a listed transaction says nothing about the list.
        entries[key] = Entry(
            statement: report.isSigned ? report : VerifiedTransaction(row), confirmed: row.signedDate ?? now,
            reportedUntil: now.addingTimeInterval(timing.reportDuration), list: entries[key]?.list ?? .none,
            isReport: !report.isSigned)
        addSignedDate(row.signedDate)
        if let group = row.subscriptionGroupID { groups.insert(group) }
        return true
    }

    /// Whether a report is of another customer than the listing, or than the earlier reports while there's no listing.
    private func isAnotherCustomers(_ row: PurchaseFacts) -> Bool {
        if customerID != nil { return row.isAnotherCustomers(than: customerID) }
        // Most reports name the same customer as the first one. To compare each with all would take too long.
        let known = entries.values.lazy.map(\.statement)
        if known.contains(where: { $0.facts.appTransactionID == row.appTransactionID && !$0.facts.isPaidByOthers }) {
            return false
        }
        return row.isAnotherCustomers(than: known.customerID)
    }

    /// Whether an unsigned report may be of a change that takes effect later: a signed subscription to another product
    /// of the group is running, and isn't known to be of a lower level of service.
    private func isLaterChange(_ row: PurchaseFacts, at now: Date) -> Bool {
        guard let group = row.subscriptionGroupID else { return false }
        let level = product(row.productID)?.subscriptionLevel
        return entries.values.contains { entry in
            let other = entry.statement.facts
            guard !entry.isReport, other.productID != row.productID, self.group(of: other) == group, other.isValid,
                !other.isPaidByOthers, other.expirationDate.map({ $0 > now }) ?? false
            else { return false }
            guard let level, let otherLevel = product(other.productID)?.subscriptionLevel else { return true }
            return level >= otherLevel
        }
    }

    /// The subscription group of a transaction, by its signature or else by the loaded product.
    func group(of row: PurchaseFacts) -> String? {
        row.subscriptionGroupID ?? product(row.productID)?.subscriptionGroupID
    }

    /// Adds the kind and the group of the product to an unsigned report. A period without a known length ends when the
    /// report stops giving access.
    private func complete(_ row: inout PurchaseFacts) {
        let known = entries.values.lazy.map(\.statement.facts).filter { [id = row.productID] in $0.productID == id }
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
        for (key, entry) in entries
        where entry.reportedUntil != nil && entry.statement.facts.subscriptionGroupID == group {
            guard let lower = product(key.productID)?.subscriptionLevel, lower > highest else { continue }
            var replaced = entry.statement.facts
            guard !replaced.isPaidByOthers else { continue }
            replaced.isUpgraded = true
            entries[key]?.statement = entry.statement.with(replaced)
        }
    }

    /// Removes unsigned reports of products that StoreKit 1 says are revoked. Signed transactions wait for the receipt.
    mutating func revoke(_ productIDs: Set<String>) {
        for (key, entry) in entries where entry.isReport && productIDs.contains(key.productID) {
            entries[key] = nil
            recordsChanged()
        }
    }

    /// Adds the content of the cache, unless the reports of this run name another customer.
    /// - Returns: Whether the content was added.
    mutating func addCache(_ cache: PurchaseListing) -> Bool {
        addSignedDate(cache.latestSignedDate)
        guard customerID == nil || cache.customerID == nil || customerID == cache.customerID else { return false }
        customerID = customerID ?? cache.customerID
        // The reports that came before may belong to another customer than the last listing.
        entries = entries.filter { !$0.value.statement.facts.isAnotherCustomers(than: customerID) }
        groups.formUnion(cache.transactions.compactMap(\.facts.subscriptionGroupID))
        for statement in cache.transactions where entries[Key(statement.facts)]?.isReport ?? true {
            let confirmed = cache.confirmedDate ?? cache.latestSignedDate ?? statement.facts.signedDate ?? .distantPast
            entries[Key(statement.facts)] = Entry(statement: statement, confirmed: confirmed, isCached: true)
        }
        _ = addRenewals(cache.renewals, begun: nil)
        recordsChanged()
        return true
    }
}
