import AppStoreSimulator
import Foundation

/// Maps entries of the queue to their transaction objects.
///
/// The registry holds the objects of entries in the queue strongly, and the objects of removed entries weakly.
// @unchecked because: the contents are only touched while the lock is held. The lock isn't `Protected`, whose code is
// generic outside its own module.
final class TransactionRegistry: @unchecked Sendable {
    fileprivate struct Departed {
        weak var object: SKPaymentTransaction?
    }

    fileprivate struct Contents {
        var present: [UInt64: SKPaymentTransaction] = [:]
        var departed: [UInt64: Departed] = [:]
        var latestObjects: [SimulatedTransaction.ID: UInt64] = [:]
    }

    private let lock = NSLock()
    // Unchecked because the lock excludes overlapping accesses.
    @exclusivity(unchecked) private var contents = Contents()

    private func withContents<Result>(_ body: (inout Contents) -> Result) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return body(&contents)
    }

    /// Updates and returns the object for an entry that is being reported.
    func object(reporting report: SimulatedTransaction) -> SKPaymentTransaction {
        withContents { contents in
            let object = contents.object(for: report)
            // Under the lock, so that another thread can't list an object without contents.
            object.update(to: report)
            return object
        }
    }

    /// Returns the object for an entry in the queue's list. An existing object keeps its last reported state, so that
    /// listing doesn't revert a report that is being delivered.
    /// - Parameter entry: Creates the entry's value, if there is no object.
    func object(for id: SimulatedTransaction.ID, listing entry: () -> SimulatedTransaction) -> SKPaymentTransaction {
        withContents { contents in
            if let present = contents.latestObjects[id].flatMap({ contents.present[$0] }) { return present }
            let entry = entry()
            let object = contents.object(for: entry)
            object.update(to: entry)
            return object
        }
    }

    /// Releases the objects of entries that left the queue.
    func remove(_ reports: [SimulatedTransaction]) {
        withContents { contents in
            for report in reports {
                guard let number = contents.latestObjects.removeValue(forKey: report.id) else { continue }
                contents.depart(number)
            }
        }
    }

    /// Updates and returns the object of a download; `nil` if its transaction isn't in the queue.
    func object(reporting download: SimulatedDownload) -> SKDownload? {
        let transaction = withContents { contents in
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
        // A new object replaces the entry's previous object.
        if let previous = latestObjects.updateValue(entry.object, forKey: entry.id), previous != entry.object {
            depart(previous)
        }
        return object
    }

    fileprivate mutating func depart(_ number: UInt64) {
        guard let object = present.removeValue(forKey: number) else { return }
        departed[number] = TransactionRegistry.Departed(object: object)
        if departed.count > 64 { departed = departed.filter { $0.value.object != nil } }
    }
}
