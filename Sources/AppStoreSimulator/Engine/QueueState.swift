import Foundation

/// All entries that the payment queue ever had, and which of them matter now.
///
/// Entries are numbered one after the other, so that looking one up costs nothing; what is unfinished is listed apart, so that
/// neither a payment nor a launch ever looks at what is finished.
struct QueueState {
    private(set) var entries: [QueueEntry] = []
    /// The indices of the entries that the App Store or an observer still knows, in order; a few forgotten ones among them.
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

    /// Changes an entry, and keeps the list of members right.
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

    /// The entries that somebody still knows, oldest first.
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

/// How far a restore has come.
struct RestoreProgress {
    let applicationUsername: String?
    /// Rows of the history that are yet to come before the end; `nil` until the restore has begun.
    var rows: ArraySlice<Int>?
    /// Rows that come after the end.
    var lateRows: ArraySlice<Int> = []
    /// How it ends; `nil` if it never does.
    var ending: SimulatedQueueEvent?
}
