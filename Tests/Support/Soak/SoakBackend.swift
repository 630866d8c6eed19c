import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation

/// A backend that reports to the journal which transactions the store finishes.
final class SoakBackend: RelayBackend {
    let next: any StoreBackend
    private let journal: SoakJournal
    private let seen = Locked<[TransactionToken: StoreTransaction]>([:])

    init(_ next: any StoreBackend, journal: SoakJournal) {
        self.next = next
        self.journal = journal
    }

    func activate(_ receive: @escaping @Sendable (QueueEvent) -> Void) {
        next.activate { [seen, journal] event in
            let transactions = event.transactions
            if !transactions.isEmpty {
                journal.report(transactions.compactMap(\.id))
                seen.withLock { seen in for transaction in transactions { seen[transaction.token] = transaction } }
            }
            if case .unlistedTransactions(let tokens) = event {
                for transaction in seen.withLock({ seen in tokens.compactMap { seen[$0] } }) {
                    journal.unlist(transaction.deliveryKey)
                }
            }
            receive(event)
        }
    }

    func finish(_ token: TransactionToken, completion: @escaping @Sendable () -> Void) {
        // A revoked transaction isn't among the reported ones: it is acknowledged, not delivered.
        guard let transaction = seen.withLock({ $0[token] }) else { return next.finish(token, completion: completion) }
        journal.willFinish(transaction)
        next.finish(token) { [journal] in
            completion()
            journal.didFinish(transaction)
        }
    }

    // Receipts and entitlements have their own tests, and creating them takes most of the time.

    func receiptData() throws(StoreError) -> Data { throw StoreError(.receiptUnavailable, "There is no receipt.") }

    func purchaseHistory(groups: Set<String>) async throws(StoreError) -> PurchaseHistory {
        .signed(PurchaseListing())
    }
}

/// A clock that reports to the journal when the store begins a step.
struct SoakClock: StoreClock {
    let clock: SimulatedClock
    let journal: SoakJournal

    var now: Date {
        journal.beginStep()
        return clock.now
    }

    func sleep(until deadline: Date) async throws { try await clock.sleep(until: deadline) }
}

extension QueueEvent {
    /// The transactions that the event reports.
    fileprivate var transactions: [StoreTransaction] {
        switch self {
        case .updatedTransactions(let batch), .unsolicitedTransactions(let batch), .restoredTransactions(let batch):
            batch
        case .answeredPayment(_, let transaction, _): [transaction]
        default: []
        }
    }
}
