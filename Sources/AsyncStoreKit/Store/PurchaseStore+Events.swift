extension PurchaseStore {
    /// Everything that happens, without duplicates, for analytics and logs: purchases that start, succeed, wait, fail
    /// or are canceled, renewals, restores, refunds and revocations, with any way of delivery.
    ///
    /// ```swift
    /// for await event in store.events {
    ///     analytics.log("\(event.kind)", event.productID, event.price, event.currency)
    /// }
    /// ```
    /// Each access creates a subscription. The last 100 events without a subscriber are kept for the first one. A loop
    /// delivers nothing, finishes nothing, and doesn't keep the store alive. A transaction that isn't finished is an
    /// event again in the next launch: recognize it by its identifier.
    public var events: AsyncStream<StoreEvent> {
        core.stream(of: \.all) { $0 }
    }

    /// Purchases made outside a `purchase` call: renewals, approvals, interrupted purchases, other devices, and earlier
    /// launches.
    ///
    /// Each access creates a subscription. A subscriber first receives the unfinished purchases that aren't being
    /// delivered, and then every new purchase. Iterating doesn't finish a purchase: call ``StorePurchase/finish()``
    /// after you've delivered the content, or ``StorePurchase/retryDelivery(after:)`` if you couldn't. To check access,
    /// use ``entitlements``. Failures are on ``purchaseFailures``. The stream lacks what a call returns or its closure
    /// delivers: for analytics, use ``events``.
    ///
    /// The subscription ends when you leave the loop, cancel its task, or release the stream. A loop receives nothing
    /// in a canceled task: purchases that it hasn't received are offered to the next subscriber. The stream ends when
    /// the store is closed. It doesn't keep the store alive.
    public var transactions: AsyncStream<StorePurchase> {
        core.stream(EventSubscription.purchases) { [weak core] record in
            core.map { StorePurchase(record, owner: $0) }
        }
    }

    /// The ends of deliveries, for a user interface. A subscriber isn't treated as one that delivers: the store still
    /// logs that a purchase waits for a delivery.
    package var deliveryEnds: AsyncStream<DeliveryEnd> {
        core.stream(of: \.deliveryEnds) { $0 }
    }

    /// The purchases that wait for approval (Ask to Buy), immediately and after every change. If there are several
    /// changes between two reads, you receive the latest.
    ///
    /// Each element is the complete collection: iterate over the element for the single purchases.
    ///
    /// Each access creates a subscription. Requests of an earlier launch are included if StoreKit reports them, as
    /// StoreKit 1 does. An approval arrives on ``transactions``. Over StoreKit 1, a refusal arrives on
    /// ``purchaseFailures`` with ``StoreError/Code/approvalDeclined``. StoreKit 2 doesn't report a refusal: a request
    /// leaves the collection after a day, when the App Store deletes it, and ``purchaseFailures`` has
    /// ``StoreError/Code/transactionRemoved``.
    public var pendingPurchases: AsyncStream<PendingPurchases> {
        core.stream(EventSubscription.pendingPurchases, buffering: .bufferingNewest(1)) { PendingPurchases($0) }
    }

    /// Failed transactions that no call was waiting for, such as declined approvals and rejected deliveries.
    ///
    /// Each access creates a subscription. Earlier failures are kept for the first one.
    public var purchaseFailures: AsyncStream<PurchaseFailure> {
        core.stream(of: \.failures) { $0 }
    }

    /// Revoked purchases: refunds, and products that a family no longer shares.
    ///
    /// Each access creates a subscription. Earlier revocations are kept for the first one. StoreKit 2 repeats a
    /// revocation at every launch until your app observes it here.
    public var revocations: AsyncStream<PurchaseRevocation> {
        core.stream(of: \.revocations) { [weak core] in core?.acknowledging($0) ?? $0 }
    }

    /// The App Store's messages to the customer. Present them with ``show(_:in:)`` at a suitable moment.
    ///
    /// Each access creates a subscription. After the first one, the system no longer presents messages automatically.
    /// Messages without a subscriber are kept for the next one. StoreKit 2, on iOS, Mac Catalyst and visionOS; the
    /// stream is empty elsewhere.
    public var messages: AsyncStream<StoreMessage> {
        core.stream(of: \.messages) { $0 }
    }

    /// The new storefront after each change; ``AppStorefront/unknown`` if StoreKit doesn't name it.
    ///
    /// Each access creates a subscription. Load the products again after a change, because prices differ.
    /// ``storefront`` is the current one.
    public var storefrontChanges: AsyncStream<AppStorefront> {
        core.stream(of: \.storefronts) { $0 ?? .unknown }
    }

    /// Purchases that customers start in the App Store, continued or held.
    ///
    /// Each access creates a subscription. Earlier intents are kept for the first one.
    /// ``PaymentQueuePolicies/promotedPurchase`` decides which purchases continue immediately. watchOS has none.
    public var purchaseIntents: AsyncStream<StorePurchaseIntent> {
        core.stream(of: \.purchaseIntents) { [weak core] promotion in
            core.map { StorePurchaseIntent(promotion, core: $0) }
        }
    }
}

extension StoreCore {
    /// Acknowledges a revocation that the app observes. StoreKit 2 then stops repeating it.
    @discardableResult
    package func acknowledging(_ revocation: PurchaseRevocation) -> PurchaseRevocation {
        enqueue(.change { machine in revocation.transactions.forEach { machine.requestFinish($0.token) } })
        return revocation
    }

    /// Creates a stream of one kind of event. The stream doesn't keep the store alive.
    func stream<Event: Sendable, Element: Sendable>(
        of channel: any WritableKeyPath<StoreEvents, Broadcast<Event>> & Sendable,
        _ element: @escaping @Sendable (Event) -> Element?
    ) -> AsyncStream<Element> {
        stream({ EventSubscription($0, to: channel, $1) }, element)
    }

    /// Creates a stream of a subscription. Neither the stream nor its events keep the store alive.
    func stream<Event: Sendable, Element: Sendable>(
        _ subscription: (CallID, Subscriber<Event>) -> EventSubscription,
        buffering: AsyncStream<Event>.Continuation.BufferingPolicy = .unbounded,
        _ element: @escaping @Sendable (Event) -> Element?
    ) -> AsyncStream<Element> {
        let id = CallID()
        let (stream, send, finish) = work.stream(
            buffering, onTermination: { [weak self] in self?.enqueue(.unsubscribe(id)) }, element)
        if !enqueue(.subscribe(subscription(id, Subscriber(send: send, finish: finish)))) { finish() }
        return stream
    }
}
