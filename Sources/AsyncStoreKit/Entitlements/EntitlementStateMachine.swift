import AppReceipt
import Foundation

/// Decides what counts as evidence about what the customer owns, and when to look again.
///
/// Time passes for it only with the reads of the device: what ends by the clock has ended when a read that began afterwards has had nothing
/// better to say. So an end that is followed by a renewal is never seen as one.
struct EntitlementStateMachine: Sendable {
    /// How long things have to last, in seconds.
    struct Patience: Sendable {
        /// An end, and the absence of a transaction that was there: StoreKit 2 says "expired" for up to 0.7 seconds before each renewal.
        var lapse: TimeInterval = 2
        /// For how long a purchase that has just been reported may be missing from the listing.
        var grant: TimeInterval = 300
        /// After a read that failed.
        var failure: TimeInterval = 60
        /// By how much a device's clock may be behind the App Store's without a word.
        var clockDifference: TimeInterval = 300
    }

    private struct Entry: Sendable {
        var statement: SignedStatement<ReceiptTransaction>
        /// Until when it counts though the listing does not have it.
        var grantedUntil: Date?
        /// Since when complete reads lack it.
        var missingSince: Date?
        /// Whether it is a report of the payment queue, and no statement that Apple has signed.
        var isReport = false
    }

    private let durations: [String: TimeInterval]
    private let patience: Patience
    private var entries: [EntitlementJudge.Key: Entry] = [:]
    /// Transactions of the full history, and those that a complete read no longer lists: information that gives no
    /// access.
    private var past: [EntitlementJudge.Key: SignedStatement<ReceiptTransaction>] = [:]
    private var renewals: [String: [SignedStatement<ReceiptRenewal>]] = [:]
    /// The subscriptions of which the last read has said something that does not count.
    private var skipped: Set<String> = []
    /// Judges ``entries``, which can give access.
    private var judge: EntitlementJudge?
    /// Judges ``entries`` and ``past``, to say why access ended.
    private var pastJudge: EntitlementJudge?
    /// The customer whose purchases the entries are; `nil` while no transaction has identified the customer.
    private var customerID: String?

    /// When the last read began that has ended: the moment judged by.
    private var asOf: Date?
    private var latestSignedDate: Date?
    private var basis = StoreEntitlements.Basis.unknown
    private var cacheDoubts: Set<StoreEntitlements.Doubt> = []
    private var readDoubts: Set<StoreEntitlements.Doubt> = []
    /// When to ask once more, though nothing is known to change: after a failure, and after a first answer that is empty.
    private var asksAgain: Date?
    /// What the last read listed, where all of it counts and nothing else does.
    private var settled: EntitlementHistory?

    /// What is to be said.
    private(set) var entitlements = StoreEntitlements.unknown
    /// When to read again, if nothing happens before.
    private(set) var nextRead: Date?
    /// Whether a read has ended, well or not.
    private(set) var hasRead = false

    /// - Parameter durations: How long non-renewing subscriptions last, in seconds; what is not more than zero counts as not given.
    init(durations: [String: TimeInterval] = [:], patience: Patience = Patience()) {
        self.durations = durations.filter { $0.value > 0 && $0.value.isFinite }
        self.patience = patience
    }
}

// What comes.
extension EntitlementStateMachine {
    /// The payment queue has reported something paid. It counts until the listing has it, or for a time.
    ///
    /// A report that names another customer doesn't count, unless that customer has just paid on this device.
    /// - Parameter isPaidHere: Whether the reports answer a payment: they say who the customer is now.
    mutating func take(reports: [SignedStatement<ReceiptTransaction>], isPaidHere: Bool = false, at now: Date) {
        if isPaidHere, let customerID = reports.customerID { take(customerID) }
        var isNews = false
        for report in reports where add(report, at: now) { isNews = true }
        guard isNews else { return }
        forgetJudgments()
        decide(at: now)
    }

    private mutating func add(_ report: SignedStatement<ReceiptTransaction>, at now: Date) -> Bool {
        var row = report.value
        guard !row.isAnotherCustomers(than: customerID ?? entries.values.lazy.map(\.statement).customerID) else {
            return false
        }
        guard report.isSigned || row.purchaseDate > now.addingTimeInterval(-patience.grant) else { return false }
        let key = EntitlementJudge.Key(row)
        // What Apple has signed says more.
        guard entries[key].map({ $0.isReport || report.isSigned && !isNewer($0.statement.value, than: row) }) ?? true else { return false }
        if !report.isSigned { complete(&row) }
        guard row.productKind != .consumable else { return false }
        entries[key] = Entry(
            statement: report.isSigned ? report : SignedStatement(row, text: nil), grantedUntil: now.addingTimeInterval(patience.grant),
            isReport: !report.isSigned)
        note(signed: row.signedDate)
        return true
    }

