import AppReceipt
import Foundation

/// The entitlements at a moment, and the questions that are open.
struct EntitlementEvaluation: Sendable {
    var entitlements: [StoreEntitlement] = []
    /// Whether the device has to be read again, because the evidence about a purchase disagrees.
    var asksAgain = false
    /// Who names purchases that the last listing lacks.
    var sources: Set<EntitlementConfirmation.Source> = []
    /// When the access that hasn't ended ends.
    var ends: [Date] = []
}

extension EntitlementRecords {
    /// Evaluates the records: each purchase by the evidence about it, then the best of each product.
    func evaluation(at date: Date) -> EntitlementEvaluation {
        var evaluation = EntitlementEvaluation()
        for purchase in purchases { add(purchase, to: &evaluation, at: date) }
        evaluation.entitlements = StoreEntitlement.best(evaluation.entitlements).map(addingProduct)
        if pastNamesPurchases(at: date) { evaluation.sources.insert(.history) }
        evaluation.ends = evaluation.entitlements.filter(\.isEntitled).compactMap(\.accessEndDate).filter { $0 > date }
        return evaluation
    }

    /// Evaluates one purchase: the evidence says whether access continues, and the dates name the state. Adds what its
    /// transactions entitle to, and why earlier access ended.
    private func add(_ purchase: KnownPurchase, to evaluation: inout EntitlementEvaluation, at date: Date) {
        guard let (current, record) = purchase.current(at: date) else {
            if let ended = purchase.ended(at: date) { evaluation.entitlements.append(ended) }
            return
        }
        var entitlement = current
        let row = record.facts
        let evidence = evidence(Key(row), record, end: accessEnd(of: row), at: date)
        let verdict = evidence.verdict
        if verdict.isEnd {
            if entitlement.isEntitled, evidence.status.endsAccess { entitlement.state = evidence.status }
        } else if let continued = purchase.continued(entitlement) {
            entitlement = continued
            if evidence.status == .inGracePeriod { entitlement.state = .inGracePeriod }
        }
        // Don't read again for access that only its dates have ended.
        if entitlement.isEntitled ? verdict.asksAgain : verdict == .endAndAskAgain { evaluation.asksAgain = true }
        if !entitlement.isEntitled, let ended = purchase.ended(at: date) { evaluation.entitlements.append(ended) }
        evaluation.entitlements.append(entitlement)
        if entitlement.isEntitled, !lastRead.originals.contains(row.originalTransactionID),
            !lastRead.unverifiedProductIDs.contains(row.productID)
        {
            evaluation.sources.insert(source(record, at: date))
        }
    }

    /// Who names a purchase that the last listing lacks.
    private func source(_ record: Record, at date: Date) -> EntitlementConfirmation.Source {
        switch record.list {
        case .statuses: .status
        case .unfinished: .unfinished
        case .none, .entitlements: report(record, at: date) == .recent ? .report : .earlier
        }
    }

    /// Adds what the loaded product says of a subscription: its level of service, and over StoreKit 1 its group.
    private func addingProduct(to entitlement: StoreEntitlement) -> StoreEntitlement {
        guard entitlement.productKind == .autoRenewable, let product = product(entitlement.id) else {
            return entitlement
        }
        var entitlement = entitlement
        entitlement.level = product.subscriptionLevel
        var row = entitlement.transaction.facts
        if row.subscriptionGroupID == nil, let group = product.subscriptionGroupID {
            row.subscriptionGroupID = group
            entitlement.transaction = entitlement.transaction.with(row)
        }
        return entitlement
    }

    /// Whether the full history has a purchase that nothing says has ended. It gives no access, and the device may list
    /// it soon.
    private func pastNamesPurchases(at date: Date) -> Bool {
        past.history.union(past.lapsed).contains { key in
            guard entries[key] == nil, let row = past.all[key]?.facts else { return false }
            return row.isValid && row.expirationDate.map { $0 > date } ?? true
                && !lastRead.originals.contains(row.originalTransactionID)
                && lastRead.statuses[row.originalTransactionID] == nil
                && !row.isAnotherCustomers(than: customerID)
        }
    }

    /// Returns the signed texts from which the same entitlements follow, now and later: prepaid time adds up, and a
    /// subscription of the customer's own may end before one that is shared. Ended access is kept as a reason only.
    func texts(of entitlements: StoreEntitlements) -> PurchaseListing {
        var texts = PurchaseListing()
        let deciding = Set(entitlements.all.map { Key($0.transaction.facts) })
        let active = entitlements.productIDs
        let kept = entries.filter { key, entry in
            let evidence = evidence(key, entry, end: accessEnd(of: entry.facts), at: lastRead.date)
            return (deciding.contains(key) || active.contains(key.productID))
                && (!entry.facts.isValid || !evidence.verdict.isEnd)
        }
        texts.transactions = kept.values.map(\.signedTransaction)
        texts.past = entitlements.all.map(\.transaction).filter { kept[Key($0.facts)] == nil }
        let originals = Set((texts.transactions + texts.past).map(\.facts.originalTransactionID))
        texts.renewals = renewals.filter { originals.contains($0.key) }.values.flatMap(\.self)
        texts.customerID = customerID
        // Of several purchases, the one that has waited longest decides: the date must not prolong any of them.
        let confirmed = kept.lazy.filter { active.contains($0.key.productID) }.map(\.value.confirmed)
        texts.confirmedDate = confirmed.min() ?? nothingConfirmedDate(entitlements)
        return texts
    }

