import AppReceipt
import Foundation

// What reads of the device say.
extension EntitlementRecords {
    /// Merges the result of a read.
    /// - Parameters:
    ///   - date: The moment that the read is about.
    ///   - begun: When the read began, by the device's clock; `nil` for `date`.
    mutating func merge(_ read: PurchaseListing, at date: Date, begun: Date? = nil) {
        clock.readEnded(read, at: date)
        if let customerID = read.customerID { setCustomer(customerID) }
        lastRead = ReadSummary(read, at: date, begun: begun ?? date, after: lastRead, customerID: customerID)
        if lastRead.outcome == .complete { past.lapsed = [] }
        past.history = Set(
            read.past.lazy.map(\.facts).filter { $0.isValid && $0.productKind != .consumable }.map(Key.init))
        past.add(read.past)
        past.add(read.latest)
        // Before the lists are compared, so that a listed transaction from before a refund doesn't replace the refund;
        // and again below for purchases that only this read has.
        applyRevocations()
        let listed = entries(of: read, read.unfinished.belonging(to: customerID), date)
        let unlisted = entries.filter { listed[$0.key] == nil }
        entries = listed
        keepUnlisted(unlisted, listed)
        applyRevocations()
        addRenewals(read.renewals, begun: date)
        for (key, entry) in entries where entry.facts.expirationDate != nil {
            var evidence = evidence(key, entry, end: accessEnd(of: entry.facts), at: lastRead.date)
            // Time alone decides nothing: the clock may be ahead.
            evidence.isOverdue = false
            entries[key]?.ended = evidence.verdict.isEnd ? evidence.verdict : nil
        }
    }

    /// Keeps the purchases that a read lacks, unless they have ended.
    private mutating func keepUnlisted(_ unlisted: [Key: Record], _ listed: [Key: Record]) {
        let newest = unlisted.isEmpty ? [:] : newestPurchases(listed.values)
        let hasReports = unlisted.values.contains(where: \.isReport)
        let listedIDs = Set(hasReports ? listed.values.map(\.facts.transactionID) : [])
        var ended: [VerifiedTransaction] = []
        for (key, entry) in unlisted {
            // StoreKit 1 reports a later change under the identifier of the running period, which is listed.
            if entry.isReport, listedIDs.contains(entry.facts.transactionID) { continue }
            if let kept = unlistedEntry(key, entry, newest, at: lastRead.date) {
                entries[key] = kept
            } else if entry.signedTransaction.isSigned {
                ended.append(entry.signedTransaction)
                if lastRead.outcome != .complete { past.lapsed.insert(key) }
            }
        }
        past.add(ended)
    }

    /// Returns the entries of the purchases that a read lists.
    private mutating func entries(
        of read: PurchaseListing, _ unfinished: [VerifiedTransaction], _ date: Date
    ) -> [Key: Record] {
        var listed = [Key: Record]()
        listed.reserveCapacity(read.transactions.count + read.subscriptions.count + unfinished.count)
        for (signedTransactions, list) in [
            (read.transactions, List.entitlements), (read.subscriptions, .statuses), (unfinished, .unfinished),
        ] {
            // The device lists a later period, or another product of the subscription.
            let newest = list == .unfinished && !signedTransactions.isEmpty ? newestPurchases(listed.values) : [:]
            for signedTransaction in signedTransactions {
                let row = signedTransaction.facts
                let key = Key(row)
                if newest[row.originalTransactionID]?.replacesPurchase(row, at: date) == true { continue }
                if let group = row.subscriptionGroupID { groups.insert(group) }
                if let other = listed[key], !row.isSignedLater(than: other.facts) { continue }
                // A receipt lists the periods that have ended, too.
                let isPast = read.isSignedAsWhole && row.expirationDate.map { $0 <= date } ?? false
                listed[key] = Record(
                    signedTransaction: signedTransaction, confirmed: date,
                    list: listed[key]?.list ?? (isPast ? .statuses : list))
            }
        }
        for (key, entry) in listed {
            listed[key]?.ended = entries[key]?.ended
            // The unfinished list isn't proof that the current entitlements have the purchase.
            if entry.list == .unfinished { listed[key]?.reportedUntil = entries[key]?.reportedUntil }
            // Apple signed the known transaction later than the listed one: a refund that the listing doesn't have yet.
            if let known = entries[key], !known.isReport, !entry.facts.replaces(known.facts) {
                listed[key]?.signedTransaction = known.signedTransaction
            }
        }
        return listed
    }

