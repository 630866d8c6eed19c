import AppReceipt
import Foundation

/// The customer's purchases: Apple's latest statement about each, and what reads and reports say about them.
struct EntitlementRecords: Sendable {
    /// How long the records wait for evidence, in seconds.
    struct Patience: Sendable {
        /// For how long the end of a period, and the absence of a purchase, has to last. StoreKit 2 says "expired" for
        /// up to 0.7 seconds before each renewal.
        var lapse: TimeInterval = 2
        /// For how long a renewal may be late, unless Apple has signed that the subscription won't renew.
        var renewal: TimeInterval = 60
        /// For how long a reported purchase may be missing from the listing.
        var grant: TimeInterval = 300
        /// For how long access lasts that no read confirms, ``StoreConfiguration/entitlementCacheLifetime``.
        var unconfirmed: TimeInterval = 30 * 86_400
        /// For how long reads have to list nothing for an empty list to count.
        var emptiness: TimeInterval = 80
    }

    struct Entry: Sendable {
        var statement: SignedStatement<ReceiptTransaction>
        /// When a read, or Apple's signature, last confirmed the purchase.
        var confirmed: Date
        /// Until when the purchase counts although the listing doesn't have it.
        var grantedUntil: Date?
        /// Since when complete reads lack the purchase.
        var missingSince: Date?
        /// Whether the last read lists the purchase as owned, or as the latest of a subscription.
        var isListed = false
        /// Whether the entry is an unsigned report of the payment queue.
        var isReport = false
        /// Whether the entry is from the cache, and no read has ended since.
        var isCached = false
    }

    /// What the last read said as a whole.
    enum Reading: Sendable, Hashable {
        case none, complete, empty, partial, failed
    }

    typealias Key = EntitlementEvaluator.Key

    let patience: Patience
    let durations: [String: TimeInterval]
    private(set) var entries = [Key: Entry]()
    /// Transactions of the full history, and those that a complete read no longer lists. They never give access.
    private(set) var past = [Key: SignedStatement<ReceiptTransaction>]()
    private(set) var renewals = [String: [SignedStatement<ReceiptRenewal>]]()
    /// The states of the subscriptions in the last read, by original transaction.
    private(set) var statuses = [String: SubscriptionStatusReport]()
    /// The groups of which the last read had a status.
    private(set) var statusGroups: Set<String> = []
    /// The purchases that the last read lacks although StoreKit's latest transaction of the product is the purchase.
    private(set) var contradicted: Set<Key> = []
    private(set) var hasReadPast = false
    /// The products of which the last read had a transaction that doesn't verify.
    private(set) var unverifiedProductIDs: Set<String> = []
    /// The customer whose purchases the entries are; `nil` while no transaction has identified the customer.
    private(set) var customerID: String?
    private(set) var latestSignedDate: Date?
    /// The subscription groups of the purchases that were ever known, and those that the app has asked about.
    private(set) var groups: Set<String> = []
    private(set) var reading = Reading.none
    /// Since when reads have listed nothing.
    private(set) var emptySince: Date?
    /// The moment that the last read is about.
    private(set) var readDate = Date.distantPast
    /// When the last complete read began.
    private(set) var completeReadDate: Date?
    /// The last read, while it alone counts.
    private var settled: EntitlementHistory?
    /// Judges ``entries``, which can give access.
    var judge: EntitlementEvaluator?
    /// Judges ``entries`` and ``past``, to say why access ended.
    var pastJudge: EntitlementEvaluator?

    /// Adds a subscription group that the app asks about.
    mutating func add(group groupID: String) {
        groups.insert(groupID)
    }

    /// - Parameter durations: How long non-renewing subscriptions last, in seconds. A duration that isn't positive and
    ///   finite counts as not given.
    init(durations: [String: TimeInterval], patience: Patience) {
        self.durations = durations.filter { $0.value > 0 && $0.value.isFinite }
        self.patience = patience
    }

    /// The dates at which unconfirmed reports stop counting.
    var grantEnds: [Date] { settled == nil ? entries.values.compactMap(\.grantedUntil) : [] }

    /// Called when the entries, the past, or the renewals have changed.
    private mutating func forgetJudgments() {
        judge = nil
        pastJudge = nil
        settled = nil
    }

