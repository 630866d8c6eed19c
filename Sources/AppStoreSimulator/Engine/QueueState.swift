import Foundation

/// All entries of the payment queue, with a list of the entries that are in use.
///
/// Entries have consecutive numbers, so that a lookup takes constant time. Unfinished entries are in a separate list,
/// so that a payment or a launch doesn't visit finished entries.
struct QueueState {
    private(set) var entries: [QueueEntry] = []
    /// The indices of the entries in use, in order. The list may contain some entries that are no longer in use.
    private var members: [Int] = []
    private var forgottenMembers = 0
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
        members.append(entries.count - 1)
        return entries.count - 1
    }

    /// Changes an entry and updates the list of members.
    mutating func update(_ index: Int, _ change: (inout QueueEntry) -> Void) {
        let wasForgotten = entries[index].isForgotten
        change(&entries[index])
        switch (wasForgotten, entries[index].isForgotten) {
        case (false, true):
            forgottenMembers += 1
            if forgottenMembers > 64, forgottenMembers * 2 > members.count {
                compact()
            }
        case (true, false):
            if entries[index].isMember {
                forgottenMembers -= 1
            } else {
                entries[index].isMember = true
                members.insert(index, at: members.firstIndex { $0 > index } ?? members.count)
            }
        default:
            break
        }
    }

    /// The entries in use, oldest first.
    var known: [Int] {
        members.filter { !entries[$0].isForgotten }
    }

    mutating func removeAll() {
        firstIdentifier += UInt64(entries.count)
        entries = []
        members = []
        forgottenMembers = 0
    }

    private mutating func compact() {
        var kept: [Int] = []
        for index in members {
            if entries[index].isForgotten {
                entries[index].isMember = false
            } else {
                kept.append(index)
            }
        }
        members = kept
        forgottenMembers = 0
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
