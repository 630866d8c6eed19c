import AppReceipt
import Foundation

// What reads of the device say.
extension EntitlementRecords {
    /// Records that a read has failed.
    mutating func readFailed(at date: Date) {
        listing = .failed
        readDate = date
        (statuses, statusGroups) = ([:], [])
        contradicted = []
    }

    /// Merges the result of a read.
    /// - Parameter date: The moment that the read is about.
    mutating func merge(_ read: PurchaseListing, at date: Date) {
        readDate = date
        let signed = (read.transactions + read.subscriptions).lazy.compactMap(\.facts.signedDate).max()
        if let signed, signed > signedClock?.signed ?? .distantPast { signedClock = (signed, date) }
        // The clock was ahead at that read: the time since then begins now.
        if let clock = signedClock, date < clock.device { signedClock?.device = date }
        addSignedDate(read.latestSignedDate)
        (unverifiedProductIDs, hasReadPast) = (read.unverifiedProductIDs, read.hasReadPast)
        if let customerID = read.customerID { setCustomer(customerID) }
        listing =
            read.failure != nil ? .partial : read.transactions.isEmpty && !read.isSignedAsWhole ? .empty : .complete
        // A family may share one subscription several times: the best status is used.
        statuses = Dictionary(read.statuses.map { ($0.originalTransactionID, $0) }) {
            $0.accessRank >= $1.accessRank ? $0 : $1
        }
        statusGroups = Set(read.statuses.map(\.groupID))
        // A part of a list may be empty because the rest failed.
        if listing == .empty { emptySince = min(emptySince ?? date, date) }
        if !read.transactions.isEmpty { emptySince = nil }
        let confirmed = completeReadDate ?? .distantPast
        if listing == .complete { (completeReadDate, lapsed) = (date, []) }
        // Most reads repeat the one before. Then only the dates above change.
        guard !(settled?.hasSameContent(as: read) ?? false) else { return }
        listedOriginals = Set(read.transactions.map(\.facts.originalTransactionID))
        history = Set(read.past.lazy.map(\.facts).filter { $0.isValid && $0.productKind != .consumable }.map(Key.init))
        addPast(read.past)
        addPast(read.latest)
        // Before the lists are compared, so that a listed statement from before a refund doesn't replace the refund;
        // and again below for purchases that only this read has.
        applyRevocations()
        let unfinished = read.unfinished.belonging(to: customerID)
        let (listed, hasNewer) = entries(of: read, unfinished, date)
        contradicted = contradictions(read)
        let before = entries
        entries = listed
        let unlisted = before.filter { listed[$0.key] == nil }
        let newest = unlisted.isEmpty ? [:] : newestPurchases(listed.values)
        for (key, entry) in unlisted {
            var entry = entry
            // The reads that said the same as the one before didn't touch the entries.
            if entry.isListed { entry.confirmed = max(entry.confirmed, confirmed) }
            if let kept = unlistedEntry(key, entry, newest, at: date) {
                entries[key] = kept
            } else if entry.statement.isSigned {
                addPast([entry.statement])
                if listing != .complete { lapsed.insert(key) }
            }
        }
        applyRevocations()
        let hasSkipped = addRenewals(read.renewals, begun: date)
        recordsChanged()
        let areAllListed = entries.values.allSatisfy(\.isListed)
        settled = listing == .complete && areAllListed && !hasSkipped && !hasNewer ? read : nil
    }

    /// Returns the entries of the purchases that a read lists.
    private mutating func entries(
        of read: PurchaseListing, _ unfinished: [VerifiedTransaction], _ date: Date
    ) -> (entries: [Key: Entry], hasNewer: Bool) {
        var listed = [Key: Entry]()
        listed.reserveCapacity(read.transactions.count + read.subscriptions.count + unfinished.count)
        for (statements, list) in [
            (read.transactions, List.entitlements), (read.subscriptions, .statuses), (unfinished, .unfinished),
        ] {
            // The device lists a later period, or another product of the subscription.
            let newest = list == .unfinished && !statements.isEmpty ? newestPurchases(listed.values) : [:]
            for statement in statements {
                let key = Key(statement.facts)
                if let listed = newest[statement.facts.originalTransactionID], listed.replacesPurchase(statement.facts)
                {
                    continue
                }
                if let group = statement.facts.subscriptionGroupID { groups.insert(group) }
                if let other = listed[key], !statement.facts.isSignedLater(than: other.statement.facts) { continue }
                // A receipt lists the periods that have ended, too.
                let isPast = read.isSignedAsWhole && statement.facts.expirationDate.map { $0 <= date } ?? false
                listed[key] = Entry(
                    statement: statement, confirmed: date, list: listed[key]?.list ?? (isPast ? .statuses : list))
            }
        }
        var hasNewer = false
        for (key, entry) in listed {
            // That a purchase is unfinished says nothing about the list, which may lack it when it's finished.
            if entry.list == .unfinished { listed[key]?.reportedUntil = entries[key]?.reportedUntil }
            // Apple signed the known statement later than the listed one: a refund that the listing doesn't have yet.
            guard let known = entries[key], !known.isReport, !entry.statement.facts.replaces(known.statement.facts)
            else { continue }
            listed[key]?.statement = known.statement
            hasNewer = true
        }
        return (listed, hasNewer)
    }

