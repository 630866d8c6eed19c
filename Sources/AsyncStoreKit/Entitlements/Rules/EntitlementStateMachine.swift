import AppReceipt
import Foundation

/// Decides when the device is read, who waits for which read, and what the customer is entitled to.
///
/// Until the first question, the machine only keeps the latest reports of the payment queue. After that, it has one
/// read at a time. An event during a read causes another read.
struct EntitlementStateMachine: Sendable {
    /// An action of the monitor.
    enum Action: Sendable {
        /// Load the cache, and pass its content to ``cacheLoaded(_:issues:at:)``.
        case loadCache
        /// Read the device, and pass the result to ``readEnded(_:_:at:)``.
        case read(Reading)
        /// Call ``timerFired(at:)`` at ``nextWake``, and no earlier; not at all if it's `nil`.
        case setTimer
        /// Notify the subscribers of a new value.
        case notify
        /// Resume these calls.
        case resume([CallID])
        /// Save ``texts``.
        case save
    }

    typealias Reading = EntitlementReads.Reading

    private enum Phase: Sendable {
        /// There has been no question yet. The reports are the latest of this run. A report that answers a payment
        /// identifies the customer.
        case idle([(transaction: StoreTransaction, isPaidHere: Bool)])
        /// The cache is being loaded.
        case loading
        case open
        case closed
    }

    /// What the entitlement cache of earlier launches says.
    private enum Cache: Sendable, Equatable {
        /// There is no cache, or nothing in it is used.
        case absent
        /// The cache hasn't been loaded, or can't be read, as before the first unlock of the device after its start.
        case unread
        /// The products with access, as the cache says.
        case answer(productIDs: Set<String>)
    }

    /// How far the device's clock may be behind the App Store's without an issue, in seconds.
    private static let clockDifference: TimeInterval = 300
    /// How long a read answers calls that come after it, in seconds.
    private static let readDuration: TimeInterval = 1
    /// The number of reports that are kept before the first question.
    private static let reportLimit = 512

    private var phase = Phase.idle([])
    private var cache: Cache
    /// Why the cache isn't used, until an answer is confirmed.
    private var cacheIssues: Set<StoreEntitlements.Issue> = []
    private var records: EntitlementRecords
    private var reads = EntitlementReads()
    private var agreement = ReadAgreement()
    private var rereads: RereadSchedule
    /// What the last read said about itself.
    private var readIssues: Set<StoreEntitlements.Issue> = []
    /// When to call ``timerFired(at:)``.
    private(set) var nextWake: Date?
    /// Whether there has been an answer.
    private(set) var hasAnswered = false
    private(set) var entitlements = StoreEntitlements.unknown

    /// - Parameters:
    ///   - durations: How long non-renewing subscriptions last, in seconds.
    ///   - product: Returns a product that has been loaded.
    init(
        durations: [String: TimeInterval] = [:], timing: EntitlementTiming = EntitlementTiming(),
        hasCache: Bool = false, product: @escaping @Sendable (String) -> StoreProduct? = { _ in nil }
    ) {
        records = EntitlementRecords(durations: durations, timing: timing, product: product)
        rereads = RereadSchedule(timing)
        cache = hasCache ? .unread : .absent
    }

    var isClosed: Bool { if case .closed = phase { true } else { false } }
    var isIdle: Bool { if case .idle = phase { true } else { false } }

    /// The signed texts from which the current answer follows.
    var texts: PurchaseListing { records.texts(of: entitlements) }
}

// Asking.
extension EntitlementStateMachine {
    /// Starts reading at the first question, and does nothing afterwards.
    mutating func start(at now: Date) -> [Action] {
        guard case .idle(let reports) = phase else { return [] }
        phase = cache == .unread ? .loading : .open
        for report in reports {
            records.addReports(verified([report.transaction]), isPaidHere: report.isPaidHere, at: now)
        }
        return answer(at: now) + (cache == .unread ? [.loadCache] : read(at: now))
    }

    /// Answers a call from a read that began after the last event, and after the last change by time.
    mutating func current(_ call: CallID, at now: Date) -> [Action] {
        if isClosed { return [.resume([call])] }
        let actions = start(at: now)
        // A read that began after the last event answers this call, too: the running one, or else the last one.
        guard let read = reads.running ?? reads.last, read.events == reads.events, !isOutdated(read, at: now) else {
            return actions + refresh(call, at: now)
        }
        if reads.running == nil { return actions + [.resume([call])] }
        reads.waiters.append((call, reads.events))
        return actions
    }

