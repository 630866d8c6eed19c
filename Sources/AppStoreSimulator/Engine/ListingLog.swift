import Foundation

/// The earlier states of the lists of transactions, for ``SimulatedListingFault/stale(changes:)``.
///
/// A change is a transaction that was paid, finished, refunded, or signed again for another reason. Numbers of changes
/// begin with 0. A list "after n changes" contains the changes 0 to n - 1.
struct ListingLog {
    /// The date of each change.
    private(set) var dates: [Date] = []
    /// The number of the change that paid each row.
    private var payments: [Int] = []
    /// The number of the change that finished a row.
    private var finishes: [Int: Int] = [:]
    /// The rows before their changes, with the number of the change.
    private var formerRows: [Int: [(change: Int, row: HistoryRow)]] = [:]
    /// The rows that entitled the customer after a number of changes, oldest first.
    private var entitlements: [(count: Int, rows: Set<Int>)] = []

    /// Whether a change since the last list may have changed the current entitlements.
    private(set) var lacksEntitlements = false

    /// The maximum number of stored lists of current entitlements.
    private static let entitlementsLimit = 64

    mutating func recordPayment(isConsumable: Bool, isFinished: Bool, at date: Date) {
        if isFinished { finishes[payments.count] = dates.count }
        if !isConsumable { lacksEntitlements = true }
        payments.append(dates.count)
        dates.append(date)
    }

    mutating func recordFinish(of row: Int, at date: Date) {
        finishes[row] = dates.count
        dates.append(date)
    }

    mutating func recordChange(of row: Int, from former: HistoryRow, at date: Date) {
        formerRows[row, default: []].append((dates.count, former))
        lacksEntitlements = true
        dates.append(date)
    }

    /// Records the current entitlements.
    /// - Parameter rows: The rows that entitle the customer, in any order.
    mutating func recordEntitlements(_ rows: Set<Int>) {
        lacksEntitlements = false
        if entitlements.count == Self.entitlementsLimit { entitlements.removeFirst(Self.entitlementsLimit / 2) }
        entitlements.append((dates.count, rows))
    }

    /// Returns the rows that were paid after a number of changes, oldest first.
    func paid(after count: Int) -> [Int] {
        payments.indices.filter { payments[$0] < count }
    }

    /// Returns the rows that were paid but not finished after a number of changes, oldest first.
    func unfinished(after count: Int) -> [Int] {
        paid(after: count).filter { finishes[$0].map { $0 >= count } ?? true }
    }

    /// Returns the rows that entitled the customer after a number of changes, newest first.
    func entitled(after count: Int) -> [Int] {
        (entitlements.last { $0.count <= count } ?? entitlements.first { _ in count > 0 })?.rows.sorted(by: >) ?? []
    }

    /// Returns a row as it was after a number of changes; `nil` if the row hasn't changed since.
    func row(_ index: Int, after count: Int) -> HistoryRow? {
        formerRows[index]?.first { $0.change >= count }?.row
    }
}

/// A list of transactions that hasn't reached its reader.
struct LateListing {
    /// The number of events to deliver before the list.
    var events: Int
    let transactions: [SimulatedSignedTransaction]
    let reader: @Sendable ([SimulatedSignedTransaction]) -> Void

    /// Delivers the list, or another one, to its reader.
    func deliver(_ other: [SimulatedSignedTransaction]? = nil) {
        reader(other ?? transactions)
    }
}
