import AppStoreSimulator

/// Knows which object stands for which entry of the queue.
///
/// Objects of entries in the queue are kept; of those that left, only for as long as somebody else keeps them.
final class TransactionRegistry: Sendable {
    fileprivate struct Contents {
        var present: [UInt64: SKPaymentTransaction] = [:]
        var departed: [UInt64: WeakReference<SKPaymentTransaction>] = [:]
        var latestObjects: [SimulatedTransaction.ID: UInt64] = [:]
        var departedLimit = 64
    }

    private let contents = Protected(Contents())

    /// The object for an entry that is being reported, brought up to date.
    func object(reporting report: SimulatedTransaction) -> SKPaymentTransaction {
        contents.withLock { contents in
            let object = contents.object(for: report)
            // Under the lock: nobody may list an object that says nothing yet.
            object.update(to: report)
            return object
        }
    }

    /// The object for an entry as the queue lists it. An object that there is already is left as it was last reported, and in its
    /// place, so that a report under way is not set back.
    func object(listing entry: SimulatedTransaction) -> SKPaymentTransaction {
        contents.withLock { contents in
            if let present = contents.latestObjects[entry.id].flatMap({ contents.present[$0] }) { return present }
            let object = contents.object(for: entry)
            object.update(to: entry)
            return object
        }
    }

    /// Lets go of entries that have left the queue.
    func remove(_ reports: [SimulatedTransaction]) {
        contents.withLock { contents in
            for report in reports {
                guard let number = contents.latestObjects.removeValue(forKey: report.id) else { continue }
                contents.depart(number)
            }
        }
    }

    /// The object of a download, brought up to date; `nil` when its transaction is not in the queue.
    func object(reporting download: SimulatedDownload) -> SKDownload? {
        let transaction = contents.withLock { contents in
            contents.latestObjects[download.transactionID].flatMap { contents.present[$0] }
        }
        guard let object = transaction?.downloads.first(where: { $0.entry == download.id }) else { return nil }
        object.update(to: download)
        return object
    }
}

extension TransactionRegistry.Contents {
    fileprivate mutating func object(for entry: SimulatedTransaction) -> SKPaymentTransaction {
        if let present = present[entry.object] { return present }
        let object = departed[entry.object]?.object ?? SKPaymentTransaction()
        departed[entry.object] = nil
        present[entry.object] = object
        // A fresh object takes the place of the one before it.
        if let previous = latestObjects.updateValue(entry.object, forKey: entry.id), previous != entry.object {
            depart(previous)
        }
        return object
    }

    fileprivate mutating func depart(_ number: UInt64) {
        guard let object = present.removeValue(forKey: number) else { return }
        departed[number] = WeakReference(object: object)
        guard departed.count > departedLimit else { return }
        departed = departed.filter { $0.value.object != nil }
        departedLimit = max(64, departed.count * 2)
    }
}
