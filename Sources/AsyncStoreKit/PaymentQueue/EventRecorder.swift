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
    private var recordedInOrder = FirstInFirstOut<Fact>()
    private(set) var events: [RecordedEvent] = []

    mutating func takeEvents() -> [RecordedEvent] {
        defer { events.removeAll(keepingCapacity: true) }
        return events
    }

    /// The number of facts that are kept.
    static let limit = 1_000

    mutating func inputTaken(_ input: StoreInput, at date: Date) {
        switch input {
        case .purchase(let id, let call, _):
            calls[id] = call.request.productID
            events.append(RecordedEvent(occasion: .started, date: date, productID: call.request.productID))
        case .event(let event): queueReported(event, at: date)
        default: break
        }
    }

    mutating func actionPerformed(_ action: StoreAction, at date: Date) {
        switch action {
        case .respond(let id, let result): callEnded(id, result, at: date)
        case .report(let reports): reportsSent(reports, at: date)
        default: break
        }
    }

    private mutating func callEnded(_ id: CallID, _ result: Result<PurchaseResponse, StoreError>, at date: Date) {
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
    private mutating func reportsSent(_ reports: [StoreReport], at date: Date) {
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

    private mutating func queueReported(_ event: QueueEvent, at date: Date) {
        switch event {
        case .updatedTransactions(let batch), .unsolicitedTransactions(let batch), .restoredTransactions(let batch):
            for transaction in batch { paid(transaction, isRequested: false, at: date) }
        case .answeredPayment(_, let transaction, let isPreexisting):
            if !isPreexisting { paid(transaction, isRequested: true, at: date) }
        case .promotedPayment(let promotion):
            guard promotion.isContinuedByStore else { return }
            events.append(RecordedEvent(occasion: .started, date: date, productID: promotion.product.id))
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
        // Events of the queue that are no events of a purchase.
        case .unlistedTransactions, .removedTransactions, .nothingToFinish, .restoreFinished, .restoreFailed,
            .storefrontChanged, .updatedDownloads, .entitlementsMayHaveChanged, .message, .terminated:
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
        recordedInOrder.append(fact)
        if recordedInOrder.count > Self.limit, let oldest = recordedInOrder.removeFirst() { recorded.remove(oldest) }
        events.append(
            RecordedEvent(
                occasion: occasion, date: date, productID: transaction.productID, transaction: transaction))
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