    private mutating func note(signed date: Date?) {
        if let date { latestSignedDate = max(latestSignedDate ?? date, date) }
    }
}

// Reports.
extension EntitlementRecords {
    /// Adds purchases that the payment queue has reported. Each counts until the listing has it, or for a time.
    ///
    /// A report that names another customer doesn't count, unless that customer has just paid on this device.
    /// - Parameters:
    ///   - isPaidHere: Whether the reports answer a payment, and so identify the customer.
    ///   - level: The level of service of a subscription, 1 for the highest; `nil` for a product that isn't known.
    /// - Returns: Whether anything has changed.
    mutating func add(
        reports: [SignedStatement<ReceiptTransaction>], isPaidHere: Bool, at now: Date, level: (String) -> Int?
    ) -> Bool {
        if isPaidHere, let customerID = reports.customerID { setCustomer(customerID) }
        var isNewReport = false
        for report in reports where add(report, at: now) {
            isNewReport = true
            upgrade(to: entries[Key(report.value)]?.statement.value ?? report.value, level)
        }
        if isNewReport { forgetJudgments() }
        return isNewReport
    }

    private mutating func add(_ report: SignedStatement<ReceiptTransaction>, at now: Date) -> Bool {
        var row = report.value
        guard !row.isAnotherCustomers(than: customerID ?? entries.values.lazy.map(\.statement).customerID) else {
            return false
        }
        guard report.isSigned || row.purchaseDate > now.addingTimeInterval(-patience.grant) else { return false }
        if row.revocationReason == .upgradedToBundle {
            // The customer has the subscription through a bundle from now on: the listing says so.
            remember([report])
            forgetJudgments()
            return false
        }
        let key = Key(row)
        // What Apple has signed says more.
        guard entries[key].map({ $0.isReport || report.isSigned && row.replaces($0.statement.value) }) ?? true else {
            return false
        }
        if !report.isSigned { complete(&row) }
        guard row.productKind != .consumable else { return false }
        entries[key] = Entry(
            statement: report.isSigned ? report : SignedStatement(row, text: nil), confirmed: row.signedDate ?? now,
            grantedUntil: now.addingTimeInterval(patience.grant), isReport: !report.isSigned)
        note(signed: row.signedDate)
        if let group = row.subscriptionGroupID { groups.insert(group) }
        return true
    }

    /// Adds the kind and the group of the product to an unsigned report. A period without a known length ends when the
    /// report stops counting.
    private func complete(_ row: inout ReceiptTransaction) {
        let known = entries.values.lazy.map(\.statement.value).filter { [id = row.productID] in $0.productID == id }
        if row.productKind == nil { row.productKind = known.compactMap(\.productKind).first }
        if row.subscriptionGroupID == nil { row.subscriptionGroupID = known.compactMap(\.subscriptionGroupID).first }
        guard row.productKind == .autoRenewableSubscription || known.contains(where: { $0.expirationDate != nil })
        else { return }
        if row.expirationDate == nil { row.expirationDate = row.purchaseDate + patience.grant }
    }

    /// Has a reported subscription replace those of its group that are reported, not listed yet, and of a lower level
    /// of service. A customer's own subscription and one that a family member shares are independent of each other.
    /// - Parameter level: The level of service of a product, 1 for the highest; `nil` for a product that isn't known.
    private mutating func upgrade(to row: ReceiptTransaction, _ level: (String) -> Int?) {
        guard let group = row.subscriptionGroupID, let highest = level(row.productID) else { return }
        for (key, entry) in entries
        where entry.grantedUntil != nil && entry.statement.value.subscriptionGroupID == group {
            guard let lower = level(key.productID), lower > highest else { continue }
            var replaced = entry.statement.value
            guard replaced.isFamilyShared == row.isFamilyShared else { continue }
            replaced.isUpgraded = true
            entries[key]?.statement = entry.statement.with(replaced)
        }
    }

    /// Removes unsigned reports of products that StoreKit 1 says are revoked. Signed transactions wait for the receipt.
    mutating func revoke(_ productIDs: Set<String>) {
        for (key, entry) in entries where entry.isReport && productIDs.contains(key.productID) {
            entries[key] = nil
            forgetJudgments()
        }
    }
}