    /// The newest purchase of each subscription, by original transaction.
    private func newestPurchases(_ entries: some Sequence<Entry>) -> [String: PurchaseFacts] {
        Dictionary(entries.lazy.map(\.statement.facts).map { ($0.originalTransactionID, $0) }) {
            $0.purchaseDate >= $1.purchaseDate ? $0 : $1
        }
    }

    /// The purchases that StoreKit still gives as the latest of their product, and that nothing says have ended. For a
    /// subscription, its group's statuses take precedence.
    private func contradictions(_ read: PurchaseListing) -> Set<Key> {
        guard let customerID else { return [] }
        let latest = read.latest.lazy.map(\.facts).filter { [statusGroups] row in
            row.isValid && row.appTransactionID == customerID
                && !(row.subscriptionGroupID.map { statusGroups.contains($0) } ?? false)
        }
        return Set(latest.map(Key.init))
    }

    /// Returns the entry of a purchase that a read lacks, or `nil` if the purchase gives no access any longer.
    /// - Parameter newest: The newest purchases that the read lists, by original transaction.
    private func unlistedEntry(
        _ key: Key, _ entry: Entry, _ newest: [String: PurchaseFacts], at date: Date
    ) -> Entry? {
        let row = entry.statement.facts
        let listed = newest[row.originalTransactionID]
        // The evidence is about the subscription's latest purchase, which isn't this one.
        if row.expirationDate != nil, let listed, listed.isValid, listed.isPaidByOthers == row.isPaidByOthers,
            listed.replacesPurchase(row)
        {
            return nil
        }
        var entry = entry
        entry.list = .none
        // A report of StoreKit 1 may have another identifier than the receipt's row.
        if entry.isReport, listed != nil { return nil }
        if listing == .complete, row.productKind == .consumable { return nil }
        if listing == .complete, report(entry, at: date) != .recent {
            entry.missingSince = min(entry.missingSince ?? date, date)
        }
        switch evidence(key, entry, end: accessEnd(of: row), at: date).verdict {
        case .keep, .askAgain: return entry
        // What the read lists of the subscription answers the question.
        case .endAndAskAgain: return listed == nil ? entry : nil
        case .end: return nil
        }
    }

    /// Replaces the renewal information of subscriptions, except of those whose period has just ended: StoreKit
    /// sometimes reports at that moment that a subscription won't renew, and renews it.
    /// - Returns: Whether a statement was left out.
    mutating func addRenewals(_ statements: [VerifiedRenewal], begun: Date?) -> Bool {
        var hasSkipped = false
        let justEnded = begun.map(originalsThatJustEnded) ?? []
        for (original, statements) in Dictionary(
            grouping: statements, by: { $0.facts.originalTransactionID ?? $0.facts.productID })
        {
            let newest = statements.lazy.compactMap(\.facts.signedDate).max() ?? .distantFuture
            let known = renewals[original]?.lazy.compactMap(\.facts.signedDate).max()
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
            guard let end = entry.statement.facts.expirationDate, end <= date, date < end + timing.lapse else {
                continue
            }
            originals.insert(entry.statement.facts.originalTransactionID)
        }
        return originals
    }
}

extension PurchaseFacts {
    /// Whether this purchase of a subscription came after another one, or in its place: the clock of a test stands
    /// still.
    fileprivate func replacesPurchase(_ other: PurchaseFacts) -> Bool {
        purchaseDate > other.purchaseDate || purchaseDate == other.purchaseDate && productID != other.productID
    }
}
