import Foundation
import TestHarness

@testable import AsyncStoreKit

// Inputs.
extension StoreModel {
    mutating func take(_ input: Input) throws(BrokenPromise) {
        switch input {
        case .purchase: beginPurchase()
        case .restore: try beginRestore()
        case .cancel(let index): cancel(index)
        case .report(let index, let state): report(payment: index, state)
        case .redeliver(let token):
            count.duplicates += 1
            if let index = index(of: token) { receive(entries[index].transaction) }
        case .remove(let token):
            count.removals += 1
            remove(token)
        case .queueFinishes(let token):
            if alphabet.lists > 0, let index = index(of: token), entries[index].transaction.holdsContent {
                departed.append(
                    Departed(transaction: entries[index].transaction, isUnlisted: false, wasReceived: false))
            }
            remove(token)
        case .restoreEntry(let token): restoreEntry(token)
        case .unlist(let token): try unlist(token)
        case .listAgain(let index): listAgain(index)
        case .finishUnlisted(let index):
            let transaction = departed.remove(at: index).transaction
            // The purchase may have been delivered as another entry.
            let isDelivered = delivered.contains(transaction.deliveryKey)
            delivered.insert(transaction.deliveryKey)
            let result = store.finish(transaction.token)
            if case .failure = result { try promise(isDelivered, "an unlisted transaction can't be finished") }
        case .renew:
            count.renewals += 1
            receive(newEntry("news", .purchased))
        case .row:
            count.rows += 1
            hasBroughtOwned = true
            receive(restoredEntry())
        case .restoreFinished: endRestore(failure: nil)
        case .restoreFailed: endRestore(failure: StoreError(.networkError, "No network."))
        case .install: store.deliveryInstalled()
        case .deliveryEnds(let index, let decision):
            let delivery = deliveries.remove(at: index)
            if case .retryLater = decision {} else { delivery.transactions.forEach { say($0) } }
            store.deliveryEnded(delivery.id, decision)
        case .closureReturns(let index):
            let transaction = closures.remove(at: index).transaction
            say(transaction)
            store.closureEnded([transaction.token], delivered: true)
        case .closureThrows(let index): store.closureEnded([closures.remove(at: index).token], delivered: false)
        case .finish(let token): finish(token)
        case .release(let token): store.release(token, after: 5)
        case .tick:
            count.ticks += 1
            tick()
        }
        try perform()
        try check()
    }

    private mutating func beginPurchase() {
        let purchase = alphabet.purchases[count.purchases]
        count.purchases += 1
        let call = Call(purchase: purchase, style: purchase.style)
        calls.append(call)
        let request = PaymentRequest(productID: purchase.product, options: PurchaseOptions(timeout: purchase.timeout))
        store.purchase(call.id, PaymentStateMachine.Call(request: request, style: purchase.style))
    }

    private mutating func beginRestore() throws(BrokenPromise) {
        let call = Call(purchase: nil, style: alphabet.restores[count.restores])
        count.restores += 1
        calls.append(call)
        let runs = restore.phase != .idle
        let begins = restore.restoreRequested(call.id)
        try promise(begins != runs, "a restore began beside another, or was refused without one")
        guard begins else { return calls[calls.count - 1].isAnswered = true }
        isRestoring = true
        (hasBroughtOwned, hasAnsweredOwned) = (false, false)
        store.restoreStarted(call.id, StoreStateMachine.RestoreCall(applicationUsername: nil, style: call.style))
    }

    private mutating func cancel(_ index: Int) {
        calls[index].isCancelled = true
        let id = calls[index].id
        if calls[index].purchase != nil {
            store.cancelPurchase(id)
        } else {
            if restore.phase == .awaited(id) { rows = [] }
            store.cancelRestore(id, restore.cancel(id))
        }
    }

    private mutating func report(payment index: Int, _ state: StoreTransaction.State) {
        let token = payments[index].entry
        var transaction = token.flatMap { self.index(of: $0) }.map { entries[$0].transaction }
        if transaction == nil, token == nil { transaction = newEntry(payments[index].product, state) }
        payments[index].isOver = state != .purchasing && state != .deferred
        // The entry may have been removed from the queue.
        guard var transaction else { return payments[index].isOver = true }
        payments[index].entry = transaction.token
        let paid = StoreTransaction.entry(transaction.token.serial, state, of: transaction.productID)
        transaction.report.state = state
        (transaction.report.id, transaction.report.purchaseDate) = (paid.id, paid.purchaseDate)
        transaction.report.error = state == .failed ? StoreError(.unknown, "It failed.") : nil
        if state == .restored {
            hasAnsweredOwned = isRestoring
            transaction.report.original = StoreTransaction.Original(id: "first", purchaseDate: nil)
        }
        if let index = self.index(of: transaction.token) { entries[index].transaction = transaction }
        receive(transaction)
    }

    private mutating func newEntry(_ product: String, _ state: StoreTransaction.State) -> StoreTransaction {
        lastSerial += 1
        let transaction = StoreTransaction.entry(lastSerial, state, of: product)
        entries.append(Entry(transaction: transaction))
        return transaction
    }

