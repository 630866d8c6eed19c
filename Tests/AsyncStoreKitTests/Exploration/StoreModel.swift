import Foundation
import TestHarness

@testable import AsyncStoreKit

/// A store's machines, with a payment queue, an app, a delivery and a clock that follow the inputs.
struct StoreModel: ExploredModel {
    /// The possible events, and how many times each can occur: all of them together would be too many sequences.
    struct Alphabet {
        /// The purchases that are made, in this order.
        var purchases: [Purchase] = []
        var cancels = false
        /// The outcomes of a payment. A deferred payment is approved or declined.
        var outcomes: [StoreTransaction.State] = [.purchased]
        var reportsPurchasing = false
        /// The number of times that a transaction is reported again unchanged.
        var duplicates = 0
        /// How many transactions another observer removes from the queue.
        var removals = 0
        /// How many unsolicited transactions arrive.
        var renewals = 0
        /// The number of lists of the queue that lack a transaction, or have one that was finished or unlisted before.
        var lists = 0
        /// The restores to begin, in this order.
        var restores: [Deliverer.CallStyle] = []
        var rows = 0
        /// Whether a restore may bring entries that are in the queue, with any owner.
        var restoresEntries = false
        var restoreFails = false
        var installs = false
        var decisions: [DeliveryDecision] = [.accepted]
        var closuresThrow = false
        var finishes = true
        var releases = false
        /// The number of times that time advances to the next timer.
        var ticks = 0
    }

    struct Purchase {
        var product = "coins"
        var style = Deliverer.CallStyle.plain
        var timeout: TimeInterval?
    }

    enum Input {
        case purchase, restore, cancel(Int)
        case report(Int, StoreTransaction.State)
        case redeliver(TransactionToken)
        case remove(TransactionToken)
        case renew
        case row
        /// A restore brings an entry that is in the queue.
        case restoreEntry(TransactionToken)
        /// A list lacks a transaction.
        case unlist(TransactionToken)
        /// A list has a transaction that has left the queue: a later list, or one that was read before.
        case listAgain(Int)
        /// The app finishes a transaction that has left the queue because lists lack it.
        case finishUnlisted(Int)
        case restoreFinished, restoreFailed
        case install
        case deliveryEnds(Int, DeliveryDecision)
        case closureReturns(Int), closureThrows(Int)
        case finish(TransactionToken), release(TransactionToken)
        case queueFinishes(TransactionToken)
        case tick
    }

    /// A call of the app.
    struct Call {
        let id = CallID()
        /// The product to buy; `nil` for a restore.
        let purchase: Purchase?
        let style: Deliverer.CallStyle
        var isCancelled = false
        var isAnswered = false
        var submittedAt: Date?
    }

    /// A payment as the queue knows it.
    struct Payment {
        let call: Int
        let product: String
        var entry: TransactionToken?
        var isOver = false
    }

    /// An entry of the queue.
    struct Entry {
        var transaction: StoreTransaction
        /// Whether the store has asked the queue to finish the entry.
        var isFinishing = false
        /// Whether the owner of the entry has decided that it's finished.
        var isSaid = false
        /// Whether the entry was offered, and whether a call was answered with it.
        var isOffered = false
        var wasReceived = false
        /// Whether the running restore has brought the entry.
        var isRestored = false
    }

    /// A transaction that has left the queue.
    struct Departed {
        var transaction: StoreTransaction
        /// Whether it left because lists lack it.
        let isUnlisted: Bool
        /// Whether the app has received the entry.
        let wasReceived: Bool
    }

    /// The deliveries of an app.
    struct Delivery {
        let id: CallID
        let transactions: [StoreTransaction]

        var tokens: [TransactionToken] { transactions.map(\.token) }
    }

    /// A transaction whose closure is running, or runs after the other closures of the same call.
    struct Closure {
        let call: CallID
        let transaction: StoreTransaction

        var token: TransactionToken { transaction.token }
    }

    let alphabet: Alphabet
    var store = StoreStateMachine()
    var restore = RestoreStateMachine()
    var calls: [Call] = []
    var payments: [Payment] = []
    var entries: [Entry] = []
    /// The pending purchases in the last action.
    var told: [PendingPurchase] = []
    var deliveries: [Delivery] = []
    var closures: [Closure] = []
    var departed: [Departed] = []
    /// The purchases that a closure, a delivery, a caller, or a subscriber was given, and those that were delivered, by
    /// delivery key.
    var returnedToCaller: Set<String> = []
    var delivered: Set<String> = []
    /// The rows that the running restore has brought, while it is awaited.
    var rows: [TransactionToken] = []
    var timers: [(timer: StoreTimer, end: Date)] = []
    /// Whether the queue has a running restore.
    var isRestoring = false
    /// Whether the running restore has brought the customer's purchases, and whether a payment was answered with one of
    /// them.
    var hasBroughtOwned = false
    var hasAnsweredOwned = false
    var lastSerial: UInt64 = 0
    /// The number of times that each event has occurred.
    var count = Count()

