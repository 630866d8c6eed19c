import AppReceipt
import Foundation
import TestHarness
import Testing

@testable import AsyncStoreKit

/// Every sequence of events for a customer with a subscription and a lifetime purchase.
@Suite(.bounded) struct EntitlementExplorationTests {
    private static let evidence: [EntitlementModel.Input] = [
        .buyPro, .renew, .renewSilently, .refundPro, .read, .readNothing, .readWithoutNewest, .readPartially,
        .readFails,
        .second, .period,
    ]

    @Test(arguments: evidence.indices)
    func `access is never lost without evidence, and every issue is resolved`(first: Int) async throws {
        var model = EntitlementModel(inputs: Self.evidence)
        try model.take(Self.evidence[first])
        await explore("evidence after \(Self.evidence[first])", model, depth: 3)
    }

    /// What else a device says, each part with the inputs that it may contradict.
    private static let parts: [(name: String, hasCache: Bool, inputs: [EntitlementModel.Input])] = [
        (
            "statuses", false,
            [
                .renew, .renewSilently, .read, .readNothing, .readStatusesOnly, .readWithStatuses, .readEndedStatuses,
                .readWorstStatuses, .second, .period,
            ]
        ),
        (
            "renewals", false,
            [
                .renew, .renewSilently, .read, .readNothing, .readRenewing, .readNotRenewing, .readWithoutNewest,
                .second, .period,
            ]
        ),
        (
            "history and unfinished transactions", false,
            [
                .buyPro, .buyProSilently, .refundPro, .read, .readNothing, .readWithoutNewest, .readPast,
                .readUnfinished, .readLatest, .second, .period,
            ]
        ),
        (
            "family sharing", false,
            [
                .buyPro, .sharePro, .shareProSilently, .unsharePro, .refundPro, .read, .readNothing,
                .readWithoutNewest, .second, .period,
            ]
        ),
        (
            "the cache", true,
            [
                .loadCache, .loadEmptyCache, .cacheFails, .buyPro, .buyProSilently, .renew, .read, .readNothing,
                .readFails, .second, .period,
            ]
        ),
        (
            "the clock", false,
            [
                .renew, .renewSilently, .buyPro, .read, .readNothing, .readWithoutNewest, .clockBehind,
                .clockRight, .clockAhead, .second, .period,
            ]
        ),
    ]

    @Test(arguments: parts.indices, 0..<11)
    func `nothing else that the device says takes access away without evidence`(part: Int, first: Int) async throws {
        let part = Self.parts[part]
        guard part.inputs.indices.contains(first) else { return }
        var model = EntitlementModel(inputs: part.inputs, hasCache: part.hasCache)
        try model.take(part.inputs[first])
        await explore("\(part.name) after \(part.inputs[first])", model, depth: 3)
    }

    @Test func `every call is answered by a read that began after the last event`() async {
        let inputs: [EntitlementModel.Input] = [
            .buyPro, .read, .readNothing, .readFails, .askCurrent, .askRefresh, .stopWaiting, .event, .period,
        ]
        await explore("calls for entitlements", EntitlementModel(inputs: inputs), depth: 4)
    }
}

/// The customer's true purchases, a device that shows all or some of them, and an app that asks.
private struct EntitlementModel: ExploredModel {
    enum Input {
        /// The queue reports the purchase, or the device receives it silently.
        case buyPro, buyProSilently, renew, renewSilently, refundPro
        /// A family member begins to share the lifetime purchase, or stops.
        case sharePro, shareProSilently, unsharePro
        /// A read ends: the device shows everything, nothing, all but the newest purchase, or fails.
        case read, readNothing, readWithoutNewest, readPartially, readFails
        /// The device shows everything, or nothing but statuses. The statuses say that a subscription runs, that it has
        /// ended, or both.
        case readWithStatuses, readStatusesOnly, readEndedStatuses, readWorstStatuses
        /// The device shows everything, and Apple has signed whether the subscription renews.
        case readRenewing, readNotRenewing
        /// The newest purchase is in the history only, is unfinished, or is the latest of its product.
        case readPast, readUnfinished, readLatest
        /// The cache of an earlier launch has the purchases, has none, or can't be read.
        case loadCache, loadEmptyCache, cacheFails
        /// The customer sets the device's clock, which the system reports.
        case clockAhead, clockBehind, clockRight
        case askCurrent, askRefresh, stopWaiting, event
        case second, period
    }

