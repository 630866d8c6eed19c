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

    /// A read of the device.
    struct Reading: Sendable {
        fileprivate let number: Int
        /// How many events had been received when the read began.
        fileprivate let events: Int
        /// When the read began; before that, when it was requested.
        var begun: Date
        /// The subscription groups whose status is to be read in any case.
        let groups: Set<String>
    }

    /// A transaction that the payment queue reported before the first question.
    private struct EarlyReport: Sendable {
        let transaction: StoreTransaction
        /// Whether the report answers a payment, and so identifies the customer.
        let isPaidHere: Bool
    }

    private enum Phase: Sendable {
        /// There has been no question yet. The reports are the latest of this run.
        case idle([EarlyReport])
        /// The cache is being loaded.
        case loading
        case open
        case closed
    }

    /// How far the device's clock may be behind the App Store's without an issue, in seconds.
    private static let clockDifference: TimeInterval = 300
    /// The number of reports that are kept before the first question.
    private static let reportLimit = 512

    private let timing: EntitlementTiming
    private let hasCache: Bool
    /// Returns a product that has been loaded.
    private let product: @Sendable (String) -> StoreProduct?
    private var phase = Phase.idle([])
    private var records: EntitlementRecords
    private var reading: Reading?
    private var lastReadNumber = 0
    /// The last read that has ended.
    private var lastRead: Reading?
    /// How many events have been received, and requests for a new read.
    private var events = 0
    /// The calls that wait for a read that begins after a number of events.
    private var waiters: [(call: CallID, events: Int)] = []
    private var basis = StoreEntitlements.Basis.unknown
    private var hasUnsavedReport = false
    private var agreement: ReadAgreement
    private var rereads: RereadSchedule
    /// The products with access by the cache; `nil` without a cache.
    private var cachedProductIDs: Set<String>?
    private var cacheIssues: Set<StoreEntitlements.Issue> = []
    /// Whether the cache couldn't be read.
    private var isCacheUnread = false
    private var readIssues: Set<StoreEntitlements.Issue> = []
    /// When to call ``timerFired(at:)``.
    private(set) var nextWake: Date?
    /// Whether there has been an answer.
    private(set) var hasAnswered = false

    /// The answer.
    private(set) var entitlements = StoreEntitlements.unknown

    /// - Parameters:
    ///   - durations: How long non-renewing subscriptions last, in seconds.
    ///   - product: Returns a product that has been loaded.
    init(
        durations: [String: TimeInterval] = [:], timing: EntitlementTiming = EntitlementTiming(),
        hasCache: Bool = false,
        product: @escaping @Sendable (String) -> StoreProduct? = { _ in nil }
    ) {
        records = EntitlementRecords(durations: durations, timing: timing, product: product)
        self.timing = timing
        agreement = ReadAgreement(timing)
        rereads = RereadSchedule(timing)
        self.hasCache = hasCache
        self.product = product
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
        phase = hasCache ? .loading : .open
        for report in reports {
            if let signedTransaction = VerifiedTransaction(report: report.transaction, product: product) {
                _ = addReports([signedTransaction], isPaidHere: report.isPaidHere, at: now)
            }
        }
        return answer(at: now) + (hasCache ? [.loadCache] : read(at: now))
    }

    /// Answers a call from a read that began after the last event, and after the last change by time.
    mutating func current(_ call: CallID, at now: Date) -> [Action] {
        if isClosed { return [.resume([call])] }
        var actions = start(at: now)
        // A read that began after the last event answers this call, too: the running one, or else the last one.
        if let reading, reading.events == events, !isOutdated(reading, at: now) {
            waiters.append((call, events))
        } else if reading == nil, let lastRead, lastRead.events == events, !isOutdated(lastRead, at: now) {
            actions.append(.resume([call]))
        } else {
            actions += refresh(call, at: now)
        }
        return actions
    }

    /// Answers a call from a read that begins now.
    /// - Parameter groupID: A subscription group whose status every later read includes.
    mutating func refresh(_ call: CallID, readingGroup groupID: String? = nil, at now: Date) -> [Action] {
        if let groupID { records.customer.groups.insert(groupID) }
        if isClosed { return [.resume([call])] }
        // A running read began too early. As for an event, its end begins another read, for which the call waits.
        if reading != nil { events += 1 }
        let actions = start(at: now)
        waiters.append((call, events))
        return actions + readAgain(at: now)
    }

    /// Removes a call that no longer waits.
    mutating func forget(_ call: CallID) {
        waiters.removeAll { $0.call == call }
    }

    /// Ends everything.
    mutating func close() -> [Action] {
        let calls = waiters.map(\.call)
        phase = .closed
        waiters = []
        nextWake = nil
        return [.resume(calls), .setTimer]
    }

    /// Whether time has changed the answer since a read, the next read is due, or the clock was set back.
    private func isOutdated(_ reading: Reading, at now: Date) -> Bool {
        if now < reading.begun || reading.number == lastRead?.number && nextWake.map({ $0 <= now }) ?? false {
            return true
        }
        return entitlements.nextChange.map { $0 <= now && reading.begun < $0 } ?? false
    }
}