// Reads.
extension EntitlementRecords {
    /// Adds the content of the cache, unless the reports of this run name another customer.
    /// - Returns: Whether the content was added.
    mutating func add(cache: EntitlementHistory) -> Bool {
        note(signed: cache.latestSignedDate)
        guard customerID == nil || cache.customerID == nil || customerID == cache.customerID else { return false }
        customerID = customerID ?? cache.customerID
        // The reports that came before may belong to another customer than the last listing.
        entries = entries.filter { !$0.value.statement.value.isAnotherCustomers(than: customerID) }
        groups.formUnion(cache.transactions.compactMap(\.value.subscriptionGroupID))
        for statement in cache.transactions where entries[Key(statement.value)]?.isReport ?? true {
            let confirmed = cache.confirmedDate ?? cache.latestSignedDate ?? statement.value.signedDate ?? .distantPast
            entries[Key(statement.value)] = Entry(statement: statement, confirmed: confirmed, isCached: true)
        }
        _ = add(cache.renewals, begun: nil)
        forgetJudgments()
        return true
    }

    /// Records that a read has failed.
    mutating func fail(at date: Date) {
        reading = .failed
        readDate = date
        (statuses, statusGroups) = ([:], [])
        contradicted = []
    }

    /// Merges the result of a read.
    /// - Parameter date: The moment that the read is about.
    mutating func merge(_ history: EntitlementHistory, at date: Date) {
        readDate = date
        note(signed: history.latestSignedDate)
        (unverifiedProductIDs, hasReadPast) = (history.unverifiedProductIDs, history.hasReadPast)
        if let customerID = history.customerID { setCustomer(customerID) }
        reading =
            history.failure != nil
            ? .partial : history.transactions.isEmpty && !history.isSignedAsWhole ? .empty : .complete
        // A family may share one subscription several times: the best counts.
        statuses = Dictionary(history.statuses.map { ($0.originalTransactionID, $0) }) {
            $0.access >= $1.access ? $0 : $1
        }
        statusGroups = Set(history.statuses.map(\.groupID))
        emptySince = reading == .empty ? min(emptySince ?? date, date) : nil
        let confirmed = completeReadDate ?? .distantPast
        if reading == .complete { completeReadDate = date }
        guard !(settled?.hasSameContent(as: history) ?? false) else { return }
        remember(history.past)
        remember(history.latest)
        withdraw()
        let unfinished = history.unfinished.belonging(to: customerID)
        let (listed, originals, hasNewer) = listing(history, unfinished, date)
        contradicted = contradictions(history)
        let before = entries
        entries = listed
        for (key, entry) in before where listed[key] == nil {
            var entry = entry
            // The reads that said the same as the one before didn't touch the entries.
            if entry.isListed { entry.confirmed = max(entry.confirmed, confirmed) }
            if let kept = keep(key, entry, originals, at: date) {
                entries[key] = kept
            } else if entry.statement.isSigned {
                remember([entry.statement])
            }
        }
        withdraw()
        let hasSkipped = add(history.renewals, begun: date)
        forgetJudgments()
        let areAllListed = entries.values.allSatisfy(\.isListed)
        settled = reading == .complete && areAllListed && !hasSkipped && !hasNewer ? history : nil
    }

    /// Returns the entries of the listed purchases.
    private mutating func listing(
        _ history: EntitlementHistory, _ unfinished: [SignedStatement<ReceiptTransaction>], _ date: Date
    ) -> (entries: [Key: Entry], originals: Set<String>, hasNewer: Bool) {
        var listed = [Key: Entry]()
        listed.reserveCapacity(history.transactions.count + history.subscriptions.count + unfinished.count)
        var originals: Set<String> = []
        for (statements, isListed) in [
            (history.transactions, true), (history.subscriptions, true), (unfinished, false),
        ] {
            for statement in statements {
                let key = Key(statement.value)
                originals.insert(statement.value.originalTransactionID)
                if let group = statement.value.subscriptionGroupID { groups.insert(group) }
                if let other = listed[key], !statement.value.isSignedLater(than: other.statement.value) { continue }
                listed[key] = Entry(
                    statement: statement, confirmed: date, isListed: isListed || listed[key]?.isListed ?? false)
            }
        }
        var hasNewer = false
        for (key, entry) in listed {
            // Apple signed the known statement later than the listed one: a refund that the listing doesn't have yet.
            guard let known = entries[key], !known.isReport, !entry.statement.value.replaces(known.statement.value)
            else { continue }
            listed[key]?.statement = known.statement
            hasNewer = true
        }
        return (listed, originals, hasNewer)
    }