    /// With few pauses, because the reads in all of them are the same.
    private var run: EntitlementRun
    /// The time at Apple.
    private var now = Date(timeIntervalSince1970: 1_767_225_600)
    /// How far the device's clock is ahead, in seconds.
    private var offset: TimeInterval = 0
    /// The latest date that the machine was shown.
    private var signed = Date.distantPast
    private var rows: [PurchaseFacts] = []
    /// The purchases that the machine was shown or told, and that weren't refuted since.
    private var shown: [String: PurchaseFacts] = [:]
    /// The date since which complete reads have lacked a purchase.
    private var missing: [String: Date] = [:]
    private var events = 0
    /// The calls that wait, with the number of events at the time of the call.
    private var waiting: [CallID: Int] = [:]
    /// How many events there had been when the running read began.
    private var eventsOfRead = 0

    let inputs: [Input]

    init(inputs: [Input], hasCache: Bool = false) {
        self.inputs = inputs
        run = EntitlementRun(
            EntitlementStateMachine(
                timing: EntitlementTiming(contradiction: 60, firstPauses: [1, 60]), hasCache: hasCache))
    }

    /// The time by the device's clock.
    private var clock: Date { now.addingTimeInterval(offset) }

    /// The waiting calls. At the end, there are none.
    var machine: [Int] { Array(waiting.values) }

    mutating func take(_ input: Input) throws(BrokenPromise) {
        let (rows, running, now) = (rows, running, now)
        switch input {
        case .buyPro: try report(add("pro", ends: nil))
        case .buyProSilently: add("pro", ends: nil)
        case .sharePro: try report(add("pro", ends: nil, isShared: true))
        case .shareProSilently: add("pro", ends: nil, isShared: true)
        case .unsharePro: try revoke { $0.isFamilyShared }
        case .renew: try report(add("basic", ends: now.addingTimeInterval(70)))
        case .renewSilently: add("basic", ends: now.addingTimeInterval(70))
        case .refundPro: try revoke { !$0.isFamilyShared }
        case .read: try endRead(rows)
        case .readNothing: try endRead([])
        case .readWithoutNewest: try endRead(Array(rows.dropLast()))
        case .readPartially: try endRead(Array(rows.prefix(1)), failure: StoreError(.networkError, ""))
        case .readFails: try end(.failure(StoreError(.timedOut, "")))
        case .readWithStatuses: try endRead(rows) { $0.addStatuses([.subscribed], of: running) }
        case .readStatusesOnly: try endRead([]) { $0.addStatuses([.subscribed], of: running) }
        case .readEndedStatuses: try endRead(rows) { $0.addStatuses([.expired], of: rows) }
        case .readWorstStatuses: try endRead([]) { $0.addStatuses([.expired, .subscribed], of: running) }
        case .readRenewing: try endRead(rows) { $0.addRenewals(willAutoRenew: true, of: rows, signed: now) }
        case .readNotRenewing: try endRead(rows) { $0.addRenewals(willAutoRenew: false, of: rows, signed: now) }
        case .readPast: try endRead(rows.dropLast()) { $0.past = Self.signed(rows) }
        case .readUnfinished: try endRead(rows.dropLast()) { $0.unfinished = Self.signed(rows.suffix(1)) }
        case .readLatest: try endRead(rows.dropLast()) { $0.latest = Self.signed(rows.suffix(1)) }
        case .loadCache: try loadCache(PurchaseListing(transactions: Self.signed(rows)))
        case .loadEmptyCache: try loadCache(PurchaseListing())
        case .cacheFails: try loadCache(nil)
        case .clockAhead: try setClock(86_400)
        case .clockBehind: try setClock(-86_400)
        case .clockRight: try setClock(0)
        case .askCurrent: try ask { $0.current($1, at: $2) }
        case .askRefresh: try ask { $0.refresh($1, at: $2) }
        case .stopWaiting: stopWaiting()
        case .event: try perform(isEvent: true) { $0.deviceChanged(at: $1) }
        case .second: try pass(1.5)
        case .period: try pass(150)
        }
        // The device's clock says that these have ended, until a read corrects it.
        let date = max(self.now, clock)
        shown = shown.filter { $0.value.expirationDate ?? .distantFuture > date }
        try check()
    }

