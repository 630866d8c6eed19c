import Foundation

/// Records the events of a store without duplicates: from the calls of `purchase`, from the responses to them, and from
/// the payment queue.
struct EventRecorder: Sendable {
    /// A fact about a purchase, by its delivery key. Each is an event once.
    private enum Fact: Hashable {
        case paid(String), restored(String), upgraded(String), revoked(String)
    }

    /// The products of the calls that have no response yet.
    private var calls = [CallID: String]()
    private var recorded: Set<Fact> = []
    private(set) var events: [RecordedEvent] = []

    /// Returns the recorded events, and forgets them.
    mutating func takeEvents() -> [RecordedEvent] {
        defer { events.removeAll(keepingCapacity: true) }
        return events
    }

    mutating func callStarted(_ id: CallID, _ productID: String, at date: Date) {
        calls[id] = productID
        purchaseStarted(productID, at: date)
    }

    /// Records a purchase that may have no call: the customer has started it in the App Store.
    mutating func purchaseStarted(_ productID: String, at date: Date) {
        events.append(RecordedEvent(occasion: .started, date: date, productID: productID))
    }

    mutating func callEnded(_ id: CallID, _ result: Result<PurchaseResponse, StoreError>, at date: Date) {
        guard let productID = calls.removeValue(forKey: id) else { return }
        switch result {
        // Recorded when the queue reported the transaction, whether or not it could be delivered.
        case .success(.paid): break
        case .success(.pending(_, let transaction)):
            events.append(
                RecordedEvent(occasion: .pending, date: date, productID: productID, transaction: transaction))
        case .success(.userCancelled):
            events.append(RecordedEvent(occasion: .cancelled, date: date, productID: productID))
        case .failure(let error):
            guard error.endsPayment else { return }
            events.append(RecordedEvent(occasion: .failed, date: date, productID: productID, error: error))
        }
    }

    /// Records failures of transactions that no call waits for.
    mutating func reportsSent(_ reports: [StoreReport], at date: Date) {
        for case .failure(let failure, _) in reports where failure.error.endsPayment {
            let (productID, error) = (failure.transaction.productID, failure.error)
            events.append(
                error.code == .userCancelled
                    ? RecordedEvent(occasion: .cancelled, date: date, productID: productID)
                    : RecordedEvent(
                        occasion: .failed, date: date, productID: productID, transaction: failure.transaction,
                        error: error))
        }
    }

    mutating func queueReported(_ event: QueueEvent, at date: Date) {
        switch event {
        case .updatedTransactions(let batch), .unsolicitedTransactions(let batch), .restoredTransactions(let batch):
            for transaction in batch { paid(transaction, isRequested: false, at: date) }
        case .answeredPayment(_, let transaction, let isPreexisting):
            if !isPreexisting { paid(transaction, isRequested: true, at: date) }
        case .upgradedTransaction(let transaction):
            record(.upgraded, .upgraded(transaction.deliveryKey), transaction, at: date)
        case .revokedEntitlements(let revocation):
            for transaction in revocation.transactions {
                record(.revoked, .revoked(transaction.deliveryKey), transaction, at: date)
            }
            guard revocation.transactions.isEmpty else { return }
            for productID in revocation.productIDs.sorted() {
                events.append(RecordedEvent(occasion: .revoked, date: date, productID: productID))
            }
        // A later revocation of the purchase is an event again.
        case .reinstatedTransactions(let batch):
            for transaction in batch { recorded.remove(.revoked(transaction.deliveryKey)) }
        case .unlistedTransactions, .removedTransactions, .nothingToFinish, .restoreFinished, .restoreFailed,
            .storefrontChanged, .updatedDownloads, .promotedPayment, .entitlementsMayHaveChanged, .message, .terminated:
            break
        }
    }

    private mutating func paid(_ transaction: StoreTransaction, isRequested: Bool, at date: Date) {
        guard transaction.holdsContent else { return }
        let key = transaction.deliveryKey
        if transaction.state == .restored {
            record(.restored, .restored(key), transaction, at: date)
        } else {
            record(.paid(isRequested: isRequested), .paid(key), transaction, at: date)
        }
    }

    private mutating func record(
        _ occasion: RecordedEvent.Occasion, _ fact: Fact, _ transaction: StoreTransaction, at date: Date
    ) {
        guard recorded.insert(fact).inserted else { return }
        events.append(
            RecordedEvent(
                occasion: occasion, date: date, productID: transaction.productID, transaction: transaction))
    }
}

extension StoreError {
    /// Whether the error says that there is no payment. After other errors, StoreKit may still sell the product, or
    /// has sold it.
    fileprivate var endsPayment: Bool {
        switch code {
        case .taskCancelled, .timedOut, .storeClosed, .backendUnavailable, .deliveryFailed, .deliveryPending,
            .deliveryRejected, .transactionRemoved, .purchaseInterrupted:
            false
        default: true
        }
    }
}
