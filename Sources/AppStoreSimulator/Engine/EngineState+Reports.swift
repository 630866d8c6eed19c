import Foundation

extension EngineState {
    /// Returns the value of an entry in a state, with an object.
    func snapshot(_ index: Int, state: SimulatedTransaction.State, object: UInt64) -> SimulatedTransaction {
        let entry = queue[index]
        var transaction = SimulatedTransaction(id: entry.id, object: object, payment: entry.payment, state: state)
        switch state {
        case .purchasing, .deferred:
            break
        case .failed:
            transaction.error = entry.error
        case .purchased, .restored:
            transaction.transactionID = entry.number.map { String($0) }
            transaction.transactionDate = entry.date
            if state == .restored, let row = entry.original {
                transaction.original = original(account.rows[row])
            }
            if !entry.downloads.isEmpty {
                transaction.downloads = downloads.values(of: entry.downloads)
            }
        }
        return transaction
    }

    /// Reports the current state of entries in one batch. Does nothing without observers, because the first observer
    /// receives a report of all entries.
    mutating func report(_ indices: [Int], to observer: ObserverID? = nil) {
        let indices = entriesHere(indices) { $0.report($1) }.filter { queue[$0].isForObservers }
        guard !device.launch.observers.isEmpty else { return }
        guard !indices.isEmpty else { return }
        deliver(.event(.updatedTransactions(indices.map { reportedSnapshot($0) }), observer: observer))
        guard behavior.reportsTwice else { return }
        let terminal = indices.filter { index in
            switch queue[index].state {
            case .purchased, .failed, .restored: true
            case .purchasing, .deferred: false
            }
        }
        guard !terminal.isEmpty else { return }
        deliver(.event(.updatedTransactions(terminal.map { reportedSnapshot($0) }), observer: observer))
    }

    /// Reports an event to the observers.
    mutating func notify(_ event: SimulatedQueueEvent) {
        guard !device.launch.observers.isEmpty else { return }
        deliver(.event(event, observer: nil))
    }

    /// Returns whether an entry is in the queue of this launch.
    func isPresent(_ index: Int) -> Bool {
        queue[index].phase == .queued && queue[index].hiddenInLaunch != device.launch.number
    }

    /// The entries of the queue that observers receive, oldest first.
    var presentEntries: [Int] {
        queue.known.filter {
            queue[$0].device == device.number && isPresent($0) && queue[$0].isForObservers
        }
    }

    /// Calls a closure for each transaction of the last reported state of the queue.
    func forEachShownTransaction(_ body: (SimulatedTransaction.ID, () -> SimulatedTransaction) -> Void) {
        for index in queue.known where queue[index].device == device.number {
            guard let shown = queue[index].shown else { continue }
            body(queue[index].id) { snapshot(index, state: shown.state, object: shown.object) }
        }
    }

    /// Removes entries from the queue and reports them in one batch.
    mutating func remove(_ indices: [Int]) {
        var removed: [SimulatedTransaction] = []
        let indices = entriesHere(indices) { $0.remove($1) }
        for index in indices where queue[index].phase != .gone {
            let entry = queue[index]
            if entry.reportedLaunch == device.launch.number, entry.hiddenInLaunch != device.launch.number,
                !device.launch.observers.isEmpty
            {
                removed.append(snapshot(index, state: entry.state, object: entry.object))
            }
            queue[index].phase = .gone
            if let row = entry.row, !account.rows[row].isFinished {
                finishRow(row)
            }
            if !entry.downloads.isEmpty {
                downloads.discard(entry.downloads)
            }
        }
        if !removed.isEmpty {
            notify(.removedTransactions(removed))
        }
    }

    /// Records the state that observers are about to receive.
    mutating func recordShown(_ event: SimulatedQueueEvent) {
        let (transactions, isRemoval): ([SimulatedTransaction], Bool)
        switch event {
        case .updatedTransactions(let updated): (transactions, isRemoval) = (updated, false)
        case .removedTransactions(let removed): (transactions, isRemoval) = (removed, true)
        case .restoreFinished, .restoreFailed, .updatedDownloads, .revokedEntitlements, .changedStorefront: return
        }
        for transaction in transactions {
            guard let index = queue.index(of: transaction.id) else { continue }
            queue[index].shown =
                isRemoval ? nil : QueueEntry.Shown(state: transaction.state, object: transaction.object)
        }
    }

    private mutating func reportedSnapshot(_ index: Int) -> SimulatedTransaction {
        let number = device.launch.number
        if queue[index].objectLaunch != number || behavior.bringsFreshObjects {
            lastObject += 1
            queue[index].object = lastObject
            queue[index].objectLaunch = number
        }
        queue[index].reportedLaunch = number
        return snapshot(index, state: queue[index].state, object: queue[index].object)
    }

    private func original(_ row: HistoryRow) -> SimulatedTransaction.Original? {
        guard let entry = queue.index(of: row.id), let date = row.purchaseDate else { return nil }
        return SimulatedTransaction.Original(
            transactionID: String(row.number), transactionDate: date, payment: queue[entry].payment)
    }
}
