import Foundation

/// All entries of the payment queue, with a list of the entries that are in use.
///
/// Entries have consecutive numbers, so that a lookup takes constant time.
struct QueueState {
    private var entries: [QueueEntry] = []
    /// The entries in use, oldest first.
    private(set) var known: [Int] = []
    /// The raw identifier of the entry with index zero.
    private var firstIdentifier: UInt64 = 1

    func index(of id: SimulatedTransaction.ID) -> Int? {
        guard id.rawValue >= firstIdentifier else { return nil }
        let offset = id.rawValue - firstIdentifier
        return offset < UInt64(entries.count) ? Int(offset) : nil
    }

    mutating func makeEntry(for payment: SimulatedPayment, on device: Int) -> Int {
        let id = SimulatedTransaction.ID(rawValue: firstIdentifier + UInt64(entries.count))
        entries.append(QueueEntry(id: id, payment: payment, device: device))
        known.append(entries.count - 1)
        return entries.count - 1
    }

    /// The entry with an index. A change updates the list of entries in use.
    subscript(index: Int) -> QueueEntry {
        get { entries[index] }
        _modify {
            let wasForgotten = entries[index].isForgotten
            yield &entries[index]
            if entries[index].isForgotten != wasForgotten {
                let place = known.firstIndex { $0 >= index } ?? known.count
                if wasForgotten { known.insert(index, at: place) } else { known.remove(at: place) }
            }
        }
    }

    mutating func removeAll() {
        firstIdentifier += UInt64(entries.count)
        entries = []
        known = []
    }
}

struct RestoreProgress {
    let applicationUsername: String?
    /// The rows to report before the end; `nil` until the restore has begun.
    var rows: ArraySlice<Int>?
    /// The rows to report after the end.
    var lateRows: ArraySlice<Int> = []
    /// The end of the restore; `nil` for a restore that never ends.
    var ending: SimulatedQueueEvent?
}
