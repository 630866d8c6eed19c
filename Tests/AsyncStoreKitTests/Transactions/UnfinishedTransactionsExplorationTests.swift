import Foundation
import TestHarness
import Testing

@testable import AsyncStoreKit

@Suite(.bounded) struct UnfinishedTransactionsExplorationTests {
    @Test func `after any inputs, nothing is finished before its delivery, and no paid transaction stays open`()
        async
    {
        await explore("UnfinishedTransactions", LedgerModel(), depth: 4)
    }
}

/// One entry of a queue, in all of its states.
private struct LedgerModel: ExploredModel {
    enum Input {
        case report(StoreTransaction.State, downloads: Bool)
        /// The entry is passed on, or returned.
        case move(UnfinishedTransactions.State)
        case delivered
        case finish
        case release
        case contentEnds
        case remove
        /// The lists of the queue lack the entry.
        case unlist
        case beginDelivery, endDelivery
    }

    private static let token = TransactionToken.entry(1)

    private var ledger = UnfinishedTransactions()
    private var isInQueue = false
    /// Whether the entry was delivered or is to be finished, since its last new report.
    private var isSaid = false
    private var wasDelivered = false
    private var wasReceived = false
    private var isDelivering = false
    /// Whether the queue has removed it while it was being delivered.
    private var hasLeft = false
    private var isUnlisted = false
    /// Whether it has left the queue undelivered.
    private var hasDeparted = false
    private var leaving: StoreTransaction?
    private var isTold = false
    private var paidNews = 0
    private var wasReported = false

    /// Deliveries are remembered as long as the process lives. Entries aren't.
    var machine: [TransactionToken: UnfinishedTransactions.Entry] { ledger.entries }

    private var entry: UnfinishedTransactions.Entry? { ledger[Self.token] }

    var inputs: [Input] {
        var inputs = StoreTransaction.State.allCases.map { Input.report($0, downloads: false) }
        inputs.append(.report(.purchased, downloads: true))
        guard let entry else { return inputs + [.finish, .delivered] }
        if hasLeft { inputs = [] }
        inputs += [.delivered, .finish, .release, .remove, .unlist, isDelivering ? .endDelivery : .beginDelivery]
        if entry.transaction.hasUnfinishedDownloads { inputs.append(.contentEnds) }
        switch entry.state {
        case .offered: inputs += [.move(.delivering), .move(.withCaller)]
        case .withCaller: inputs += [.move(.delivering)]
        case .delivering: inputs += [.move(.retrying), .move(.offered)]
        case .retrying, .downloading, .finished: inputs += [.move(.delivering)]
        case .open: break
        }
        return inputs
    }

    mutating func take(_ input: Input) throws(BrokenPromise) {
        let before = entry
        leaving = before?.transaction
        switch input {
        case .report(let state, let downloads):
            wasReported = true
            try report(state, downloads: downloads)
        case .move(let state):
            ledger.setState(state, of: Self.token, now: .seconds(0))
            if before?.isDelivered == true {
                try promise(entry?.state == before?.state, "a delivered transaction has another state")
            }
        case .delivered where before == nil:
            try promise(ledger.delivered(Self.token) == isUnlisted, "a delivery after its departure asks the queue")
            if hasDeparted { wasDelivered = true }
            (isUnlisted, hasDeparted) = (false, false)
        case .delivered:
            let owned = before.map { $0.state != .open && !$0.isDelivered } ?? false
            if owned { isSaid = true }
            if before?.transaction.holdsContent == true { wasDelivered = true }
            let tells = ledger.delivered(Self.token)
            try promise(
                tells == (owned && before?.transaction.hasUnfinishedDownloads == false && !hasLeft),
                "the end of a delivery returned \(tells)")
            if tells { try requestFinish() }
        case .finish: try finish()
        case .release:
            let isOwned = before?.state == .offered || before?.state == .withCaller
            let count = ledger.release(Self.token, now: .seconds(0))
            try promise((count != nil) == isOwned, "the release doesn't match the state")
            if isOwned {
                wasReceived = true
                try promise(
                    entry?.state == .retrying,
                    "it is \(String(describing: entry?.state)) after its release")
            }
        case .contentEnds:
            for download in before?.transaction.downloads ?? [] {
                var ended = download
                ended.state = .finished
                try promise(ledger.update(ended), "its download is unknown")
            }
            let tells = ledger.contentHasEnded(of: Self.token)
            try promise(tells == (before?.state == .downloading), "the end of the downloads returned \(tells)")
            if tells { try requestFinish() }
            try promise(!ledger.contentHasEnded(of: Self.token), "the downloads ended twice")
        case .remove:
            ledger.remove(Self.token)
            if isDelivering { hasLeft = true } else { leave() }
        case .unlist:
            let mayLeave = !isDelivering && before?.state != .delivering && before?.isDelivered == false
            let leaves = ledger.removeUnlisted(Self.token)
            try promise(leaves == mayLeave, "a list that lacks it made it leave: \(leaves)")
            if leaves {
                if before?.transaction.holdsContent == true, !wasDelivered { isUnlisted = true }
                leave()
            }
        case .beginDelivery:
            guard let transaction = before?.transaction, transaction.holdsContent else { break }
            let isRedelivery = wasReceived || wasDelivered
            try promise(ledger.beginDelivery(of: transaction) == isRedelivery, "the redelivery is wrong")
            (isDelivering, wasReceived) = (true, true)
        case .endDelivery:
            try promise(ledger.endDelivery(of: Self.token) == [], "its purchase has other entries")
            isDelivering = false
            if hasLeft { leave() }
        }
        try check(before)
    }

