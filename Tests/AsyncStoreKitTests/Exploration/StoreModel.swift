import Foundation

@testable import AsyncStoreKit

/// A store's machines, with a payment queue, an app, a delivery and a clock that do whatever they are told.
struct StoreModel: ExploredModel {
    /// What can happen, and how often: everything at once would be too much to be tried.
    struct Alphabet {
        /// The purchases that are made, in this order.
        var purchases: [Purchase] = []
        var cancels = false
        /// What comes of a payment. A deferred one is approved or declined.
        var outcomes: [StoreTransaction.State] = [.purchased]
        var reportsPurchasing = false
        /// How often a transaction is reported again as it is.
        var duplicates = 0
        /// How many transactions somebody else takes out of the queue.
        var removals = 0
        /// How many transactions come that nobody has asked for.
        var renewals = 0
        /// How often a list of the queue's lacks a transaction, or has one that was finished or unlisted before.
        var lists = 0
        /// The restores that are begun, in this order.
        var restores: [Deliverer.CallStyle] = []
        var rows = 0
        /// Whether a restore may bring entries that are in the queue, whoever has them.
        var restoresEntries = false
        var restoreFails = false
        var installs = false
        var decisions: [DeliveryDecision] = [.accepted]
        var closuresThrow = false
        var finishes = true
        var releases = false
        /// How often time passes until the next timer runs out.
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

    /// A call of the app's.
    struct Call {
        let id = CallID()
        /// What is bought; `nil` when it is a restore.
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
        /// Whether the store has told the queue to finish it.
        var isFinishing = false
        /// Whether whoever delivers it, or decides about it, has said that it is to be finished.
        var isSaid = false
        /// Who knows of it: it was offered, or a call was answered with it.
        var isOffered = false
        var isHandedOver = false
        /// Whether the restore that is running has brought it.
        var isRestored = false
    }

    /// A transaction that has left the queue.
    struct Departed {
        var transaction: StoreTransaction
        /// Whether it left because lists lack it.
        let isUnlisted: Bool
        /// Whether the app was given it.
        let isHandedOver: Bool
    }

    /// Several deliveries of an app, as it sees them.
    struct Delivery {
        let id: CallID
        let transactions: [StoreTransaction]

        var tokens: [TransactionToken] { transactions.map(\.token) }
    }

    /// A transaction whose closure runs, or is about to after those of the same call.
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
    /// What waits for an approval, as far as anybody has been told.
    var told: [PendingPurchase] = []
    var deliveries: [Delivery] = []
    var closures: [Closure] = []
    var departed: [Departed] = []
    /// The purchases that a closure, a delivery, a caller, or a subscriber was given, and those that were delivered, by
    /// delivery key.
    var returnedToCaller: Set<String> = []
    var delivered: Set<String> = []
    /// Rows that the restore that runs has brought, while it is awaited.
    var rows: [TransactionToken] = []
    var timers: [(timer: StoreTimer, end: Date)] = []
    /// Whether the queue believes that a restore runs.
    var isRestoring = false
    /// Whether the restore that runs has brought what the customer owns, and whether a payment has been answered with
    /// it.
    var hasBroughtOwned = false
    var hasAnsweredOwned = false
    var lastSerial: UInt64 = 0
    /// How often each kind of thing has happened.
    var count = Count()

    struct Count {
        var purchases = 0, restores = 0, duplicates = 0, removals = 0, renewals = 0, rows = 0, lists = 0, ticks = 0
    }

    init(_ alphabet: Alphabet) {
        self.alphabet = alphabet
    }

    /// What has been delivered is remembered for as long as the process lives, all else is not.
    struct Machine {
        let payments: PaymentStateMachine
        let deliveries: DeliveryStateMachine
        let entries: [TransactionToken: TransactionLedger.Entry]
        let restoreCalls: [CallID: StoreStateMachine.RestoreCall]
        let waitingRestores: [CallID]
        let restore: RestoreStateMachine
    }

    var machine: Machine {
        Machine(
            payments: store.payments, deliveries: store.deliveries, entries: store.ledger.entries, restoreCalls: store.restoreCalls,
            waitingRestores: store.waitingRestores, restore: restore)
    }

    func index(of token: TransactionToken) -> Int? {
        entries.firstIndex { $0.transaction.token == token }
    }
}

// What can happen.
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
        if alphabet.installs, !store.hasDelivery { inputs.append(.install) }
        for index in deliveries.indices { inputs += alphabet.decisions.map { .deliveryEnds(index, $0) } }
        for index in closures.indices {
            inputs.append(.closureReturns(index))
            if alphabet.closuresThrow { inputs.append(.closureThrows(index)) }
        }
        for entry in entries where (entry.isOffered || entry.isHandedOver) && !entry.isSaid {
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
            for entry in entries where entry.transaction.holdsContent { inputs.append(.unlist(entry.transaction.token)) }
            inputs += departed.indices.map { .listAgain($0) }
        }
        for index in departed.indices where departed[index].isUnlisted && departed[index].isHandedOver {
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
            // Without a row of the restore's own, nothing would tell that a payment was answered.
            guard hasBroughtOwned || !hasAnsweredOwned else { return inputs }
            inputs.append(.restoreFinished)
            if alphabet.restoreFails { inputs.append(.restoreFailed) }
        }
        return inputs
    }
}