    /// The newest purchase of each subscription, by original transaction.
    private func newestPurchases(_ entries: some Sequence<Record>) -> [String: PurchaseFacts] {
        Dictionary(entries.lazy.map(\.facts).map { ($0.originalTransactionID, $0) }) {
            $0.purchaseDate >= $1.purchaseDate ? $0 : $1
        }
    }

    /// Returns the entry of a purchase that a read lacks, or `nil` if the purchase gives no access any longer.
    /// - Parameter newest: The newest purchases that the read lists, by original transaction.
    private func unlistedEntry(
        _ key: Key, _ entry: Record, _ newest: [String: PurchaseFacts], at date: Date
    ) -> Record? {
        let row = entry.facts
        let listed = newest[row.originalTransactionID]
        var entry = entry
        if row.expirationDate != nil, let listed, listed.isValid, listed.isPaidByOthers == row.isPaidByOthers {
            // The evidence is about the subscription's latest purchase, which isn't this one.
            if listed.replacesPurchase(row, at: date) { return nil }
            // The list has the next period before it begins. Until then, it names this one, too.
            if listed.purchaseDate > date, !entry.isReport {
                entry.list = .statuses
                return entry
            }
        }
        entry.list = .none
        // A report of StoreKit 1 may have another identifier than the receipt's row.
        if entry.isReport, listed != nil { return nil }
        if lastRead.outcome == .complete, row.productKind == .consumable { return nil }
        if lastRead.outcome == .complete, report(entry, at: date) != .recent {
            entry.missingSince = min(entry.missingSince ?? date, date)
        }
        let evidence = evidence(key, entry, end: accessEnd(of: row), at: date)
        // Kept, so that the next read knows that access has ended.
        if evidence.lastingEnd != nil, lastRead.outcome != .complete { return entry }
        switch evidence.verdict {
        case .keep, .askAgain: return entry
        // What the read lists of the subscription answers the question.
        case .endAndAskAgain: return listed == nil ? entry : nil
        case .end: return nil
        }
    }

    /// Replaces the renewal information of subscriptions, except of those whose period has just ended: StoreKit
    /// sometimes reports at that moment that a subscription won't renew, and renews it.
    mutating func addRenewals(_ reported: [VerifiedRenewal], begun: Date?) {
        let justEnded = begun.map(originalsThatJustEnded) ?? []
        for (original, reported) in Dictionary(grouping: reported, by: \.subscriptionID) {
            let newest = reported.lazy.compactMap(\.facts.signedDate).max() ?? .distantFuture
            let known = renewals[original]?.lazy.compactMap(\.facts.signedDate).max()
            if let known, newest < known || justEnded.contains(original) { continue }
            renewals[original] = reported
        }
    }

    private func originalsThatJustEnded(at date: Date) -> Set<String> {
        let justEnded = entries.values.lazy.map(\.facts).filter { row in
            row.expirationDate.map { $0 <= date && date < $0 + timing.lapse } ?? false
        }
        return Set(justEnded.map(\.originalTransactionID))
    }
}

extension PurchaseFacts {
    /// Whether this purchase of a subscription came after another one, or in its place: the clock of a test stands
    /// still. A period that hasn't begun replaces nothing.
    fileprivate func replacesPurchase(_ other: PurchaseFacts, at date: Date) -> Bool {
        purchaseDate <= date
            && (purchaseDate > other.purchaseDate || purchaseDate == other.purchaseDate && productID != other.productID)
    }
}
