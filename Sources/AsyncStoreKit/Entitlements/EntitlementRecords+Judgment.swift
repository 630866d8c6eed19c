import AppReceipt
import Foundation

/// The entitlements at a moment, and the questions that are open.
struct EntitlementJudgment: Sendable {
    var entitlements: [StoreEntitlement] = []
    /// Whether the device has to be read again, because a purchase's access isn't confirmed.
    var asksAgain = false
    /// Whether the device lists nothing although the customer has access to something.
    var isContradicted = false
    /// When the access that hasn't ended ends.
    var ends: [Date] = []
}

// Judging.
extension EntitlementRecords {
    /// Judges the records, and keeps the access of which the evidence doesn't say that it has ended.
    mutating func judgment(at date: Date) -> EntitlementJudgment {
        let judge =
            judge
            ?? EntitlementEvaluator(
                entries.values.map(\.statement.value), renewals.values.flatMap { $0.map(\.value) }, durations: durations
            )
        self.judge = judge
        var judgment = EntitlementJudgment(entitlements: judge.entitlements(at: date))
        for place in judgment.entitlements.indices { weigh(&judgment, place, judge, at: date) }
        if !past.isEmpty { explain(&judgment.entitlements, at: date) }
        for place in judgment.entitlements.indices {
            let key = Key(judgment.entitlements[place])
            guard let statement = entries[key]?.statement ?? past[key] else { continue }
            judgment.entitlements[place].transaction = VerifiedTransaction(statement)
            let renewal = renewals[statement.value.originalTransactionID]?.first
            judgment.entitlements[place].signedRenewal = renewal.map(Shared.init)
        }
        judgment.ends = judgment.entitlements.filter(\.isEntitled).compactMap(\.accessEndDate).filter { $0 > date }
        return judgment
    }

    /// Corrects the judgment of a product, which follows its dates, by the evidence about the purchase.
    private func weigh(
        _ judgment: inout EntitlementJudgment, _ place: Int, _ judge: EntitlementEvaluator, at date: Date
    ) {
        let entitlement = judgment.entitlements[place]
        let key = Key(entitlement)
        guard let entry = entries[key] else { return }
        let end = entitlement.kind == .autoRenewable ? accessEnd(of: entry.statement.value) : nil
        let evidence = evidence(key, entry, end: end, at: date)
        let verdict = evidence.verdict
        if entitlement.isEntitled {
            if verdict == .end, let state = evidence.status.endState { judgment.entitlements[place].state = state }
        } else {
            guard verdict != .end, let end, entitlement.state == .expired || entitlement.state == .inBillingRetry,
                let held = judge.entitlement(to: entitlement.productID, at: end.addingTimeInterval(-0.001))
            else { return }
            judgment.entitlements[place] = held
            if evidence.status == .inGracePeriod { judgment.entitlements[place].state = .inGracePeriod }
        }
        guard verdict == .askAgain else { return }
        judgment.asksAgain = true
        let isUnlisted = evidence.listing == .empty || evidence.listing == .contradicted
        if reading == .empty, isUnlisted, evidence.report != .recent { judgment.isContradicted = true }
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

    private func makePastJudge() -> EntitlementEvaluator {
        let known = customerID ?? entries.values.lazy.map(\.statement).customerID
        // Here a family-shared transaction counts only without an `appTransactionId`, or with this customer's.
        let unlisted = past.compactMap { entries[$0.key] == nil ? $0.value : nil }
        let past = unlisted.belonging(to: known).filter { statement in
            known == nil || statement.value.appTransactionID.map { $0 == known } ?? true
        }
        return EntitlementEvaluator(
            entries.values.map(\.statement.value) + past.map(\.value), renewals.values.flatMap { $0.map(\.value) },
            durations: durations)
    }

    /// Whether the full history has, or may have, a purchase that nothing says has ended. It gives no access, and the
    /// device may list it soon.
    func pastMayNamePurchases(at date: Date) -> Bool {
        !hasReadPast
            || past.contains { key, statement in
                let row = statement.value
                guard entries[key] == nil else { return false }
                return row.isValid && row.expirationDate.map { $0 > date } ?? true
                    && !row.isAnotherCustomers(than: customerID)
            }
    }

    /// Returns the signed texts from which the same entitlements follow.
    func texts(of entitlements: StoreEntitlements) -> EntitlementHistory {
        var texts = EntitlementHistory()
        texts.transactions = entitlements.all.compactMap { entries[Key($0)]?.statement }
        let originals = Set(texts.transactions.map(\.value.originalTransactionID))
        texts.renewals = renewals.filter { originals.contains($0.key) }.values.flatMap(\.self)
        texts.customerID = customerID
        // Of several purchases, the one that has waited longest counts: the date must not prolong any of them.
        let active = entitlements.filter(\.isEntitled).compactMap { entries[Key($0)] }
        texts.confirmedDate = active.map(confirmedDate).min() ?? (entitlements.basis == .confirmed ? readDate : nil)
        return texts
    }

    /// When the device, or Apple's signature, last confirmed a purchase.
    private func confirmedDate(of entry: Entry) -> Date {
        entry.isListed ? max(entry.confirmed, completeReadDate ?? .distantPast) : entry.confirmed
    }
}

extension EntitlementEvidence.Status {
    /// The state of an entitlement whose subscription has ended by this status; `nil` if it hasn't ended.
    fileprivate var endState: StoreEntitlement.State? {
        switch self {
        case .expired: .expired
        case .revoked: .revoked
        case .inBillingRetry: .inBillingRetry
        case .subscribed, .inGracePeriod, .unknown: nil
        }
    }
}

// Evidence.
extension EntitlementRecords {
    /// The evidence about a purchase.
    /// - Parameters:
    ///   - end: When access ends by it; `nil` for a purchase without an end.
    ///   - date: The moment to judge.
    func evidence(_ key: Key, _ entry: Entry, end: Date?, at date: Date) -> EntitlementEvidence {
        let row = entry.statement.value
        // A read says nothing about an end that came after it, and nothing about the time since.
        let isAnswered = end.map { $0 <= readDate || date < $0 } ?? true
        let confirmed = confirmedDate(of: entry)
        return EntitlementEvidence(
            listing: isAnswered ? listing(key, entry) : .notAsked,
            status: status(row, hasEnded: end.map { $0 <= date } ?? false),
            report: report(entry, at: date),
            period: period(end, willRenew: willRenew(row), at: isAnswered ? min(date, readDate) : date),
            hasBeenMissing: entry.missingSince.map { readDate.timeIntervalSince($0) >= patience.lapse } ?? false,
            // However long the app was closed: the subscription may have been renewed, and the device hasn't been asked
            // yet.
            isOverdue: !(entry.isCached && reading == .none)
                && date.timeIntervalSince(confirmed) > patience.unconfirmed,
            isEmptyRepeated: hasListedNothing(for: patience.emptiness))
    }

