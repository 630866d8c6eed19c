import AppReceipt
import Foundation

/// Decides when the device is read, who waits for which read, and what the customer is entitled to.
///
/// Until the first question, the machine only keeps the latest reports of the payment queue. After that, it has one
/// read at a time. An event during a read causes another read.
struct EntitlementStateMachine: Sendable {
    /// An action of the monitor.
    enum Action: Sendable {
        /// Load the cache, and pass what it has to ``loaded(_:doubts:at:)``.
        case loadCache
        /// Read the device, and pass the result to ``ended(_:_:at:)``.
        case read(Reading)
        /// Call ``woke(at:)`` at ``nextWake``, and no earlier; not at all if it's `nil`.
        case setTimer
        /// Tell the subscribers that there is a new value.
        case notify
        /// Resume these calls.
        case resume([CallID])
        /// Save ``evidence``.
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
    private struct Report: Sendable {
        let transaction: StoreTransaction
        /// Whether the report answers a payment, and so identifies the customer.
        let isPaidHere: Bool
    }

    private enum Phase: Sendable {
        /// There has been no question yet. The reports are the latest of this run.
        case idle([Report])
        /// The cache is being loaded.
        case loading
        case open
        case closed
    }

    /// A device's clock may be behind the App Store's by so many seconds without a doubt.
    private static let clockDifference: TimeInterval = 300
    /// The number of reports that are kept before the first question.
    private static let reportLimit = 512

    private let policy: RereadPolicy
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
    /// How many reads in a row have settled nothing.
    private var unsettledReads = 0
    private var basis = StoreEntitlements.Basis.unknown
    private var hasUnsavedReport = false
    private var cacheDoubts: Set<StoreEntitlements.Doubt> = []
    private var readDoubts: Set<StoreEntitlements.Doubt> = []
    /// When the device is read because the last read has settled nothing.
    private var nextReread: Date?
    /// When to call ``woke(at:)``.
    private(set) var nextWake: Date?
    /// Whether there has been an answer.
    private(set) var hasAnswered = false

    /// The answer.
    private(set) var entitlements = StoreEntitlements.unknown

    /// - Parameters:
    ///   - durations: How long non-renewing subscriptions last, in seconds.
    ///   - product: Returns a product that has been loaded.
    init(
        durations: [String: TimeInterval] = [:], patience: EntitlementRecords.Patience = EntitlementRecords.Patience(),
        policy: RereadPolicy = RereadPolicy(), hasCache: Bool = false,
        product: @escaping @Sendable (String) -> StoreProduct? = { _ in nil }
    ) {
        records = EntitlementRecords(durations: durations, patience: patience)
        self.policy = policy
        self.hasCache = hasCache
        self.product = product
    }

    var isClosed: Bool { if case .closed = phase { true } else { false } }

    var isIdle: Bool { if case .idle = phase { true } else { false } }

    /// The signed texts from which the current answer follows.
    var evidence: EntitlementHistory { records.texts(of: entitlements) }
}

// Asking.
extension EntitlementStateMachine {
    /// Starts reading at the first question, and does nothing afterwards.
    mutating func start(at now: Date) -> [Action] {
        guard case .idle(let reports) = phase else { return [] }
        phase = hasCache ? .loading : .open
        for report in reports {
            if let statement = SignedStatement(report: report.transaction, product: product) {
                _ = add([statement], isPaidHere: report.isPaidHere, at: now)
            }
        }
        return answer(at: now) + (hasCache ? [.loadCache] : read(at: now))
    }

