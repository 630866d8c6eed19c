/// The kinds of events that a store sends to its subscribers.
///
/// To add a kind, add a property here, the code that sends it, and the stream or handler that subscribes to it.
struct StoreEvents: Sendable {
    /// Everything that happens, for analytics and logs.
    var all = Broadcast<StoreEvent>(keepsBacklog: true, limit: 100)
    /// Purchases that don't answer a call.
    var purchases = Broadcast<PurchaseRecord>()
    /// The ends of deliveries, for subscribers that show progress and never deliver.
    var deliveryEnds = Broadcast<DeliveryEnd>()
    /// The purchases that wait for approval, sent after every change.
    var pendingPurchases = Broadcast<[PendingPurchase]>()
    var failures = Broadcast<PurchaseFailure>(keepsBacklog: true)
    /// The purchases of one batch of the queue that don't answer a call.
    var batches = Broadcast<[PurchaseRecord]>()
    var revocations = Broadcast<PurchaseRevocation>(keepsBacklog: true)
    var storefronts = Broadcast<AppStorefront?>()
    var purchaseIntents = Broadcast<PromotedPayment>(keepsBacklog: true)
    var messages = Broadcast<StoreMessage>(keepsBacklog: true)
    /// The downloads of one report of the queue.
    var downloads = Broadcast<[StoreDownload]>()

    private var subscriptions = [CallID: EventSubscription]()

    /// Adds a subscriber.
    /// - Parameter outstanding: The purchases that a new subscriber receives first.
    mutating func subscribe(_ subscription: EventSubscription, _ outstanding: OutstandingPurchases) {
        subscriptions[subscription.id] = subscription
        subscription.join(&self, outstanding)
    }

    mutating func unsubscribe(_ id: CallID) {
        subscriptions.removeValue(forKey: id)?.leave(&self)
    }

    /// Whether a subscriber that can deliver receives the report.
    func isReceived(_ report: StoreReport) -> Bool {
        if !batches.isEmpty { return true }
        if case .purchase = report { return !purchases.isEmpty }
        return false
    }

    /// Sends reports to the subscribers of batches, and each report to the subscribers of its kind.
    mutating func send(_ reports: [StoreReport]) {
        let batch = reports.compactMap(\.record)
        if !batch.isEmpty { batches.send(batch) }
        for report in reports {
            switch report {
            case .purchase(let record): purchases.send(record)
            case .failure(let failure, let record):
                failures.send(failure, wasDelivered: record != nil && !batches.isEmpty)
            case .batchOnly: break
            }
        }
    }

    /// Ends every subscriber's loop.
    mutating func finish() {
        let ended = subscriptions.values
        self = StoreEvents()
        for subscription in ended { subscription.finish() }
    }
}

/// The elements that new subscribers receive first: unfinished purchases that aren't being delivered, and purchases
/// that wait for approval.
struct OutstandingPurchases {
    let purchases: () -> [PurchaseRecord]
    /// The unfinished purchases, and those that wait for approval without a call.
    let batch: () -> [PurchaseRecord]
    /// The purchases that wait for approval.
    let pending: () -> [PendingPurchase]
}

package struct EventSubscription: Sendable {
    /// The identifier that ends the subscription.
    let id: CallID
    let join: @Sendable (inout StoreEvents, OutstandingPurchases) -> Void
    let leave: @Sendable (inout StoreEvents) -> Void
    let finish: @Sendable () -> Void

    /// - Parameter outstanding: Returns the elements that the subscriber receives first.
    init<Event: Sendable>(
        _ id: CallID, to channel: any WritableKeyPath<StoreEvents, Broadcast<Event>> & Sendable,
        _ subscriber: Subscriber<Event>,
        outstanding: @escaping @Sendable (OutstandingPurchases) -> [Event] = { _ in [] }
    ) {
        self.id = id
        join = { $0[keyPath: channel].subscribe(id, subscriber, outstanding: outstanding($1)) }
        leave = { $0[keyPath: channel].unsubscribe(id) }
        finish = subscriber.finish
    }

    /// Subscribes to purchases that don't answer a call, beginning with the unfinished ones.
    package static func purchases(_ id: CallID, _ subscriber: Subscriber<PurchaseRecord>) -> EventSubscription {
        EventSubscription(id, to: \.purchases, subscriber) { $0.purchases() }
    }

    /// Subscribes to batches of purchases that don't answer a call, beginning with the unfinished ones.
    static func batches(_ id: CallID, _ subscriber: Subscriber<[PurchaseRecord]>) -> EventSubscription {
        EventSubscription(id, to: \.batches, subscriber) { outstanding in
            let batch = outstanding.batch()
            return batch.isEmpty ? [] : [batch]
        }
    }

    /// Subscribes to downloads one by one.
    static func downloads(_ id: CallID, _ subscriber: Subscriber<StoreDownload>) -> EventSubscription {
        let batches = Subscriber<[StoreDownload]>(send: { $0.forEach(subscriber.send) }, finish: subscriber.finish)
        return EventSubscription(id, to: \.downloads, batches)
    }

    /// Subscribes to the purchases that wait for approval, beginning with the current ones.
    static func pendingPurchases(_ id: CallID, _ subscriber: Subscriber<[PendingPurchase]>) -> EventSubscription {
        EventSubscription(id, to: \.pendingPurchases, subscriber) { [$0.pending()] }
    }
}

/// An event of a transaction that doesn't answer a call.
enum StoreReport: Sendable, Equatable {
    /// A purchase that is offered to the subscribers, or that the installed delivery has delivered.
    case purchase(PurchaseRecord)
    /// A purchase that has failed, with the queue's report if it is one.
    indirect case failure(PurchaseFailure, PurchaseRecord?)
    /// A purchase that waits for approval, or that was reported before.
    case batchOnly(PurchaseRecord)

    /// The record for subscribers of batches; `nil` if they don't receive this report.
    var record: PurchaseRecord? {
        switch self {
        case .purchase(let record), .batchOnly(let record): record
        case .failure(_, let record): record
        }
    }
}