    /// When a read, in this or an earlier launch, last confirmed that the customer owns nothing.
    private func nothingConfirmedDate(_ entitlements: StoreEntitlements) -> Date? {
        switch entitlements.basis {
        // The last read failed, or a part of it.
        case .confirmed where lastRead.outcome != .empty && lastRead.outcome != .complete: nil
        case .confirmed: entitlements.issues.contains(.emptyHistory) ? nil : lastRead.date
        // On that date, the customer owned the purchases that have ended since.
        case .cached(let date): entitlements.all.isEmpty ? date : nil
        case .unknown: nil
        }
    }
}

extension SubscriptionState {
    /// Whether the status of a subscription says that access has ended.
    fileprivate var endsAccess: Bool { self == .expired || self == .revoked || self == .inBillingRetryPeriod }
}

// Evidence.
extension EntitlementRecords {
    /// The evidence about a purchase.
    /// - Parameters:
    ///   - end: When access ends by it; `nil` for a purchase without an end.
    ///   - date: The moment of the evaluation.
    func evidence(_ key: Key, _ record: Record, end: Date?, at date: Date) -> EntitlementEvidence {
        let row = record.facts
        // A read says nothing about an end that came after it, and nothing about the time since.
        let isAnswered = end.map { $0 <= lastRead.date || date < $0 } ?? true
        let renews = willRenew(row)
        return EntitlementEvidence(
            listing: isAnswered ? listing(key, record) : .notAsked,
            status: status(row, hasEnded: end.map { $0 <= date } ?? false),
            report: report(record, at: date),
            period: period(end, willRenew: renews, at: isAnswered ? min(date, lastRead.date) : date),
            ended: record.ended,
            hasBeenMissing: record.missingSince.map { lastRead.date.timeIntervalSince($0) >= timing.lapse } ?? false,
            // However long the app was closed: the subscription may have been renewed, and the device hasn't been asked
            // yet.
            isOverdue: lastRead.outcome != .none
                && date.timeIntervalSince(record.confirmed) > timing.unconfirmedAccess,
            isEmptyRepeated: lastRead.emptySince.map { lastRead.begun.timeIntervalSince($0) >= timing.contradiction }
                ?? false,
            isRenewalExpected: renews == true,
            isStatusOutdated: end.map { clock.latest ?? .distantPast >= $0 + timing.statusDuration } ?? false)
    }

    /// When access ends by a transaction: with the grace period, if there is one.
    func accessEnd(of row: PurchaseFacts) -> Date? {
        guard let end = row.expirationDate else { return nil }
        let grace = renewals[row.originalTransactionID]?.lazy.compactMap(\.facts.gracePeriodExpirationDate).max()
        return max(end, grace ?? end)
    }

    private func willRenew(_ row: PurchaseFacts) -> Bool? {
        renewals[row.originalTransactionID]?.lazy.compactMap { $0.facts.willRenew(after: row) }.first
    }

    /// Returns the status of a transaction's subscription in the last read. A period that has ended is expired if the
    /// subscription continues with another product, or if the group has statuses of other subscriptions only. A
    /// revocation applies to the transaction that it names: the customer may have subscribed again since.
    private func status(_ row: PurchaseFacts, hasEnded: Bool) -> SubscriptionState {
        guard let status = lastRead.statuses[row.originalTransactionID] else {
            return hasEnded && row.subscriptionGroupID.map { lastRead.groups.contains($0) } ?? false
                ? .expired : .unknown
        }
        let isAnothers = status.state == .revoked && status.transactionID != row.transactionID
        if status.productID == row.productID, !isAnothers { return status.state }
        return hasEnded ? .expired : .unknown
    }

    private func listing(_ key: Key, _ record: Record) -> EntitlementEvidence.Listing {
        switch lastRead.outcome {
        case .none: return .notAsked
        case .failed, .partial: return .partial
        case .complete, .empty:
            if record.isListed, isSuperseded(record) { return .contradicted }
            if record.isListed { return record.list == .entitlements ? .listed : .named }
            if lastRead.contradicted.contains(key) { return .contradicted }
            if lastRead.unverifiedProductIDs.contains(key.productID) { return .partial }
            return lastRead.outcome == .empty ? .empty : .lacking
        }
    }

    /// Whether the status of a listed subscription that is running says that it runs with another product: one of the
    /// two is outdated.
    private func isSuperseded(_ record: Record) -> Bool {
        let row = record.facts
        guard record.list == .entitlements, let status = lastRead.statuses[row.originalTransactionID],
            status.productID != row.productID, row.expirationDate.map({ $0 > lastRead.date }) ?? false
        else { return false }
        return status.state == .subscribed || status.state == .inGracePeriod
    }

    func report(_ record: Record, at date: Date) -> EntitlementEvidence.Reported {
        if !record.facts.isValid { return .ended }
        // A date that is further away is from a clock that was ahead.
        if let until = record.reportedUntil, until > date, until <= date + 2 * timing.reportDuration { return .recent }
        return record.isReport ? .outdated : .none
    }

    private func period(_ end: Date?, willRenew: Bool?, at date: Date) -> EntitlementEvidence.Period {
        guard let end else { return .endless }
        if date < end { return .running }
        let date = clock.date(since: end, at: date)
        if date < end + timing.lapse { return .justEnded }
        return willRenew == false || date >= end + timing.renewalDelay ? .endedForGood : .ended
    }
}