    /// Answers a call from a read that begins now.
    /// - Parameter groupID: A subscription group whose status every later read includes.
    mutating func refresh(_ call: CallID, readingGroup groupID: String? = nil, at now: Date) -> [Action] {
        if let groupID { records.groups.insert(groupID) }
        if isClosed { return [.resume([call])] }
        // A running read began too early. As for an event, its end begins another read, for which the call waits.
        if reads.running != nil { reads.events += 1 }
        let actions = start(at: now)
        reads.waiters.append((call, reads.events))
        return actions + readAgain(at: now)
    }

    /// Removes a call that no longer waits.
    mutating func forget(_ call: CallID) {
        reads.waiters.removeAll { $0.call == call }
    }

    /// Ends everything.
    mutating func close() -> [Action] {
        let calls = reads.waiters.map(\.call)
        (reads.waiters, phase, nextWake) = ([], .closed, nil)
        return [.resume(calls), .setTimer]
    }

    /// Whether time has changed the answer since a read, the next read is due, or the clock was set back. An ended read
    /// is used for a moment only: StoreKit doesn't report every purchase in one of Apple's views.
    private func isOutdated(_ read: Reading, at now: Date) -> Bool {
        if now < read.begun { return true }
        if reads.running == nil, now >= min(read.begun + Self.readDuration, nextWake ?? .distantFuture) { return true }
        return entitlements.nextChange.map { $0 <= now && read.begun < $0 } ?? false
    }
}

// Events.
extension EntitlementStateMachine {
    /// Receives transactions of the payment queue. A paid transaction gives access at once.
    /// - Parameter isPaidHere: Whether the batch answers a payment, and so identifies the customer.
    mutating func transactionsReported(_ batch: [StoreTransaction], isPaidHere: Bool, at now: Date) -> [Action] {
        let reports = batch.filter(\.holdsContent)
        guard !reports.isEmpty else { return [] }
        guard case .idle(var known) = phase else {
            return transactionsReported(verified(reports), isPaidHere: isPaidHere, at: now)
        }
        // Avoids a second owner of the array. Otherwise, every report would copy it.
        phase = .idle([])
        known += reports.map { (transaction: $0, isPaidHere: isPaidHere) }
        // The first read lists the older transactions.
        if known.count > Self.reportLimit { known.removeFirst(known.count - Self.reportLimit / 2) }
        phase = .idle(known)
        return []
    }

    /// Receives transactions that are verified, or that the payment queue doesn't sign.
    mutating func transactionsReported(
        _ reports: [VerifiedTransaction], isPaidHere: Bool, at now: Date
    ) -> [Action] {
        records.addReports(reports, isPaidHere: isPaidHere, at: now)
        return answer(at: now) + saveReports() + deviceChanged(at: now)
    }

    /// Receives a refund, or the end of family sharing.
    mutating func purchasesRevoked(_ revocation: PurchaseRevocation, at now: Date) -> [Action] {
        if case .idle(let reports) = phase {
            // With the revoked transactions, the first answer has the reason that access ended. A signed report may be
            // of another purchase of the product.
            let revoked = revocation.transactions.map { (transaction: $0, isPaidHere: false) }
            let kept = reports.filter { [ids = revocation.productIDs] in
                $0.transaction.signedText != nil || !ids.contains($0.transaction.productID)
            }
            phase = .idle(kept + revoked)
            return []
        }
        records.revoke(revocation.productIDs)
        return transactionsReported(verified(revocation.transactions), isPaidHere: false, at: now)
    }

    private func verified(_ reports: [StoreTransaction]) -> [VerifiedTransaction] {
        reports.compactMap { [product = records.product] in VerifiedTransaction(report: $0, product: product) }
    }

    /// Receives an event after which the device may give another answer.
    mutating func deviceChanged(at now: Date) -> [Action] {
        guard !isIdle, !isClosed else { return [] }
        reads.events += 1
        // The device may have the answer soon.
        rereads.reset()
        return readAgain(at: now)
    }

