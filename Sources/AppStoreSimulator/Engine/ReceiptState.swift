import Foundation

/// The receipt file on the device, as rows of the history.
struct ReceiptState {
    private struct LateRow {
        let row: Int
        var refreshesLeft: Int
    }

    /// Whether the file exists.
    private(set) var exists = false
    /// Increases with every write of the file.
    private(set) var version: UInt64 = 0
    /// The date on which the file was written.
    private(set) var creationDate = Date.startOfSimulation
    /// The receipt properties of the last refresh request.
    var properties = SimulatedReceiptProperties()

    private var heldRows: [Int] = []
    private var lateRows: [LateRow] = []
    /// The rows of other devices, which a refresh or a restore adds to the file.
    private var rowsOfOtherDevices: [Int] = []
    /// The consumables that were finished since the file was written.
    private var finishedConsumables: [Int] = []
    /// The consumables in `heldRows` that are no longer in the file.
    private var departedRows: Set<Int> = []

    /// The rows in the file, oldest first.
    var rows: [Int] {
        heldRows.filter { !departedRows.contains($0) }.sorted()
    }

    /// Adds a row to the file and writes the file.
    mutating func add(_ row: Int, at date: Date) {
        heldRows.append(row)
        write(at: date)
    }

    mutating func delay(_ row: Int, refreshes: Int) {
        lateRows.append(LateRow(row: row, refreshesLeft: refreshes))
    }

    /// Delays a row of another device until a refresh or a restore.
    mutating func delayRowOfOtherDevice(_ row: Int) {
        rowsOfOtherDevices.append(row)
    }

    /// Records a finished consumable, which the next write removes from the file.
    mutating func recordFinishedConsumable(_ row: Int) {
        finishedConsumables.append(row)
    }

    /// Writes the file for a refresh, with the delayed rows that are due.
    mutating func refresh(at date: Date) {
        for index in lateRows.indices {
            lateRows[index].refreshesLeft -= 1
        }
        heldRows += lateRows.filter { $0.refreshesLeft <= 0 }.map(\.row)
        lateRows.removeAll { $0.refreshesLeft <= 0 }
        restore(at: date)
    }

    /// Writes the file for a restore, with the rows of other devices.
    mutating func restore(at date: Date) {
        heldRows += rowsOfOtherDevices
        rowsOfOtherDevices = []
        write(at: date)
    }

    /// Removes the file, as on a new device. A refresh, a restore or a purchase writes a new file.
    mutating func moveToNewDevice() {
        exists = false
        rowsOfOtherDevices += rows
        heldRows = []
        (finishedConsumables, departedRows) = ([], [])
    }

    /// Writes the file.
    mutating func write(at date: Date) {
        exists = true
        creationDate = date
        version += 1
        departedRows.formUnion(finishedConsumables)
        finishedConsumables = []
    }
}
