/// Every kind of event of which a store tells its subscribers.
///
/// A new kind is one property here, what sends it, and the stream or handler that subscribes to it.
struct StoreEvents: Sendable {
    /// What is paid for, and answers no call.
    var purchases = Broadcast<PurchaseRecord>()
    /// The same, for subscribers that only show the progress and never deliver.
    var observedPurchases = Broadcast<PurchaseRecord>()
    /// Everything that waits for an approval, each time that this has changed.
    var pendingPurchases = Broadcast<[PendingPurchase]>()
    var failures = Broadcast<PurchaseFailure>(keepsBacklog: true)
    /// Everything of one of the queue's batches that answered no call, together.
    var batches = Broadcast<[PurchaseRecord]>()
    var revocations = Broadcast<PurchaseRevocation>(keepsBacklog: true)
    var storefronts = Broadcast<AppStorefront?>()
    var purchaseIntents = Broadcast<PromotedPayment>(keepsBacklog: true)
    var messages = Broadcast<StoreMessage>(keepsBacklog: true)
    var downloads = Broadcast<StoreDownload>()
    /// As the queue reported them together.
    var downloadBatches = Broadcast<[StoreDownload]>()
    var hostedContent = Broadcast<HostedContentEvent>()

    private var subscriptions: [CallID: EventSubscription] = [:]

    /// Adds a subscriber.
    /// - Parameter outstanding: What a new subscriber is to hear of first.
    mutating func subscribe(_ subscription: EventSubscription, _ outstanding: OutstandingPurchases) {
        subscriptions[subscription.id] = subscription
        subscription.join(&self, outstanding)
    }

    mutating func unsubscribe(_ id: CallID) {
        subscriptions.removeValue(forKey: id)?.leave(&self)
    }

    /// Ends every subscriber's loop.
    mutating func finish() {
        let ended = subscriptions.values
        self = StoreEvents()
        for subscription in ended { subscription.finish() }
    }
}

/// What new subscribers are told of first: what is unfinished and not being delivered, and what waits for an approval.
struct OutstandingPurchases {
    /// One by one.
    let purchases: () -> [PurchaseRecord]
    /// Together, with what waits for an approval that no call asked for.
    let batch: () -> [PurchaseRecord]
    /// What waits for an approval.
    let pending: () -> [PendingPurchase]
}

/// Somebody's wish to hear of one kind of event.
package struct EventSubscription: Sendable {
    /// By which it is ended.
    let id: CallID
    let join: @Sendable (inout StoreEvents, OutstandingPurchases) -> Void
    let leave: @Sendable (inout StoreEvents) -> Void
    let finish: @Sendable () -> Void

    /// - Parameters:
    ///   - channel: The kind of event.
    ///   - outstanding: What the subscriber hears of first, where the kind has something to be told at once.
    init<Event: Sendable>(
        _ id: CallID, to channel: any WritableKeyPath<StoreEvents, Broadcast<Event>> & Sendable, _ subscriber: Subscriber<Event>,
        outstanding: @escaping @Sendable (OutstandingPurchases) -> [Event] = { _ in [] }
    ) {
        self.id = id
        join = { $0[keyPath: channel].subscribe(id, subscriber, outstanding: outstanding($1)) }
        leave = { $0[keyPath: channel].unsubscribe(id) }
        finish = subscriber.finish
    }

    /// Everything that is paid for and answers no call, beginning with what is unfinished at the moment.
    static func purchases(_ id: CallID, _ subscriber: Subscriber<PurchaseRecord>) -> EventSubscription {
        EventSubscription(id, to: \.purchases, subscriber) { $0.purchases() }
    }

    /// Everything that answers no call, as the queue reported it together, beginning with what is unfinished at the moment.
    static func batches(_ id: CallID, _ subscriber: Subscriber<[PurchaseRecord]>) -> EventSubscription {
        EventSubscription(id, to: \.batches, subscriber) { outstanding in
            let batch = outstanding.batch()
            return batch.isEmpty ? [] : [batch]
        }
    }

    /// Everything that waits for an approval, beginning with what does at the moment.
    static func pendingPurchases(_ id: CallID, _ subscriber: Subscriber<[PendingPurchase]>) -> EventSubscription {
        EventSubscription(id, to: \.pendingPurchases, subscriber) { [$0.pending()] }
    }
}