    /// What was kept from an earlier run.
    mutating func take(cache: EntitlementHistory, doubts: Set<StoreEntitlements.Doubt>, at now: Date) {
        cacheDoubts = doubts
        note(signed: cache.latestSignedDate)
        let isAnotherCustomers = customerID != nil && cache.customerID != nil && customerID != cache.customerID
        if !hasRead, !isAnotherCustomers {
            customerID = customerID ?? cache.customerID
            // The reports that came before may belong to another customer than the last listing.
            entries = entries.filter { !$0.value.statement.value.isAnotherCustomers(than: customerID) }
            for statement in cache.transactions {
                let key = EntitlementJudge.Key(statement.value)
                if entries[key]?.isReport ?? true { entries[key] = Entry(statement: statement) }
            }
            add(cache.renewals, begun: nil)
            forgetJudgments()
            if let date = cache.latestSignedDate, !cache.transactions.isEmpty { basis = .cached(asOf: date) }
        }
        decide(at: now)
    }

    /// A read of the device has ended.
    mutating func take(_ history: EntitlementHistory, begun: Date, at now: Date) {
        readDoubts = history.unverifiedProductIDs.isEmpty ? [] : [.unverified(productIDs: history.unverifiedProductIDs)]
        note(signed: history.latestSignedDate)
        if let customerID = history.customerID { take(customerID) }
        let unfinished = history.unfinished.belonging(to: customerID)
        let isSettled = settled?.saysTheSame(as: history) ?? false
        if !isSettled {
            remember(history.past)
            withdraw()
        }
        let isComplete = isComplete(history, unfinished, begun)
        if let failure = history.failure { readDoubts.insert(.incomplete(failure.code)) }
        if !isSettled { merge(history, unfinished, isComplete: isComplete, begun: begun) }
        if isComplete {
            basis = .confirmed
            cacheDoubts = []
        } else if basis == .unknown,
            !(history.transactions.isEmpty && history.subscriptions.isEmpty && unfinished.isEmpty)
        {
            basis = .confirmed
        }
        // A first answer that is empty stands, and is asked for again: a payer must not be shown the paywall for long.
        let isFirstAndEmpty = !hasRead && entries.isEmpty && !history.isSignedAsWhole
        asksAgain =
            history.failure != nil
            ? begun.addingTimeInterval(patience.failure) : isFirstAndEmpty ? begun.addingTimeInterval(patience.lapse) : nil
        end(begun: begun, at: now)
    }

    /// Sets the customer, and forgets the purchases of another customer.
    private mutating func take(_ customerID: String) {
        if let known = self.customerID, known != customerID {
            entries = [:]
            past = [:]
            renewals = [:]
            forgetJudgments()
        }
        self.customerID = customerID
    }

    /// Called when the evidence has changed.
    private mutating func forgetJudgments() {
        judge = nil
        pastJudge = nil
        settled = nil
    }

    /// A read of the device has failed.
    mutating func take(_ failure: StoreError, begun: Date, at now: Date) {
        readDoubts = [.incomplete(failure.code)]
        asksAgain = begun.addingTimeInterval(patience.failure)
        end(begun: begun, at: now)
    }

    private mutating func end(begun: Date, at now: Date) {
        hasRead = true
        asOf = max(asOf ?? begun, begun)
        decide(at: now)
    }

    /// The signed texts by which the present answer could be given again.
    var evidence: EntitlementHistory {
        var evidence = EntitlementHistory()
        evidence.transactions = entitlements.all.compactMap { entries[EntitlementJudge.Key($0)]?.statement }
        let originals = Set(evidence.transactions.map(\.value.originalTransactionID))
        evidence.renewals = renewals.filter { originals.contains($0.key) }.values.flatMap(\.self)
        return evidence
    }
}

