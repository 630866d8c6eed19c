import Foundation

/// The receipt file on the device: which rows of the history it holds.
struct ReceiptState {
    private struct LateRow {
        let row: Int
        var refreshesLeft: Int
    }

    /// Whether there is a file.
    private(set) var exists = false
    /// Grows whenever the file is written.
    private(set) var version: UInt64 = 0
    /// When the file was written.
    private(set) var creationDate = Date.startOfSimulation
    /// What the last refresh asked the receipt to claim.
    var properties = SimulatedReceiptProperties()

    private var heldRows: [Int] = []
    private var lateRows: [LateRow] = []
    /// Rows of other devices, which the file has after a refresh or a restore.
    private var rowsOfOtherDevices: [Int] = []
    /// Consumables that were finished since the file was written.
    private var finishedConsumables: [Int] = []
    /// Consumables in `heldRows` that have left the file.
    private var departedRows: Set<Int> = []

    /// The rows in the file, oldest first.
    var rows: [Int] {
        heldRows.filter { !departedRows.contains($0) }.sorted()
    }

    /// Puts a row into the file, and writes it.
    mutating func hold(_ row: Int, at date: Date) {
        heldRows.append(row)
        write(at: date)
    }

    /// Keeps a row back until the file has been refreshed so many times.
    mutating func holdBack(_ row: Int, refreshes: Int) {
        lateRows.append(LateRow(row: row, refreshesLeft: refreshes))
    }

    /// Keeps a row of another device back until the file has been refreshed or purchases have been restored.
    mutating func holdBackOtherDevice(_ row: Int) {
        rowsOfOtherDevices.append(row)
    }

    /// Notes that a consumable is finished: it leaves the file when that is written the next time.
    mutating func consumableFinished(_ row: Int) {
        finishedConsumables.append(row)
    }

    /// Writes the file at the app's request, with what was kept back for long enough.
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

    /// Takes the file away, as on a new device, until a refresh, a restore or a purchase.
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
        finishedConsumables.removeAll(keepingCapacity: true)
        // Sweeping at every purchase would cost more the more there is in the file.
        if departedRows.count > 64, departedRows.count * 2 > heldRows.count {
            heldRows.removeAll { departedRows.contains($0) }
            departedRows = []
        }
    }
}