    @discardableResult
    private mutating func add(_ product: String, ends: Date?, isShared: Bool = false) -> PurchaseFacts {
        let number = rows.count + 1
        var row = PurchaseFacts(
            productID: product, transactionID: "\(number)", purchaseDate: now,
            originalTransactionID: ends == nil ? "\(number)" : product, expirationDate: ends,
            productKind: ends == nil ? .nonConsumable : .autoRenewable)
        row.signedDate = now
        row.appTransactionID = "1"
        if isShared { row.ownershipType = .familyShared }
        rows.append(row)
        return row
    }

    /// The periods that run.
    private var running: [PurchaseFacts] { rows.filter { $0.expirationDate.map { $0 > now } ?? false } }

    private static func signed(_ rows: some Sequence<PurchaseFacts>) -> [VerifiedTransaction] {
        rows.map { VerifiedTransaction($0, text: { "text" }) }
    }

    private mutating func setClock(_ offset: TimeInterval) throws(BrokenPromise) {
        self.offset = offset
        try perform(isEvent: true) { $0.deviceChanged(at: $1) }
    }

    private mutating func loadCache(_ content: PurchaseListing?) throws(BrokenPromise) {
        try perform(isEvent: false) { $0.start(at: $1) }
        // An answer that a read has confirmed replaces the cache.
        let isUsed = run.isLoadingCache && run.entitlements.basis != .confirmed
        run.endLoadingCache()
        try perform(isEvent: false) { machine, date in
            machine.cacheLoaded(content.map(PurchaseListing.init(completing:)), issues: [], at: date)
        }
        guard isUsed, let content else { return }
        for row in content.transactions.map(\.facts) { show(row) }
    }

    private mutating func show(_ row: PurchaseFacts) {
        shown[row.transactionID] = row
        signed = max(signed, row.signedDate ?? .distantPast)
    }

    private mutating func report(_ row: PurchaseFacts) throws(BrokenPromise) {
        try perform(isEvent: false) { $0.start(at: $1) }
        show(row)
        try perform(isEvent: true) {
            $0.transactionsReported([VerifiedTransaction(row, text: { "text" })], isPaidHere: false, at: $1)
        }
    }

    private mutating func revoke(_ isRevoked: (PurchaseFacts) -> Bool) throws(BrokenPromise) {
        guard
            let place = rows.lastIndex(where: { $0.productID == "pro" && $0.revocationDate == nil && isRevoked($0) })
        else { return }
        rows[place].revocationDate = now
        rows[place].signedDate = now
        try report(rows[place])
    }

    private mutating func ask(
        _ ask: (inout EntitlementStateMachine, CallID, Date) -> [EntitlementStateMachine.Action]
    ) throws(BrokenPromise) {
        let call = CallID()
        waiting[call] = events
        try perform(isEvent: false) { ask(&$0, call, $1) }
    }

    private mutating func stopWaiting() {
        guard let call = waiting.keys.first else { return }
        waiting[call] = nil
        run.perform { machine in
            machine.forget(call)
            return []
        }
    }

    private mutating func pass(_ seconds: TimeInterval) throws(BrokenPromise) {
        let end = now.addingTimeInterval(seconds)
        while let wake = run.nextWake?.addingTimeInterval(-offset), wake <= end, run.reading == nil {
            now = max(now, wake)
            try perform(isEvent: true) { $0.timerFired(at: $1) }
        }
        now = end
    }

    private mutating func endRead(
        _ listed: some Collection<PurchaseFacts>, failure: StoreError? = nil,
        _ change: (inout PurchaseListing) -> Void = { _ in }
    ) throws(BrokenPromise) {
        guard let begun = run.reading.map({ min($0.begun, clock) }) else { return }
        var listing = PurchaseListing(transactions: Self.signed(listed), failure: failure)
        change(&listing)
        try end(.success(PurchaseListing(completing: listing)))
        // An unfinished purchase, or the latest of its product, isn't missing. The history and a status give no access.
        let named = Array(listed) + (listing.unfinished + listing.latest).map(\.facts)
        // While the clock is ahead, a read sees the end of a period early.
        for row in Array(listed) + listing.unfinished.map(\.facts) where row.expirationDate ?? .distantFuture > begun {
            show(row)
        }
        for row in listing.past.map(\.facts) { signed = max(signed, row.signedDate ?? .distantPast) }
        for id in named.map(\.transactionID) { missing[id] = nil }
        guard failure == nil, !listed.isEmpty else { return }
        let date = max(begun, signed)
        for id in shown.keys where !named.contains(where: { $0.transactionID == id }) {
            let since = min(missing[id] ?? date, date)
            missing[id] = since
            if date >= since.addingTimeInterval(2) { shown[id] = nil }
        }
    }