// Events.
extension EntitlementStateMachine {
    /// Receives transactions of the payment queue. A paid transaction gives access at once.
    /// - Parameter isPaidHere: Whether the batch answers a payment, and so identifies the customer.
    mutating func transactionsReported(_ batch: [StoreTransaction], isPaidHere: Bool, at now: Date) -> [Action] {
        guard batch.contains(where: \.holdsContent) else { return [] }
        if case .idle(var known) = phase {
            // Avoids a second owner of the array. Otherwise, every report would copy it.
            phase = .idle([])
            for transaction in batch where transaction.holdsContent {
                known.append(EarlyReport(transaction: transaction, isPaidHere: isPaidHere))
            }
            // The first read lists the older transactions.
            if known.count > Self.reportLimit { known.removeFirst(known.count - Self.reportLimit / 2) }
            phase = .idle(known)
            return []
        }
        return transactionsReported(
            signedTransactions(of: batch.filter(\.holdsContent)), isPaidHere: isPaidHere, at: now)
    }

    /// Receives signed transactions.
    mutating func transactionsReported(
        _ signedTransactions: [VerifiedTransaction], isPaidHere: Bool, at now: Date
    ) -> [Action] {
        if addReports(signedTransactions, isPaidHere: isPaidHere, at: now) { hasUnsavedReport = true }
        return answer(at: now) + saveReports() + deviceChanged(at: now)
    }

    /// Receives a refund, or the end of family sharing.
    mutating func purchasesRevoked(_ revocation: PurchaseRevocation, at now: Date) -> [Action] {
        if case .idle(let reports) = phase {
            // With the revoked transactions, the first answer has the reason that access ended.
            let revoked = revocation.transactions.map { EarlyReport(transaction: $0, isPaidHere: false) }
            phase = .idle(reports.filter { !revocation.productIDs.contains($0.transaction.productID) } + revoked)
            return []
        }
        records.revoke(revocation.productIDs)
        return transactionsReported(signedTransactions(of: revocation.transactions), isPaidHere: false, at: now)
    }

    /// Receives an event after which the device may give another answer.
    mutating func deviceChanged(at now: Date) -> [Action] {
        guard !isIdle, !isClosed else { return [] }
        events += 1
        // The device may have the answer soon.
        rereads.reset()
        return readAgain(at: now)
    }

    /// Reads the device at the time set by ``Action/setTimer``.
    mutating func timerFired(at now: Date) -> [Action] {
        guard let due = nextWake, !isClosed else { return [] }
        nextWake = nil
        // A read that began before this moment lacks what changes now.
        if reading.map({ $0.begun < due }) ?? false { events += 1 }
        return readAgain(at: now)
    }