    /// Whether reads have listed nothing for so many seconds.
    func hasListedNothing(for seconds: TimeInterval) -> Bool {
        emptySince.map { readDate.timeIntervalSince($0) >= seconds } ?? false
    }

    /// When access ends by a transaction: with the grace period, if there is one.
    func accessEnd(of row: ReceiptTransaction) -> Date? {
        guard let end = row.expirationDate else { return nil }
        let grace = renewals[row.originalTransactionID]?.lazy.compactMap(\.value.gracePeriodExpirationDate).max()
        return max(end, grace ?? end)
    }

    private func willRenew(_ row: ReceiptTransaction) -> Bool? {
        renewals[row.originalTransactionID]?.lazy.compactMap { $0.value.willRenew(after: row) }.first
    }

    /// Returns the status of a transaction's subscription in the last read. A period that has ended counts as expired
    /// if the subscription continues with another product, or if the group has statuses of other subscriptions only. A
    /// revocation counts for the transaction that it names: the customer may have subscribed again since.
    private func status(_ row: ReceiptTransaction, hasEnded: Bool) -> EntitlementEvidence.Status {
        guard let status = statuses[row.originalTransactionID] else {
            return hasEnded && row.subscriptionGroupID.map { statusGroups.contains($0) } ?? false ? .expired : .unknown
        }
        let isAnothers = status.state == .revoked && status.transactionID != row.transactionID
        if status.productID == row.productID, !isAnothers { return EntitlementEvidence.Status(status.state) }
        return hasEnded ? .expired : .unknown
    }

    private func listing(_ key: Key, _ entry: Entry) -> EntitlementEvidence.Listing {
        switch reading {
        case .none: return .notAsked
        case .failed: return .failed
        case .partial: return .partial
        case .complete, .empty:
            if entry.isListed { return .listed }
            if contradicted.contains(key) { return .contradicted }
            if unverifiedProductIDs.contains(key.productID) { return .partial }
            return reading == .empty ? .empty : .lacking
        }
    }

    func report(_ entry: Entry, at date: Date) -> EntitlementEvidence.Report {
        if !entry.statement.value.isValid { return .withdrawn }
        if let until = entry.grantedUntil, until > date, until <= date + 2 * patience.grant { return .recent }
        return entry.isReport ? .outdated : .none
    }

    private func period(_ end: Date?, willRenew: Bool?, at date: Date) -> EntitlementEvidence.Period {
        guard let end else { return .endless }
        if date < end { return .running }
        if date < end + patience.lapse { return .justEnded }
        return willRenew == false || date >= end + patience.renewal ? .endedForGood : .ended
    }
}

extension EntitlementEvidence.Status {
    fileprivate init(_ state: ReceiptSubscriptionState) {
        switch state {
        case .subscribed: self = .subscribed
        case .inGracePeriod: self = .inGracePeriod
        case .inBillingRetryPeriod: self = .inBillingRetry
        case .expired: self = .expired
        case .revoked: self = .revoked
        default: self = .unknown
        }
    }
}

extension SubscriptionStatusReport {
    /// How much access the state gives, compared with others.
    var access: Int {
        switch state {
        case .subscribed: 4
        case .inGracePeriod: 3
        case .inBillingRetryPeriod: 2
        case .expired: 1
        default: 0
        }
    }
}