    /// Reads the device at the time set by ``Action/setTimer``.
    mutating func timerFired(at now: Date) -> [Action] {
        guard let due = nextWake, !isClosed else { return [] }
        nextWake = nil
        guard let running = reads.running else { return readAgain(at: now) }
        // A read that began before this moment lacks what changes now. Otherwise, it's the read that is due.
        if running.begun < due { reads.events += 1 }
        return []
    }

    /// Receives the content of the cache; `nil` if the cache can't be read yet. Then the cache is loaded again before
    /// each read, until an answer is confirmed.
    mutating func cacheLoaded(_ content: PurchaseListing?, issues: Set<StoreEntitlements.Issue>, at now: Date)
        -> [Action]
    {
        guard case .loading = phase else { return [] }
        phase = .open
        // A read that began before the cache was loaded again may have confirmed an answer.
        let isConfirmed = entitlements.basis == .confirmed
        cache = content == nil ? .unread : .absent
        cacheIssues = isConfirmed ? [] : issues
        let basis = isConfirmed ? nil : content.flatMap { addCache($0, at: now) }
        let actions = answer(at: now, basis: basis)
        if basis != nil {
            cache = .answer(productIDs: entitlements.productIDs)
            // The cache supports the answer.
            rereads.checks = []
        }
        return actions + saveReports() + read(at: now)
    }

    /// Adds the content of the cache to the records.
    /// - Returns: The basis of an answer from it; `nil` if it says nothing.
    private mutating func addCache(_ cache: PurchaseListing, at now: Date) -> StoreEntitlements.Basis? {
        var cache = cache
        // The device's clock was ahead when the cache was saved, so the date of the save is unknown.
        let latest = max(now, cache.latestSignedDate ?? now).addingTimeInterval(Self.clockDifference)
        if let date = cache.confirmedDate, date > latest { cache.confirmedDate = nil }
        // A cache without purchases says that the customer owned nothing at its confirmation.
        let isRecent = cache.confirmedDate.map { now < $0 + records.timing.unconfirmedAccess } ?? false
        guard records.addCache(cache), !cache.transactions.isEmpty || isRecent else { return nil }
        return (cache.confirmedDate ?? cache.latestSignedDate).map { .cached(asOf: $0) }
    }

    /// Reads the device again, and before that a cache that couldn't be read: an empty list of the device confirms
    /// nothing while the cache may have purchases.
    private mutating func readAgain(at now: Date) -> [Action] {
        guard cache == .unread, entitlements.basis != .confirmed, case .open = phase else { return read(at: now) }
        phase = .loading
        return [.loadCache]
    }

    /// Whether saving loses nothing: the content of the cache is known, or confirmed purchases replace it.
    private var canSave: Bool {
        guard case .open = phase else { return false }
        return cache != .unread || entitlements.basis == .confirmed && !entitlements.all.isEmpty
    }

    /// Signed reports wait for the cache to be loaded: before, they would replace it.
    private func saveReports() -> [Action] { canSave && records.hasSignedReports ? [.save] : [] }

    /// Receives the result of a read, or its failure after a timeout. The answer of a read that was abandoned is
    /// ignored.
    mutating func readEnded(_ read: Reading, _ result: Result<PurchaseListing, StoreError>, at now: Date) -> [Action] {
        guard !isClosed, let answered = reads.end(read) else { return [] }
        // The clock was ahead when the read began, and was set back since.
        var read = read
        read.begun = min(read.begun, now)
        // A device's clock can be behind. Apple's signatures show that it's at least this late.
        var date = max(read.begun, records.clock.latest ?? .distantPast)
        readIssues = []
        switch result {
        case .success(let listing):
            let listing = listing.ofOneCustomer(records.customerID)
            date = max(date, listing.latestSignedDate ?? .distantPast)
            records.merge(listing, at: date, begun: read.begun)
            let unverified = listing.unverifiedProductIDs
            if !unverified.isEmpty { readIssues.insert(.unverified(productIDs: unverified)) }
            if let failure = listing.failure { readIssues.insert(.incomplete(failure.code)) }
        case .failure(let error):
            records.lastRead = ReadSummary(nil, at: date, begun: read.begun, after: records.lastRead, customerID: nil)
            readIssues.insert(.incomplete(error.code))
        }
        var actions = answer(at: now, asOf: date, after: read)
        if canSave, case .success = result { actions.append(.save) }
        if !answered.isEmpty { actions.append(.resume(answered)) }
        return actions + (reads.events > read.events ? readAgain(at: now) : [])
    }