    /// Receives the content of the cache; `nil` if the cache can't be read yet, as before the first unlock of the
    /// device after its start. Then the cache is loaded again before each read, until an answer is confirmed.
    mutating func cacheLoaded(_ cache: PurchaseListing?, issues: Set<StoreEntitlements.Issue>, at now: Date) -> [Action]
    {
        guard case .loading = phase else { return [] }
        phase = .open
        isCacheUnread = cache == nil
        // A read that began before the cache was loaded again may have confirmed an answer.
        cacheIssues = basis == .confirmed ? [] : issues
        guard var cache, basis != .confirmed else { return answer(at: now) + saveReports() + read(at: now) }
        // The device's clock was ahead when the cache was saved: when that was isn't known.
        let latest = max(now, cache.latestSignedDate ?? now).addingTimeInterval(Self.clockDifference)
        if let date = cache.confirmedDate, date > latest { cache.confirmedDate = nil }
        // A cache without purchases says that the customer owned nothing at its confirmation.
        let isRecent = cache.confirmedDate.map { now < $0 + timing.unconfirmedAccess } ?? false
        if records.addCache(cache), !cache.transactions.isEmpty || isRecent,
            let date = cache.confirmedDate ?? cache.latestSignedDate
        {
            basis = .cached(asOf: date)
        }
        let actions = answer(at: now)
        if case .cached = basis { cachedProductIDs = entitlements.productIDs }
        return actions + saveReports() + read(at: now)
    }

    /// Reads the device again, and before that a cache that couldn't be read: an empty list of the device confirms
    /// nothing while the cache may have purchases.
    private mutating func readAgain(at now: Date) -> [Action] {
        guard isCacheUnread, basis != .confirmed, case .open = phase else { return read(at: now) }
        phase = .loading
        return [.loadCache]
    }

    /// Whether saving loses nothing: the content of the cache is known, or confirmed purchases replace it.
    private var canSave: Bool {
        guard case .open = phase else { return false }
        return !isCacheUnread || basis == .confirmed && !entitlements.all.isEmpty
    }

    /// Saves signed reports, but not before the cache has been loaded: they would replace it.
    private mutating func saveReports() -> [Action] {
        guard hasUnsavedReport, canSave else { return [] }
        hasUnsavedReport = false
        return [.save]
    }

    /// Receives the result of a read, or its failure after a timeout. The answer of a read that was abandoned is
    /// ignored.
    mutating func readEnded(_ read: Reading, _ result: Result<PurchaseListing, StoreError>, at now: Date) -> [Action] {
        guard !isClosed, reading?.number == read.number else { return [] }
        reading = nil
        lastRead = read
        // A device's clock can be behind. Apple's signatures show that it's at least this late.
        var date = max(read.begun, records.clock.latest ?? .distantPast)
        switch result {
        case .success(let listing):
            let listing = listing.ofOneCustomer(records.customer.id)
            date = max(date, listing.latestSignedDate ?? .distantPast)
            records.merge(listing, at: date, begun: read.begun)
            readIssues =
                listing.unverifiedProductIDs.isEmpty ? [] : [.unverified(productIDs: listing.unverifiedProductIDs)]
            if let failure = listing.failure { readIssues.insert(.incomplete(failure.code)) }
        case .failure(let error):
            records.readFailed(at: date, begun: read.begun)
            readIssues = [.incomplete(error.code)]
        }
        var actions = answer(at: now, asOf: date, after: read)
        if case .success = result, canSave { actions.append(.save) }
        let answered = waiters.filter { $0.events <= read.events }.map(\.call)
        waiters.removeAll { $0.events <= read.events }
        if !answered.isEmpty { actions.append(.resume(answered)) }
        return actions + (events > read.events ? self.read(at: now) : [])
    }

    /// Begins a read, unless one is running or the cache has to be loaded first.
    private mutating func read(at now: Date) -> [Action] {
        guard case .open = phase, reading == nil else { return [] }
        lastReadNumber += 1
        let read = Reading(number: lastReadNumber, events: events, begun: now, groups: records.customer.groups)
        reading = read
        return [.read(read)]
    }
}