// Evidence.
extension EntitlementStateMachine {
    /// An empty listing isn't complete while the customer has access to a product, and no status and no refund says
    /// that the access has ended, not after a restore either. It is complete when it is signed.
    private mutating func isComplete(
        _ history: EntitlementHistory, _ unfinished: [SignedStatement<ReceiptTransaction>], _ begun: Date
    ) -> Bool {
        guard history.failure == nil else { return false }
        guard history.transactions.isEmpty, !history.isSignedAsWhole else { return true }
        let explained = Set([history.subscriptions, unfinished].joined().map(\.value.originalTransactionID))
        let isContradicted = entries.values.contains { entry in
            let row = entry.statement.value
            guard row.isValid, !explained.contains(row.originalTransactionID), let last = entitlements[row.productID],
                last.isEntitled
            else { return false }
            return (last.accessEndDate ?? row.expirationDate).map { $0 > begun } ?? true
        }
        if isContradicted, history.unverifiedProductIDs.isEmpty { readDoubts.insert(.listsNothing) }
        return !isContradicted
    }

    private mutating func merge(
        _ history: EntitlementHistory, _ unfinished: [SignedStatement<ReceiptTransaction>], isComplete: Bool,
        begun: Date
    ) {
        var next: [EntitlementJudge.Key: Entry] = [:]
        next.reserveCapacity(history.transactions.count + history.subscriptions.count + unfinished.count)
        var originals: Set<String> = []
        for statement in [history.transactions, history.subscriptions, unfinished].joined() {
            let key = EntitlementJudge.Key(statement.value)
            originals.insert(statement.value.originalTransactionID)
            if let other = next[key], !isNewer(statement.value, than: other.statement.value) { continue }
            next[key] = Entry(statement: statement)
        }
        var hasNewer = false
        for (key, entry) in entries {
            if let listed = next[key] {
                // Signed later than what is listed, such as a refund that the listing does not know yet.
                if !entry.isReport, isNewer(entry.statement.value, than: listed.statement.value) {
                    next[key] = entry
                    hasNewer = true
                }
            } else if let kept = keep(entry, isComplete: isComplete, history, originals, begun: begun) {
                next[key] = kept
            } else if entry.statement.isSigned {
                remember([entry.statement])
            }
        }
        entries = next
        withdraw()
        add(history.renewals, begun: begun)
        forgetJudgments()
        let isSettled = isComplete && entries.values.allSatisfy { $0.missingSince == nil && $0.grantedUntil == nil && !$0.isReport }
        settled = isSettled && skipped.isEmpty && !hasNewer ? history : nil
    }

    /// Keeps what says why access ended.
    private mutating func remember(_ statements: [SignedStatement<ReceiptTransaction>]) {
        past.reserveCapacity(statements.count)
        for statement in statements where statement.value.productKind != .consumable {
            Self.replace(&past[EntitlementJudge.Key(statement.value), default: statement], by: statement)
        }
    }

    private static func replace(
        _ known: inout SignedStatement<ReceiptTransaction>, by statement: SignedStatement<ReceiptTransaction>
    ) {
        if !known.value.isSignedLater(than: statement.value) { known = statement }
    }

    /// A refund or an upgrade counts at once, unless Apple has signed the listed statement about the same transaction
    /// later.
    private mutating func withdraw() {
        for (key, entry) in entries where !entry.isReport {
            guard let statement = past[key], !statement.value.isValid,
                !isNewer(entry.statement.value, than: statement.value)
            else { continue }
            entries[key]?.statement = statement
        }
    }

    /// What becomes of a transaction that a read lacks; `nil` when it counts no more.
    private func keep(
        _ entry: Entry, isComplete: Bool, _ history: EntitlementHistory, _ originals: Set<String>, begun: Date
    ) -> Entry? {
        let row = entry.statement.value
        // A report of StoreKit 1 may go by another identifier than the receipt's row.
        if entry.isReport, originals.contains(row.originalTransactionID) { return nil }
        if let until = entry.grantedUntil, until > begun { return entry }
        guard isComplete else { return entry }
        if entry.isReport || row.productKind == .consumable { return nil }
        guard !history.unverifiedProductIDs.contains(row.productID) else { return entry }
        // A transaction that gives no access doesn't have to be missing for a while.
        let hasExpired = row.expirationDate.map { $0.addingTimeInterval(patience.lapse) <= begun } ?? false
        let last = entitlements[row.productID]
        let givesAccess = last?.transactionID == row.transactionID && last?.isEntitled == true
        if entry.statement.isSigned, !row.isValid || hasExpired && !givesAccess { return nil }
        var entry = entry
        let since = entry.missingSince ?? begun
        entry.missingSince = since
        return begun < since.addingTimeInterval(patience.lapse) ? entry : nil
    }