    private mutating func leave() {
        if entry?.transaction.holdsContent ?? leaving?.holdsContent ?? false, !wasDelivered { hasDeparted = true }
        (isInQueue, isSaid, isTold, hasLeft, paidNews) = (false, false, false, false, 0)
    }

    private mutating func report(_ state: StoreTransaction.State, downloads: Bool) throws(BrokenPromise) {
        let before = entry
        isInQueue = true
        var transaction = StoreTransaction.entry(1, state)
        if downloads {
            transaction.report.downloads = [
                StoreDownload(
                    id: StoreDownload.ID(transaction: Self.token, index: 0), contentID: "level", contentLength: 1)
            ]
            transaction.report.hasUnfinishedDownloads = true
        }
        switch ledger.report(transaction, now: .seconds(0)) {
        case .new:
            isSaid = false
            isTold = false
            try promise(entry?.state == .open, "a new report isn't open")
            guard transaction.holdsContent else { break }
            paidNews += 1
            ledger.setState(.offered, of: Self.token, now: .seconds(0))
        case .duplicate: break
        case .finishAgain:
            try promise(before?.state == .finished, "it was to be finished again before it was finished")
            isTold = false
            try requestFinish()
        case .complete:
            try promise(before?.state == .downloading, "it was complete before it was delivered")
            try promise(!transaction.hasUnfinishedDownloads, "it was complete before its downloads had ended")
            try promise(ledger.contentHasEnded(of: Self.token), "its downloads haven't ended")
            try requestFinish()
        }
        try promise(paidNews <= 1, "a purchase was new twice")
    }

    private mutating func finish() throws(BrokenPromise) {
        let before = entry
        let result = ledger.finish(Self.token)
        switch result {
        case .finish where before == nil:
            try promise(isUnlisted, "it isn't in the queue")
            (isUnlisted, hasDeparted, wasDelivered) = (false, false, true)
        case .finish:
            isSaid = true
            if before?.transaction.holdsContent == true { wasDelivered = true }
            try requestFinish()
        case .whenDownloaded: throw BrokenPromise(message: "no download is running")
        case .departed:
            try promise(before == nil && hasDeparted && !isUnlisted, "the result is departed")
            (hasDeparted, wasDelivered) = (false, true)
        case .finished:
            try promise(
                before?.state == .finished || before == nil && !hasDeparted && wasReported, "the result is finished")
        case .notFinishable(let state):
            try promise(state == .purchasing || state == .deferred, "\(state) isn't finishable in the result")
            try promise(before?.transaction.state == state, "the result is \(state)")
        case .unknown: try promise(!wasReported, "the transaction is known")
        }
    }

    /// Asks the queue to finish the entry.
    private mutating func requestFinish() throws(BrokenPromise) {
        try promise(isSaid, "the entry was finished without a decision")
        try promise(!isTold, "it was finished twice without a report in between")
        try promise(
            entry?.transaction.state != .purchasing && entry?.transaction.state != .deferred,
            "it was finished without an outcome")
        isTold = true
    }

    private func check(_ before: UnfinishedTransactions.Entry?) throws(BrokenPromise) {
        try promise((entry != nil) == isInQueue, "the ledger and the queue differ")
        guard let entry else { return }
        let holdsContent = entry.transaction.holdsContent
        if before?.transaction.holdsContent == true { try promise(holdsContent, "a purchase was reverted") }
        let isOpen = holdsContent && entry.state != .finished && !hasLeft
        try promise(ledger.unfinished.count == (isOpen ? 1 : 0), "the unfinished transactions are wrong")
        let isOwned = entry.state == .offered || entry.state == .withCaller
        let isOffered = isOwned && !wasDelivered
        try promise(ledger.outstanding.count == (isOffered ? 1 : 0), "the outstanding transactions are wrong")
        if isOwned || entry.state == .delivering || entry.state == .retrying {
            try promise(holdsContent, "an unpaid transaction is \(entry.state)")
        }
        try promise(
            (entry.state == .finished) == isTold || hasLeft,
            "it is \(entry.state), and the queue has \(isTold ? "" : "not ")been told")
        try promise(ledger.wasDelivered(.entry(1, .purchased)) == wasDelivered, "wasDelivered is wrong")
        let isRedelivery = wasReceived || wasDelivered
        try promise(ledger.wasReceived(.entry(1, .purchased)) == isRedelivery, "wasReceived is wrong")
        try promise(ledger.isBeingDelivered(.entry(1, .purchased)) == isDelivering, "isBeingDelivered is wrong")
    }

    mutating func conclude() throws(BrokenPromise) {
        if isDelivering { try take(.endDelivery) }
        guard isInQueue else { return }
        try report(.purchased, downloads: false)
        if !isTold { try finish() }
        try promise(isTold, "a paid transaction can't be finished")
        ledger.remove(Self.token)
    }
}