    private mutating func end(_ result: Result<PurchaseListing, StoreError>) throws(BrokenPromise) {
        guard let read = run.reading else { return }
        let covered = eventsOfRead
        let before = run.resumed.count
        run.endReading()
        try perform(isEvent: false) { $0.readEnded(read, result, at: $1) }
        for call in run.resumed.dropFirst(before) where waiting[call] != nil {
            try promise(
                waiting[call].map { $0 <= covered } ?? false,
                "a call is answered by a read that began before the last event")
            waiting[call] = nil
        }
    }

    private mutating func perform(
        isEvent: Bool, _ decide: (inout EntitlementStateMachine, Date) -> [EntitlementStateMachine.Action]
    ) throws(BrokenPromise) {
        let (clock, before, wasReading) = (clock, run.resumed.count, run.reading != nil)
        if isEvent { events += 1 }
        run.perform { decide(&$0, clock) }
        try promise(run.reads <= 1, "two reads at once")
        if run.reading != nil, !wasReading { eventsOfRead = events }
        // A call that needs no read is answered at once.
        for call in run.resumed.dropFirst(before) where !wasReading && run.reading == nil { waiting[call] = nil }
    }

    private func check() throws(BrokenPromise) {
        for row in shown.values where row.revocationDate == nil {
            try promise(run.entitlements.contains(row.productID), "\(row.productID) is lost")
        }
        for entitlement in run.entitlements.active {
            try promise(
                rows.contains { $0.productID == entitlement.productID }, "\(entitlement.productID) was never bought")
        }
        let isOpen =
            !run.entitlements.issues.isEmpty
            || run.entitlements.active.contains { $0.accessEndDate.map { $0 <= now } ?? false }
        // Nothing but the clock heals a clock that is behind.
        let isBehind = run.entitlements.issues == [.deviceClockBehind]
        try promise(
            !isOpen || isBehind || run.reading != nil || run.nextWake != nil || run.isLoadingCache,
            "an issue is open, and the device isn't read again")
    }

    /// From now on the device shows everything. Only the timer causes reads.
    mutating func conclude() throws(BrokenPromise) {
        try setClock(0)
        try perform(isEvent: false) { $0.start(at: $1) }
        for _ in 0..<20 {
            if run.isLoadingCache {
                try loadCache(PurchaseListing())
            } else if run.reading != nil {
                try endRead(rows)
            } else if let wake = run.nextWake {
                now = max(now, wake)
                try perform(isEvent: true) { $0.timerFired(at: $1) }
            } else {
                break
            }
        }
        let ownsPro = rows.contains { $0.productID == "pro" && $0.revocationDate == nil }
        try promise(run.entitlements.contains("pro") == ownsPro, "pro is \(ownsPro ? "lost" : "kept")")
        let ends = rows.compactMap(\.expirationDate).max()
        try promise(
            !run.entitlements.contains("basic") || ends.map { $0 > now } ?? false, "a period does not end")
        // A list that still has a period after its end leaves a question open.
        let isContradicted = ends.map { $0 <= now } ?? false
        try promise(
            run.nextWake == nil || run.entitlements.nextChange != nil || isContradicted,
            "the device is read again for no reason")
        try promise(
            run.entitlements.issues.isEmpty && run.entitlements.basis == .confirmed, "\(run.entitlements.issues) stand")
        try promise(waiting.isEmpty, "a call is not answered")
    }
}

extension PurchaseListing {
    fileprivate mutating func addStatuses(_ states: [SubscriptionState], of rows: [PurchaseFacts]) {
        let subscriptions = rows.filter { $0.expirationDate != nil }
        guard let newest = subscriptions.last else { return }
        self.subscriptions = [VerifiedTransaction(newest, text: { "text" })]
        statuses = states.map {
            SubscriptionStatusReport(
                groupID: "club", state: $0, productID: newest.productID, transactionID: newest.transactionID,
                originalTransactionID: newest.originalTransactionID)
        }
    }

    fileprivate mutating func addRenewals(willAutoRenew: Bool, of rows: [PurchaseFacts], signed: Date) {
        guard let newest = rows.last(where: { $0.expirationDate != nil }) else { return }
        var renewal = RenewalFacts(
            productID: newest.productID, originalTransactionID: newest.originalTransactionID)
        renewal.willAutoRenew = willAutoRenew
        renewal.signedDate = signed
        renewals = [VerifiedRenewal(ReceiptRenewal(renewal), text: { "text" })]
    }
}