// Reports.
extension EntitlementStateMachine {
    private func signedTransactions(of reports: [StoreTransaction]) -> [VerifiedTransaction] {
        reports.compactMap { VerifiedTransaction(report: $0, product: product) }
    }

    /// - Returns: Whether a signed transaction has changed the records.
    private mutating func addReports(_ signedTransactions: [VerifiedTransaction], isPaidHere: Bool, at now: Date)
        -> Bool
    {
        let hasChanged = records.addReports(signedTransactions, isPaidHere: isPaidHere, at: now)
        return hasChanged && signedTransactions.contains(where: \.isSigned)
    }
}

// Answering.
extension EntitlementStateMachine {
    /// Updates the answer, and decides when to read the device again.
    /// - Parameters:
    ///   - date: The moment of the evaluation; `nil` for now.
    ///   - read: The read that has just ended.
    private mutating func answer(at now: Date, asOf date: Date? = nil, after read: Reading? = nil) -> [Action] {
        let date = max(date ?? now, records.clock.latest ?? .distantPast)
        let evaluation = records.evaluation(at: date)
        if let read { settle(evaluation, after: read, at: now) }
        var issues = readIssues.union(cacheIssues)
        if let signed = records.clock.latest, now.addingTimeInterval(Self.clockDifference) < signed {
            issues.insert(.deviceClockBehind)
        }
        let known = (entitlements: entitlements, hasAnswered: hasAnswered)
        entitlements = StoreEntitlements(
            evaluation.entitlements, basis: basis, issues: issues, nextChange: evaluation.ends.min())
        if read != nil || basis != .unknown && known.entitlements != entitlements { hasAnswered = true }
        let isNewReport = hasAnswered && (known.entitlements != entitlements || !known.hasAnswered)
        return (isNewReport ? [.notify] : []) + (isIdle || isClosed ? [] : wake(evaluation, at: now))
    }

    /// Draws the conclusions of a read.
    private mutating func settle(_ evaluation: EntitlementEvaluation, after read: Reading, at now: Date) {
        let confirmation = confirmation(evaluation, begun: read.begun)
        let outcome = confirmation.outcome
        if outcome.hasIssue { readIssues.insert(.emptyHistory) }
        if outcome.isConfirmed {
            (basis, cacheIssues) = (.confirmed, [])
        } else if basis == .confirmed, !confirmation.keepsConfirmation {
            basis = .unknown
        }
        guard evaluation.asksAgain || !readIssues.isEmpty || !outcome.isSettled else {
            return rereads.reset()
        }
        // Only an event changes that there is no receipt.
        rereads.addUnsettledRead(
            begun: read.begun, isRepeatedForever: readIssues != [.incomplete(.receiptUnavailable)], at: now)
    }

    /// What the last read says about the answer as a whole.
    /// - Parameter date: When the read began, by the device's clock.
    private mutating func confirmation(
        _ evaluation: EntitlementEvaluation, begun date: Date
    ) -> EntitlementConfirmation {
        let listing = records.lastRead.outcome
        let sources = listing == .failed || listing == .none ? [] : evaluation.sources
        let age = agreement.readEnded(
            listing, isContradicted: !sources.isEmpty, emptySince: records.lastRead.emptySince, begun: date)
        let active = Set(evaluation.entitlements.filter(\.isEntitled).map(\.productID))
        return EntitlementConfirmation(
            listing: listing, sources: sources, isHistoryRead: records.lastRead.hasReadPast,
            age: age, cache: isCacheUnread ? .unread : cachedProductIDs == active ? .agrees : .none,
            givesAccess: !active.isEmpty)
    }

    private mutating func wake(_ evaluation: EntitlementEvaluation, at now: Date) -> [Action] {
        // A moment after each end, because StoreKit can list a renewal late.
        let ends = evaluation.ends.map { $0.addingTimeInterval(timing.lapse) }
        let next = (ends + records.reportEnds.filter { $0 > now } + [rereads.next].compactMap(\.self)).min()
        guard next != nextWake else { return [] }
        nextWake = next
        return [.setTimer]
    }
}