    /// Begins a read, unless one is running or the cache has to be loaded first.
    private mutating func read(at now: Date) -> [Action] {
        guard case .open = phase else { return [] }
        return reads.begin(records.groups, at: now).map { [.read($0)] } ?? []
    }
}

// Answering.
extension EntitlementStateMachine {
    /// Updates the answer, and decides when to read the device again.
    /// - Parameters:
    ///   - basis: The basis of the answer, unless a read decides; `nil` for the one before.
    ///   - date: The moment of the evaluation; `nil` for now.
    ///   - read: The read that has just ended.
    private mutating func answer(
        at now: Date, basis: StoreEntitlements.Basis? = nil, asOf date: Date? = nil, after read: Reading? = nil
    ) -> [Action] {
        let date = max(date ?? now, records.clock.latest ?? .distantPast)
        let evaluation = records.evaluation(at: date)
        let known = (entitlements: entitlements, hasAnswered: hasAnswered)
        let basis = read.map { settle(evaluation, after: $0, at: now) } ?? basis ?? known.entitlements.basis
        var issues = readIssues.union(cacheIssues)
        if let signed = records.clock.latest, now.addingTimeInterval(Self.clockDifference) < signed {
            issues.insert(.deviceClockBehind)
        }
        entitlements = StoreEntitlements(
            evaluation.entitlements, basis: basis, issues: issues, nextChange: evaluation.ends.min())
        if read != nil || basis != .unknown && known.entitlements != entitlements { hasAnswered = true }
        let isNews = hasAnswered && (known.entitlements != entitlements || !known.hasAnswered)
        return (isNews ? [.notify] : []) + (isIdle || isClosed ? [] : wake(evaluation, at: now))
    }

    /// Returns the basis of the answer after a read, and schedules the next read.
    private mutating func settle(
        _ evaluation: EntitlementEvaluation, after read: Reading, at now: Date
    ) -> StoreEntitlements.Basis {
        let confirmation = confirmation(evaluation, begun: read.begun)
        let outcome = confirmation.outcome
        if outcome.hasIssue { readIssues.insert(.emptyHistory) }
        if outcome.isConfirmed { cacheIssues = [] }
        if evaluation.asksAgain || !readIssues.isEmpty || !outcome.isSettled {
            // Only an event changes that there is no receipt.
            rereads.addUnsettledRead(
                begun: read.begun, isRepeatedForever: readIssues != [.incomplete(.receiptUnavailable)], at: now)
        } else {
            rereads.addSettledRead(begun: read.begun, at: now)
        }
        if outcome.isConfirmed { return .confirmed }
        let isWithdrawn = entitlements.basis == .confirmed && !confirmation.keepsConfirmation
        return isWithdrawn ? .unknown : entitlements.basis
    }

    /// What the last read says about the answer as a whole.
    /// - Parameter date: When the read began, by the device's clock.
    private mutating func confirmation(
        _ evaluation: EntitlementEvaluation, begun date: Date
    ) -> EntitlementConfirmation {
        let listing = records.lastRead.outcome
        let sources = listing == .failed || listing == .none ? [] : evaluation.sources
        let age = agreement.readEnded(
            listing, isContradicted: !sources.isEmpty, emptySince: records.lastRead.emptySince, begun: date,
            records.timing)
        let active = Set(evaluation.entitlements.filter(\.isEntitled).map(\.productID))
        return EntitlementConfirmation(
            listing: listing, sources: sources, isHistoryRead: records.lastRead.hasReadPast, age: age,
            cache: cache == .unread ? .unread : cache == .answer(productIDs: active) ? .agrees : .none,
            givesAccess: !active.isEmpty)
    }

    private mutating func wake(_ evaluation: EntitlementEvaluation, at now: Date) -> [Action] {
        // A moment after each end, because StoreKit can list a renewal late.
        let ends = evaluation.ends.map { $0.addingTimeInterval(records.timing.lapse) }
        let reportEnds = records.entries.values.compactMap(\.reportedUntil).filter { $0 > now }
        let next = (ends + reportEnds + [rereads.next].compactMap(\.self)).min()
        guard next != nextWake else { return [] }
        nextWake = next
        return [.setTimer]
    }
}