    /// Answers a call from a read that began after the last event, and after the last change by time.
    mutating func current(_ call: CallID, at now: Date) -> [Action] {
        if isClosed { return [.resume([call])] }
        var actions = start(at: now)
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
    /// - Parameter groupID: A subscription group whose status is to be read from now on.
    mutating func refresh(_ call: CallID, readingGroup groupID: String? = nil, at now: Date) -> [Action] {
        if let groupID { records.add(group: groupID) }
        if isClosed { return [.resume([call])] }
        if reading != nil { events += 1 }
        let actions = start(at: now)
        waiters.append((call, events))
        return actions + read(at: now)
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

    /// Whether time has changed the answer since a read, the next read is due, or the clock has been put back.
    private func isOutdated(_ reading: Reading, at now: Date) -> Bool {
        if now < reading.begun || reading.number == lastRead?.number && nextWake.map({ $0 <= now }) ?? false {
            return true
        }
        return entitlements.nextChange.map { $0 <= now && reading.begun < $0 } ?? false
    }
}

// Events.
extension EntitlementStateMachine {
    /// Receives transactions of the payment queue. A paid transaction counts at once.
    /// - Parameter isPaidHere: Whether the batch answers a payment, and so identifies the customer.
    mutating func receive(_ batch: [StoreTransaction], isPaidHere: Bool, at now: Date) -> [Action] {
        guard batch.contains(where: \.holdsContent) else { return [] }
        if case .idle(var known) = phase {
            // Avoids a second owner of the array. Otherwise, every report would copy it.
            phase = .idle([])
            for transaction in batch where transaction.holdsContent {
                known.append(Report(transaction: transaction, isPaidHere: isPaidHere))
            }
            // The first read lists the older transactions.
            if known.count > Self.reportLimit { known.removeFirst(known.count - Self.reportLimit / 2) }
            phase = .idle(known)
            return []
        }
        return receive(statements(of: batch.filter(\.holdsContent)), isPaidHere: isPaidHere, at: now)
    }

    /// Receives the statements of transactions.
    mutating func receive(_ statements: [SignedStatement<ReceiptTransaction>], isPaidHere: Bool, at now: Date)
        -> [Action]
    {
        if add(statements, isPaidHere: isPaidHere, at: now) { hasUnsavedReport = true }
        return answer(at: now) + saveReports() + changed(at: now)
    }

    /// Receives a refund, or the end of family sharing.
    mutating func receive(_ revocation: PurchaseRevocation, at now: Date) -> [Action] {
        if case .idle(let reports) = phase {
            // The revoked transactions explain at the first answer why access ended.
            let revoked = revocation.transactions.map { Report(transaction: $0, isPaidHere: false) }
            phase = .idle(reports.filter { !revocation.productIDs.contains($0.transaction.productID) } + revoked)
            return []
        }
        records.revoke(revocation.productIDs)
        return receive(statements(of: revocation.transactions), isPaidHere: false, at: now)
    }

    /// Receives an event after which the device may give another answer.
    mutating func changed(at now: Date) -> [Action] {
        guard !isIdle, !isClosed else { return [] }
        events += 1
        // The pauses start over: the device may have the answer soon.
        unsettledReads = 0
        nextReread = nil
        return read(at: now)
    }

    /// Reads the device at the time set by ``Action/setTimer``.
    mutating func woke(at now: Date) -> [Action] {
        guard let due = nextWake, !isClosed else { return [] }
        nextWake = nil
        if reading.map({ $0.begun < due }) ?? false { events += 1 }
        return read(at: now)
    }

    /// Receives the content of the cache.
    mutating func loaded(_ cache: EntitlementHistory, doubts: Set<StoreEntitlements.Doubt>, at now: Date) -> [Action] {
        guard case .loading = phase else { return [] }
        phase = .open
        cacheDoubts = doubts
        var cache = cache
        // The device's clock was ahead when the cache was saved: when that was isn't known.
        let latest = max(now, cache.latestSignedDate ?? now).addingTimeInterval(Self.clockDifference)
        if let date = cache.confirmedDate, date > latest { cache.confirmedDate = nil }
        if records.add(cache: cache), let date = cache.confirmedDate ?? cache.latestSignedDate,
            !cache.transactions.isEmpty
        {
            basis = .cached(asOf: date)
        }
        return answer(at: now) + saveReports() + read(at: now)
    }

    /// Saves signed reports, but not before the cache has been loaded: they would replace it.
    private mutating func saveReports() -> [Action] {
        guard hasUnsavedReport, case .open = phase else { return [] }
        hasUnsavedReport = false
        return [.save]
    }

    /// Receives the result of a read, or its failure after a time-out. A late result still counts, unless a later read
    /// has ended. A time-out after the result doesn't count.
    mutating func ended(_ read: Reading, _ result: Result<EntitlementHistory, StoreError>, at now: Date) -> [Action] {
        guard !isClosed, lastRead.map({ $0.number <= read.number }) ?? true else { return [] }
        if case .failure = result, lastRead?.number == read.number { return [] }
        lastRead = read
        var date = max(read.begun, records.latestSignedDate ?? .distantPast)
        switch result {
        case .success(let history):
            let history = history.ofOneCustomer(records.customerID)
            date = max(date, history.latestSignedDate ?? .distantPast)
            records.merge(history, at: date)
            readDoubts =
                history.unverifiedProductIDs.isEmpty ? [] : [.unverified(productIDs: history.unverifiedProductIDs)]
            if let failure = history.failure { readDoubts.insert(.incomplete(failure.code)) }
        case .failure(let error):
            records.fail(at: date)
            readDoubts = [.incomplete(error.code)]
        }
        if reading?.number == read.number { reading = nil }
        var actions = answer(at: now, judging: date, after: read)
        if case .success = result { actions.append(.save) }
        let answered = waiters.filter { $0.events <= read.events }.map(\.call)
        waiters.removeAll { $0.events <= read.events }
        if !answered.isEmpty { actions.append(.resume(answered)) }
        return actions + (events > read.events ? self.read(at: now) : [])
    }

    /// Begins a read, unless one is running or the cache has to be loaded first.
    private mutating func read(at now: Date) -> [Action] {
        guard case .open = phase, reading == nil else { return [] }
        lastReadNumber += 1
        let read = Reading(number: lastReadNumber, events: events, begun: now, groups: records.groups)
        reading = read
        return [.read(read)]
    }
}

// Reports.
extension EntitlementStateMachine {
    private func statements(of reports: [StoreTransaction]) -> [SignedStatement<ReceiptTransaction>] {
        reports.compactMap { SignedStatement(report: $0, product: product) }
    }

    /// - Returns: Whether a signed statement has changed the records.
    private mutating func add(_ statements: [SignedStatement<ReceiptTransaction>], isPaidHere: Bool, at now: Date)
        -> Bool
    {
        let isNewReport = records.add(reports: statements, isPaidHere: isPaidHere, at: now) { [product] in
            product($0)?.subscriptionLevel
        }
        return isNewReport && statements.contains(where: \.isSigned)
    }
}

// Answering.
extension EntitlementStateMachine {
    /// Updates the answer, and decides when to read the device again.
    /// - Parameters:
    ///   - date: The moment to judge; `nil` for now.
    ///   - read: The read that has just ended.
    private mutating func answer(at now: Date, judging date: Date? = nil, after read: Reading? = nil) -> [Action] {
        let date = max(date ?? now, records.latestSignedDate ?? .distantPast)
        let judgment = records.judgment(at: date)
        if let read { settle(judgment, after: read, at: now) }
        var doubts = readDoubts.union(cacheDoubts)
        if let signed = records.latestSignedDate, now.addingTimeInterval(Self.clockDifference) < signed {
            doubts.insert(.deviceClockBehind)
        }
        let known = (entitlements: entitlements, hasAnswered: hasAnswered)
        entitlements = StoreEntitlements(
            judgment.entitlements, basis: basis, doubts: doubts, nextChange: judgment.ends.min())
        if read != nil || basis != .unknown && known.entitlements != entitlements { hasAnswered = true }
        let isNewReport = hasAnswered && (known.entitlements != entitlements || !known.hasAnswered)
        return (isNewReport ? [.notify] : []) + (isIdle || isClosed ? [] : wake(judgment, at: now))
    }

    /// Draws the conclusions of a read.
    private mutating func settle(_ judgment: EntitlementJudgment, after read: Reading, at now: Date) {
        if judgment.isContradicted { readDoubts.insert(.emptyHistory) }
        var isSettled = !judgment.asksAgain && readDoubts.isEmpty
        // What the full history names, and an empty list doesn't, may be listed later.
        if records.reading == .empty, records.pastMayNamePurchases(at: now) { isSettled = false }
        var isConfirmed = records.reading == .complete
        switch records.reading {
        case .empty where records.entries.isEmpty:
            // A device that isn't ready lists nothing, too. So the first empty answer confirms nothing, and neither do
            // the next ones if the full history has a purchase. The device is read again until the first pauses are
            // over.
            let isOver = records.hasListedNothing(for: records.patience.emptiness)
            let isRepeated = records.hasListedNothing(for: policy.pause(afterUnsettledReads: 1))
            isConfirmed = isOver || isRepeated && !records.pastMayNamePurchases(at: now)
            isSettled = isSettled && isOver
        case .empty: isConfirmed = !judgment.isContradicted
        case .partial where basis == .unknown && !judgment.entitlements.isEmpty: basis = .confirmed
        case .complete, .partial, .failed, .none: break
        }
        if isConfirmed { (basis, cacheDoubts) = (.confirmed, []) }
        guard !isSettled else {
            unsettledReads = 0
            nextReread = nil
            return
        }
        // A requested read doesn't delay the scheduled one.
        if let nextReread, read.begun < nextReread { return }
        unsettledReads += 1
        nextReread = now.addingTimeInterval(policy.pause(afterUnsettledReads: unsettledReads))
    }

    private mutating func wake(_ judgment: EntitlementJudgment, at now: Date) -> [Action] {
        let ends = judgment.ends.map { $0.addingTimeInterval(records.patience.lapse) }
        let next = (ends + records.grantEnds.filter { $0 > now } + [nextReread].compactMap(\.self)).min()
        guard next != nextWake else { return [] }
        nextWake = next
        return [.setTimer]
    }
}
