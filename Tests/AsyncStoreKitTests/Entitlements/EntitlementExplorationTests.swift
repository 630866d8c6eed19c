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
        case buyPro, renew, renewSilently, refundPro
        /// A read ends: the device shows everything, nothing, all but the newest purchase, or fails.
        case read, readNothing, readWithoutNewest, readPartially, readFails
        case askCurrent, askRefresh, stopWaiting, event
        case second, period
    }

    /// With few pauses, because the reads in all of them are the same.
    private var run = EntitlementRun(
        EntitlementStateMachine(
            timing: EntitlementTiming(contradiction: 60, firstPauses: [1, 60])))
    private var now = Date(timeIntervalSince1970: 1_767_225_600)
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

    init(inputs: [Input]) {
        self.inputs = inputs
    }

    /// The waiting calls. At the end, there are none.
    var machine: [Int] { Array(waiting.values) }

    mutating func take(_ input: Input) throws(BrokenPromise) {
        switch input {
        case .buyPro: try report(add("pro", ends: nil))
        case .renew: try report(add("basic", ends: now.addingTimeInterval(70)))
        case .renewSilently: add("basic", ends: now.addingTimeInterval(70))
        case .refundPro: try refund()
        case .read: try endRead(rows)
        case .readNothing: try endRead([])
        case .readWithoutNewest: try endRead(Array(rows.dropLast()))
        case .readPartially: try endRead(Array(rows.prefix(1)), failure: StoreError(.networkError, ""))
        case .readFails: try end(.failure(StoreError(.timedOut, "")))
        case .askCurrent: try ask { $0.current($1, at: $2) }
        case .askRefresh: try ask { $0.refresh($1, at: $2) }
        case .stopWaiting: stopWaiting()
        case .event: try perform(isEvent: true) { $0.deviceChanged(at: $1) }
        case .second: try pass(1.5)
        case .period: try pass(150)
        }
        try check()
    }

    @discardableResult
    private mutating func add(_ product: String, ends: Date?) -> PurchaseFacts {
        let number = rows.count + 1
        var row = PurchaseFacts(
            productID: product, transactionID: "\(number)", purchaseDate: now,
            originalTransactionID: ends == nil ? "\(number)" : product, expirationDate: ends,
            productKind: ends == nil ? .nonConsumable : .autoRenewable)
        row.signedDate = now
        rows.append(row)
        return row
    }

    private mutating func report(_ row: PurchaseFacts) throws(BrokenPromise) {
        try perform(isEvent: false) { $0.start(at: $1) }
        shown[row.transactionID] = row
        try perform(isEvent: true) {
            $0.transactionsReported([VerifiedTransaction(row, text: { "text" })], isPaidHere: false, at: $1)
        }
    }

    private mutating func refund() throws(BrokenPromise) {
        guard let place = rows.lastIndex(where: { $0.productID == "pro" && $0.revocationDate == nil }) else { return }
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
        while let wake = run.nextWake, wake <= end, run.reading == nil {
            now = max(now, wake)
            try perform(isEvent: true) { $0.timerFired(at: $1) }
        }
        now = end
    }

    private mutating func endRead(_ listed: [PurchaseFacts], failure: StoreError? = nil) throws(BrokenPromise) {
        guard let begun = run.reading?.begun else { return }
        let signedTransactions = listed.map { VerifiedTransaction($0, text: { "text" }) }
        try end(
            .success(PurchaseListing(completing: PurchaseListing(transactions: signedTransactions, failure: failure))))
        for row in listed { shown[row.transactionID] = row }
        for id in listed.map(\.transactionID) { missing[id] = nil }
        guard failure == nil, !listed.isEmpty else { return }
        for id in shown.keys where !listed.contains(where: { $0.transactionID == id }) {
            let since = missing[id] ?? begun
            missing[id] = since
            if begun >= since.addingTimeInterval(2) { shown[id] = nil }
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
        let (now, before, wasReading) = (now, run.resumed.count, run.reading != nil)
        if isEvent { events += 1 }
        run.perform { decide(&$0, now) }
        try promise(run.reads <= 1, "two reads at once")
        if run.reading != nil, !wasReading { eventsOfRead = events }
        // A call that needs no read is answered at once.
        for call in run.resumed.dropFirst(before) where !wasReading && run.reading == nil { waiting[call] = nil }
    }

    private func check() throws(BrokenPromise) {
        for row in shown.values where row.revocationDate == nil && (row.expirationDate ?? .distantFuture) > now {
            try promise(run.entitlements.contains(row.productID), "\(row.productID) is lost")
        }
        for entitlement in run.entitlements.active {
            try promise(
                rows.contains { $0.productID == entitlement.productID }, "\(entitlement.productID) was never bought")
        }
        let isOpen =
            !run.entitlements.issues.isEmpty
            || run.entitlements.active.contains { $0.accessEndDate.map { $0 <= now } ?? false }
        try promise(
            !isOpen || run.reading != nil || run.nextWake != nil, "an issue is open, and the device isn't read again")
    }

    /// From now on the device shows everything. Only the timer causes reads.
    mutating func conclude() throws(BrokenPromise) {
        try perform(isEvent: false) { $0.start(at: $1) }
        for _ in 0..<20 {
            if run.reading != nil {
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