    /// The purchases that StoreKit still gives as the latest of their product, and that nothing says have ended. Of a
    /// subscription, its group's statuses say more.
    private func contradictions(_ history: EntitlementHistory) -> Set<Key> {
        guard let customerID else { return [] }
        let latest = history.latest.lazy.map(\.value).filter { [statusGroups] row in
            row.isValid && row.appTransactionID == customerID
                && !(row.subscriptionGroupID.map { statusGroups.contains($0) } ?? false)
        }
        return Set(latest.map(Key.init))
    }

    /// Returns the entry of a purchase that a read lacks, or `nil` if the purchase no longer counts.
    private func keep(_ key: Key, _ entry: Entry, _ originals: Set<String>, at date: Date) -> Entry? {
        let row = entry.statement.value
        var entry = entry
        entry.isListed = false
        // A report of StoreKit 1 may have another identifier than the receipt's row.
        if entry.isReport, originals.contains(row.originalTransactionID) { return nil }
        if reading == .complete, row.productKind == .consumable { return nil }
        if reading == .complete, report(entry, at: date) != .recent {
            entry.missingSince = min(entry.missingSince ?? date, date)
        }
        return evidence(key, entry, end: accessEnd(of: row), at: date).verdict == .end ? nil : entry
    }

    /// Remembers transactions that say why access ended.
    private mutating func remember(_ statements: [SignedStatement<ReceiptTransaction>]) {
        past.reserveCapacity(statements.count)
        for statement in statements where statement.value.productKind != .consumable {
            let key = Key(statement.value)
            if let known = past[key], !statement.value.replaces(known.value) { continue }
            past[key] = statement
        }
    }

    /// Has a refund or an upgrade count at once, unless Apple has signed the listed statement later. An upgrade to a
    /// bundle waits for the listing, which has the subscription through the bundle.
    private mutating func withdraw() {
        for (key, entry) in entries where !entry.isReport {
            guard let statement = past[key], !statement.value.isValid,
                statement.value.revocationReason != .upgradedToBundle,
                !entry.statement.value.isSignedLater(than: statement.value)
            else { continue }
            entries[key]?.statement = statement
        }
    }

    /// Replaces the renewal information of subscriptions, except of those whose period has just ended: StoreKit has
    /// been seen to report at that moment that a subscription won't renew, and to renew it.
    /// - Returns: Whether a statement was left out.
    private mutating func add(_ statements: [SignedStatement<ReceiptRenewal>], begun: Date?) -> Bool {
        var hasSkipped = false
        let justEnded = begun.map(originalsThatJustEnded) ?? []
        for (original, statements) in Dictionary(
            grouping: statements, by: { $0.value.originalTransactionID ?? $0.value.productID })
        {
            let newest = statements.lazy.compactMap(\.value.signedDate).max() ?? .distantFuture
            let known = renewals[original]?.lazy.compactMap(\.value.signedDate).max()
            if let known, newest < known || justEnded.contains(original) {
                hasSkipped = true
            } else {
                renewals[original] = statements
            }
        }
        return hasSkipped
    }

    private func originalsThatJustEnded(at date: Date) -> Set<String> {
        var originals: Set<String> = []
        for entry in entries.values {
            guard let end = entry.statement.value.expirationDate, end <= date, date < end + patience.lapse else {
                continue
            }
            originals.insert(entry.statement.value.originalTransactionID)
        }
        return originals
    }

    /// Sets the customer, and forgets the purchases of another customer.
    private mutating func setCustomer(_ customerID: String) {
        if let known = self.customerID, known != customerID {
            entries = [:]
            past = [:]
            renewals = [:]
            forgetJudgments()
        }
        self.customerID = customerID
    }
}
