import AppStoreSimulator
import Foundation

/// Records every event.
final class RecordingObserver: SimulatedQueueObserver {
    typealias Reaction = @Sendable (SimulatedLaunch, SimulatedQueueEvent) -> Void

    private let recorded = OrderLog<SimulatedQueueEvent>()
    private let askedPayments = OrderLog<SimulatedPayment>()
    private let askedTransactions = OrderLog<SimulatedTransaction>()
    private let reaction: Reaction
    private let addsStorePayments: Bool
    private let continues: Bool

    init(addsStorePayments: Bool = false, continues: Bool = true, reaction: @escaping Reaction = { _, _ in }) {
        self.addsStorePayments = addsStorePayments
        self.continues = continues
        self.reaction = reaction
    }

    /// An observer that finishes every transaction that can be finished.
    static func finishing() -> RecordingObserver {
        RecordingObserver { launch, event in
            guard case .updatedTransactions(let transactions) = event else { return }
            for transaction in transactions where transaction.state != .purchasing && transaction.state != .deferred {
                launch.finishTransaction(transaction.id)
            }
        }
    }

    var events: [SimulatedQueueEvent] { recorded.values }
    var storePayments: [SimulatedPayment] { askedPayments.values }
    var movedTransactions: [SimulatedTransaction] { askedTransactions.values }

    /// Every transaction of every update, in order.
    var updates: [SimulatedTransaction] {
        events.flatMap { (event) -> [SimulatedTransaction] in
            if case .updatedTransactions(let transactions) = event { transactions } else { [] }
        }
    }

    var removals: [SimulatedTransaction] {
        events.flatMap { (event) -> [SimulatedTransaction] in
            if case .removedTransactions(let transactions) = event { transactions } else { [] }
        }
    }

    var downloads: [SimulatedDownload] {
        events.flatMap { (event) -> [SimulatedDownload] in
            if case .updatedDownloads(let downloads) = event { downloads } else { [] }
        }
    }

    var states: [SimulatedTransaction.State] { updates.map(\.state) }

    /// The names of the events.
    var log: [String] {
        events.map { event in
            switch event {
            case .updatedTransactions(let transactions):
                "updated " + transactions.map { "\($0.payment.productID):\($0.state)" }.joined(separator: ",")
            case .removedTransactions(let transactions):
                "removed " + transactions.map { "\($0.payment.productID):\($0.state)" }.joined(separator: ",")
            case .restoreFinished: "restore finished"
            case .restoreFailed(let error): "restore failed \(error.code)"
            case .updatedDownloads(let downloads): "downloads " + downloads.map { "\($0.state)" }.joined(separator: ",")
            case .revokedEntitlements(let products): "revoked " + products.joined(separator: ",")
            case .changedStorefront: "storefront"
            }
        }
    }

    func forget() {
        recorded.removeAll()
    }

    func paymentQueue(_ launch: SimulatedLaunch, didReceive event: SimulatedQueueEvent) {
        recorded.append(event)
        reaction(launch, event)
    }

    func paymentQueue(
        _ launch: SimulatedLaunch, shouldAddStorePayment payment: SimulatedPayment, for product: SimulatedProduct
    ) -> Bool {
        askedPayments.append(payment)
        return addsStorePayments
    }

    func paymentQueue(
        _ launch: SimulatedLaunch, shouldContinue transaction: SimulatedTransaction, in storefront: SimulatedStorefront
    ) -> Bool {
        askedTransactions.append(transaction)
        return continues
    }
}