    struct Count {
        var purchases = 0, restores = 0, duplicates = 0, removals = 0, renewals = 0, rows = 0, lists = 0, ticks = 0
    }

    init(_ alphabet: Alphabet) {
        self.alphabet = alphabet
    }

    /// Deliveries are remembered as long as the process lives. Everything else isn't.
    struct Machine {
        let payments: PaymentStateMachine
        let deliveries: DeliveryStateMachine
        let entries: [TransactionToken: UnfinishedTransactions.Entry]
        let restoreCalls: [CallID: StoreStateMachine.RestoreCall]
        let waitingRestores: [CallID]
        let restore: RestoreStateMachine
    }

    var machine: Machine {
        Machine(
            payments: store.payments, deliveries: store.deliveries, entries: store.ledger.entries,
            restoreCalls: store.restores.calls,
            waitingRestores: store.restores.waiting, restore: restore)
    }

    func index(of token: TransactionToken) -> Int? {
        entries.firstIndex { $0.transaction.token == token }
    }
}

// The possible inputs.
extension StoreModel {
    var inputs: [Input] {
        appInputs + queueInputs + (count.ticks < alphabet.ticks && !timers.isEmpty ? [.tick] : [])
    }

    private var appInputs: [Input] {
        var inputs: [Input] = []
        if count.purchases < alphabet.purchases.count { inputs.append(.purchase) }
        if count.restores < alphabet.restores.count { inputs.append(.restore) }
        if alphabet.cancels {
            for index in calls.indices where !calls[index].isAnswered { inputs.append(.cancel(index)) }
        }
        if alphabet.installs, !store.deliveries.isInstalled { inputs.append(.install) }
        for index in deliveries.indices { inputs += alphabet.decisions.map { .deliveryEnds(index, $0) } }
        for index in closures.indices {
            inputs.append(.closureReturns(index))
            if alphabet.closuresThrow { inputs.append(.closureThrows(index)) }
        }
        for entry in entries where (entry.isOffered || entry.wasReceived) && !entry.isSaid {
            if alphabet.finishes { inputs.append(.finish(entry.transaction.token)) }
            if alphabet.releases { inputs.append(.release(entry.transaction.token)) }
        }
        return inputs
    }

    private var queueInputs: [Input] {
        var inputs: [Input] = []
        for index in payments.indices where !payments[index].isOver {
            if payments[index].entry == nil {
                if alphabet.reportsPurchasing { inputs.append(.report(index, .purchasing)) }
                inputs += alphabet.outcomes.map { .report(index, $0) }
            } else {
                inputs += [.report(index, .purchased), .report(index, .failed)]
            }
        }
        for entry in entries {
            let token = entry.transaction.token
            if entry.isFinishing { inputs.append(.queueFinishes(token)) }
            if count.duplicates < alphabet.duplicates { inputs.append(.redeliver(token)) }
            if count.removals < alphabet.removals, !entry.isFinishing { inputs.append(.remove(token)) }
        }
        if count.lists < alphabet.lists {
            for entry in entries where entry.transaction.holdsContent {
                inputs.append(.unlist(entry.transaction.token))
            }
            inputs += departed.indices.map { .listAgain($0) }
        }
        for index in departed.indices where departed[index].isUnlisted && departed[index].wasReceived {
            inputs.append(.finishUnlisted(index))
        }
        if isRestoring, alphabet.restoresEntries {
            for entry in entries where entry.transaction.holdsContent && !entry.isRestored {
                inputs.append(.restoreEntry(entry.transaction.token))
            }
        }
        if count.renewals < alphabet.renewals { inputs.append(.renew) }
        if isRestoring {
            if count.rows < alphabet.rows { inputs.append(.row) }
            // Without a row of the restore, an answer to a payment couldn't be recognized.
            guard hasBroughtOwned || !hasAnsweredOwned else { return inputs }
            inputs.append(.restoreFinished)
            if alphabet.restoreFails { inputs.append(.restoreFailed) }
        }
        return inputs
    }
}