    /// What is said anew of a subscription takes the place of what was said, but for the moments after the end of a period: then StoreKit
    /// has been seen to say that it will not renew.
    private mutating func add(_ statements: [SignedStatement<ReceiptRenewal>], begun: Date?) {
        skipped = []
        for (original, statements) in Dictionary(grouping: statements, by: { $0.value.originalTransactionID ?? $0.value.productID }) {
            let newest = statements.lazy.compactMap(\.value.signedDate).max() ?? .distantFuture
            let known = renewals[original]?.lazy.compactMap(\.value.signedDate).max()
            if let known, newest < known || begun.map({ hasJustEnded(original, at: $0) }) ?? false {
                skipped.insert(original)
            } else {
                renewals[original] = statements
            }
        }
    }

    private func hasJustEnded(_ original: String, at date: Date) -> Bool {
        entries.values.contains { entry in
            guard let end = entry.statement.value.expirationDate, entry.statement.value.originalTransactionID == original else {
                return false
            }
            return end <= date && date < end.addingTimeInterval(patience.lapse)
        }
    }

    private func isNewer(_ row: ReceiptTransaction, than other: ReceiptTransaction) -> Bool {
        row.isSignedLater(than: other)
    }

    private mutating func note(signed date: Date?) {
        if let date { latestSignedDate = max(latestSignedDate ?? date, date) }
    }

    /// What a report does not say of its product, from what is known of it: a period ends when the report does.
    private func complete(_ row: inout ReceiptTransaction) {
        let known = entries.values.lazy.map(\.statement.value).filter { [id = row.productID] in $0.productID == id }
        if row.productKind == nil { row.productKind = known.compactMap(\.productKind).first }
        if row.productKind == .autoRenewableSubscription || known.contains(where: { $0.expirationDate != nil }) {
            row.expirationDate = row.purchaseDate + patience.grant
        }
    }
}

// What is said.
extension EntitlementStateMachine {
    private mutating func decide(at now: Date) {
        // The later of the two: who sets the clock back gains nothing.
        let date = max(asOf ?? now, latestSignedDate ?? .distantPast)
        let judge =
            judge
            ?? EntitlementJudge(
                entries.values.map(\.statement.value), renewals.values.flatMap { $0.map(\.value) }, durations: durations)
        self.judge = judge
        var all = judge.entitlements(at: date.addingTimeInterval(-patience.lapse))
        if !past.isEmpty { explain(&all, at: date.addingTimeInterval(-patience.lapse)) }
        for place in all.indices {
            let key = EntitlementJudge.Key(all[place])
            all[place].signed = entries[key]?.statement ?? past[key]
        }
        let ends = all.filter(\.isEntitled).compactMap(\.accessEndDate)
        var doubts = readDoubts.union(cacheDoubts)
        if let latestSignedDate, now.addingTimeInterval(patience.clockDifference) < latestSignedDate { doubts.insert(.clockSetBack) }
        entitlements = StoreEntitlements(all, basis: basis, doubts: doubts, nextChange: ends.filter { $0 > date }.min())
        let reads =
            ends.map { $0.addingTimeInterval(patience.lapse) }
            + (settled == nil ? entries.values.compactMap { $0.missingSince?.addingTimeInterval(patience.lapse) ?? $0.grantedUntil } : [])
            + [asksAgain].compactMap(\.self)
        nextRead = reads.filter { $0 > (asOf ?? .distantPast) }.min()
    }

    /// Adds why access to a product ended, from the past. Nothing in the past gives access.
    private mutating func explain(_ all: inout [StoreEntitlement], at date: Date) {
        let judge = pastJudge ?? makePastJudge()
        pastJudge = judge
        var products = Dictionary(all.map { ($0.productID, $0) }) { first, _ in first }
        for entitlement in judge.entitlements(at: date) where !entitlement.isEntitled {
            if products[entitlement.productID]?.isEntitled != true { products[entitlement.productID] = entitlement }
        }
        all = products.values.inOrder { $0.productID < $1.productID }
    }

    private func makePastJudge() -> EntitlementJudge {
        let known = customerID ?? entries.values.lazy.map(\.statement).customerID
        // Here a family-shared transaction counts only without an `appTransactionId`, or with this customer's.
        let unlisted = past.compactMap { entries[$0.key] == nil ? $0.value : nil }
        let past = unlisted.belonging(to: known).filter { statement in
            known == nil || statement.value.appTransactionID.map { $0 == known } ?? true
        }
        return EntitlementJudge(
            entries.values.map(\.statement.value) + past.map(\.value), renewals.values.flatMap { $0.map(\.value) },
            durations: durations)
    }
}
