import Foundation

/// Records the events of a store without duplicates, from the inputs and the actions of the payment queue's actor.
struct EventRecorder: Sendable {
    /// A fact about a purchase, by its delivery key. Each is an event once.
    private enum Fact: Hashable {
        case paid(String), restored(String), upgraded(String), revoked(String)
    }

    /// The products of the calls that have no response yet.
    private var calls = [CallID: String]()
    /// The newest facts, because StoreKit reports some of them again.
    private var recorded: Set<Fact> = []
    private var recordedInOrder: [Fact] = []
    private(set) var events: [StoreEvent] = []
    /// When the present input was taken.
    var date = Date.distantPast

    mutating func takeEvents() -> [StoreEvent] {
        defer { events.removeAll(keepingCapacity: true) }
        return events
    }

    /// The number of facts that are kept. When there are more, the older half is forgotten.
    static let limit = 1_000

    mutating func callStarted(_ id: CallID, _ productID: String) {
        calls[id] = productID
        append(.known(.started), productID)
    }

    mutating func actionPerformed(_ action: StoreAction) {
        switch action {
        case .respond(let id, let result): callEnded(id, result)
        case .report(let reports): reportsSent(reports)
        default: break
        }
    }

    private mutating func callEnded(_ id: CallID, _ result: PaymentResult) {
        guard let productID = calls.removeValue(forKey: id) else { return }
        switch result {
        // Recorded when the queue reported the transaction, whether or not it could be delivered.
        case .success(.paid): break
        case .success(.pending(_, let transaction)): append(.known(.pending), productID, transaction)
        case .success(.userCancelled): append(.known(.cancelled), productID)
        case .failure(let error): if error.endsPayment { append(.known(.failed), productID, error: error) }
        }
    }

    /// Records failures of transactions that no call waits for.
    private mutating func reportsSent(_ reports: [StoreReport]) {
        for case .failure(let failure, _) in reports where failure.error.endsPayment {
            if failure.error.code == .userCancelled {
                append(.known(.cancelled), failure.productID)
            } else {
                append(.known(.failed), failure.productID, failure.transaction, error: failure.error)
            }
        }
    }

    mutating func queueReported(_ event: QueueEvent) {
        switch event {
        case .updatedTransactions(let batch), .unsolicitedTransactions(let batch), .restoredTransactions(let batch):
            for transaction in batch { paid(transaction, isRequested: false) }
        case .answeredPayment(_, let transaction, let isPreexisting):
            if !isPreexisting { paid(transaction, isRequested: true) }
        case .promotedPayment(let promotion):
            if promotion.isContinuedByStore { append(.known(.started), promotion.product.id) }
        case .upgradedTransaction(let transaction):
            record(.known(.upgraded), .upgraded(transaction.deliveryKey), transaction)
        case .revokedEntitlements(let revocation):
            for transaction in revocation.transactions {
                record(.revoked, .revoked(transaction.deliveryKey), transaction)
            }
            guard revocation.transactions.isEmpty else { return }
            for productID in revocation.productIDs.sorted() { append(.revoked, productID) }
        // A later revocation of the purchase is an event again.
        case .reinstatedTransactions(let batch):
            for transaction in batch { recorded.remove(.revoked(transaction.deliveryKey)) }
        // Events of the queue that are no events of a purchase.
        case .initialTransactionsReported, .unlistedTransactions, .removedTransactions, .nothingToFinish,
            .restoreFinished, .restoreFailed, .storefrontChanged, .updatedDownloads, .entitlementsMayHaveChanged,
            .message, .terminated:
            break
        }
    }

    private mutating func paid(_ transaction: StoreTransaction, isRequested: Bool) {
        guard transaction.holdsContent else { return }
        let key = transaction.deliveryKey
        if transaction.state == .restored {
            record(.known(.restored), .restored(key), transaction)
        } else {
            record(.paid(isRequested: isRequested), .paid(key), transaction)
        }
    }

    private mutating func record(_ occasion: StoreEvent.Occasion, _ fact: Fact, _ transaction: StoreTransaction) {
        guard recorded.insert(fact).inserted else { return }
        recordedInOrder.append(fact)
        if recordedInOrder.count > Self.limit {
            recorded.subtract(recordedInOrder.prefix(Self.limit / 2))
            recordedInOrder.removeFirst(Self.limit / 2)
        }
        append(occasion, transaction.productID, transaction)
    }

    private mutating func append(
        _ occasion: StoreEvent.Occasion, _ productID: String, _ transaction: StoreTransaction? = nil,
        error: StoreError? = nil
    ) {
        events.append(
            StoreEvent(
                occasion: occasion, date: date, productID: productID, transaction: transaction, error: error))
    }
}

extension StoreError {
    /// Whether there is no payment. After other errors, StoreKit may still sell the product, or has sold it.
    fileprivate var endsPayment: Bool {
        switch code {
        case .taskCancelled, .timedOut, .storeClosed, .backendUnavailable, .deliveryFailed, .deliveryPending,
            .deliveryRejected, .transactionRemoved, .purchaseInterrupted:
            false
        default: true
        }
    }
}