    private mutating func restoredEntry() -> StoreTransaction {
        var transaction = newEntry("pro", .restored)
        transaction.report.original = StoreTransaction.Original(id: "first", purchaseDate: nil)
        entries[entries.count - 1].transaction = transaction
        return transaction
    }

    /// As the actor does.
    private mutating func receive(_ transaction: StoreTransaction) {
        let phase = transaction.state == .restored ? restore.phase : .idle
        let brought = store.transactionsReported([transaction], during: phase)
        if case .awaited = phase { rows += brought.map(\.token) }
        if !brought.isEmpty { restore.rowsReported(brought) }
    }

    /// As the actor does.
    private mutating func restoreEntry(_ token: TransactionToken) {
        guard let index = index(of: token) else { return }
        entries[index].isRestored = true
        entries[index].transaction.report.state = .restored
        // StoreKit 2 restores the transaction itself.
        entries[index].transaction.report.signedText = SignedText(
            id: "\(token.serial)", jws: { "" }, payload: { Data() })
        hasBroughtOwned = true
        let phase = restore.phase
        let brought = store.restoredReported([entries[index].transaction], during: phase)
        if case .awaited = phase { rows += brought.map(\.token) }
        restore.rowsReported(brought)
    }

    private mutating func unlist(_ token: TransactionToken) throws(BrokenPromise) {
        count.lists += 1
        store.removeUnlisted([token])
        guard let index = index(of: token), store.actions.contains(.forget([token])) else { return }
        let isDelivered = closures.contains { $0.token == token } || deliveries.contains { $0.tokens.contains(token) }
        try promise(!isDelivered, "a purchase left while it was being delivered")
        let entry = entries.remove(at: index)
        departed.append(
            Departed(
                transaction: entry.transaction, isUnlisted: true, wasReceived: entry.isOffered || entry.wasReceived))
    }

    private mutating func listAgain(_ index: Int) {
        count.lists += 1
        let old = departed.remove(at: index).transaction
        lastSerial += 1
        var transaction = StoreTransaction.entry(lastSerial, old.state, of: old.productID)
        (transaction.report.id, transaction.report.original) = (old.id, old.original)
        transaction.report.signedText = old.signedText
        entries.append(Entry(transaction: transaction))
        store.unsolicitedReported([transaction])
    }

    private mutating func remove(_ token: TransactionToken) {
        entries.removeAll { $0.transaction.token == token }
        for index in payments.indices where payments[index].entry == token { payments[index].isOver = true }
        rows.removeAll { $0 == token }
        store.remove([token])
    }

    private mutating func endRestore(failure: StoreError?) {
        isRestoring = false
        for index in entries.indices { entries[index].isRestored = false }
        rows = []
        store.restoreEnded(restore.restoreEnded(), failure: failure)
    }

    private mutating func say(_ transaction: StoreTransaction) {
        delivered.insert(transaction.deliveryKey)
        if let index = index(of: transaction.token) { entries[index].isSaid = true }
    }

    private mutating func finish(_ token: TransactionToken) {
        if let index = index(of: token) { say(entries[index].transaction) }
        _ = store.finish(token)
    }

    private mutating func tick() {
        guard let next = timers.indices.min(by: { timers[$0].end < timers[$1].end }) else { return }
        let (timer, end) = timers.remove(at: next)
        store.now = max(store.now, end)
        store.fire(timer)
        guard case .restoreInactivity(let id) = timer else { return }
        let ended = restore.timeOut(id)
        if ended.phase != .idle { rows = [] }
        store.restoreEnded(ended, failure: StoreError(.timedOut, "StoreKit didn't respond."))
    }
}

// The end.
extension StoreModel {
    /// StoreKit answers everything, every delivery succeeds, and everything is finished.
    mutating func conclude() throws(BrokenPromise) {
        for _ in 0..<100 {
            guard let input = concludingInput else { break }
            try take(input)
        }
        try promise(concludingInput == nil, "the store doesn't come to an end: \(String(describing: concludingInput))")
        for call in calls { try promise(call.isAnswered, "a call was never answered") }
        try promise(entries.isEmpty, "a paid transaction can't be finished")
    }

    private var concludingInput: Input? {
        if !deliveries.isEmpty { return .deliveryEnds(0, .accepted) }
        if !closures.isEmpty { return .closureReturns(0) }
        if let index = payments.firstIndex(where: { !$0.isOver }) { return .report(index, .purchased) }
        if let index = departed.firstIndex(where: { !delivered.contains($0.transaction.deliveryKey) }) {
            return .listAgain(index)
        }
        if isRestoring {
            return hasBroughtOwned ? .restoreFinished : .row
        }
        if let entry = entries.first(where: \.isFinishing) { return .queueFinishes(entry.transaction.token) }
        if let entry = entries.first(where: { ($0.isOffered || $0.wasReceived) && !$0.isSaid }) {
            return .finish(entry.transaction.token)
        }
        return timers.isEmpty ? nil : .tick
    }
}
