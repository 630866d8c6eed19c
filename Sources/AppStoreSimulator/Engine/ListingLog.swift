import Foundation

/// What the lists of transactions were before the latest changes, for ``SimulatedListingFault/stale(changes:)``.
///
/// A change is a transaction that was paid, finished, refunded, or signed again for another reason. Changes are numbered
/// from 0. A list "after n changes" contains the changes 0 to n - 1.
struct ListingLog {
    /// When each change happened.
    private(set) var dates: [Date] = []
    /// The change with which each row was paid.
    private var payments: [Int] = []
    /// The change with which a row was finished.
    private var finishes: [Int: Int] = [:]
    /// What rows said before they changed, with the number of that change.
    private var formerRows: [Int: [(change: Int, row: HistoryRow)]] = [:]
    /// The rows that entitled the customer, after so many changes; the oldest first.
    private var entitlements: [(count: Int, rows: Set<Int>)] = []

    /// Whether a change since the last list may have changed the current entitlements.
    private(set) var lacksEntitlements = false

    /// How many lists of current entitlements are kept.
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

    /// - Parameter rows: The rows that entitle the customer, in any order.
    mutating func recordEntitlements(_ rows: Set<Int>) {
        lacksEntitlements = false
        if entitlements.count == Self.entitlementsLimit { entitlements.removeFirst(Self.entitlementsLimit / 2) }
        entitlements.append((dates.count, rows))
    }

    /// The rows that were paid after so many changes, oldest first.
    func paid(after count: Int) -> [Int] {
        payments.indices.filter { payments[$0] < count }
    }

    /// The rows that were paid and not finished after so many changes, oldest first.
    func unfinished(after count: Int) -> [Int] {
        paid(after: count).filter { finishes[$0].map { $0 >= count } ?? true }
    }

    /// The rows that entitled the customer after so many changes, newest first.
    func entitled(after count: Int) -> [Int] {
        (entitlements.last { $0.count <= count } ?? entitlements.first { _ in count > 0 })?.rows.sorted(by: >) ?? []
    }

    /// What a row said after so many changes; `nil` if it says the same today.
    func row(_ index: Int, after count: Int) -> HistoryRow? {
        formerRows[index]?.first { $0.change >= count }?.row
    }
}

/// A list of transactions that its reader has yet to get.
struct LateListing {
    /// How many events are to be delivered before.
    var events: Int
    let transactions: [SimulatedSignedTransaction]
    let reader: @Sendable ([SimulatedSignedTransaction]) -> Void

    /// Hands the list to its reader.
    func deliver() {
        deliver(transactions)
    }

    /// Hands the reader another list.
    func deliver(_ transactions: [SimulatedSignedTransaction]) {
        reader(transactions)
    }
}
