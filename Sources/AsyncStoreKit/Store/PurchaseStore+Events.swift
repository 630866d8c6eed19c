extension PurchaseStore {
    /// What is paid for and no call was waiting for: renewals, approvals, interrupted purchases, other devices, earlier launches.
    ///
    /// Every access is a new subscription, and every subscriber gets everything: first what is unfinished and not being
    /// delivered at the moment, then what comes. Iterating finishes nothing; say ``StorePurchase/finish()`` when the content is
    /// delivered, or ``StorePurchase/retryDelivery(after:)`` when it could not be. Everything in here is paid for; whether it still gives
    /// access is the receipt's to say. Failures are on ``purchaseFailures``.
    /// Dropping the stream, leaving the loop and cancelling its task unsubscribe; the stream ends when the store is closed.
    public var transactions: AsyncStream<StorePurchase> {
        core.stream(EventSubscription.purchases) { [weak core] record in
            core.map { StorePurchase(record, owner: $0) }
        }
    }

    /// Purchases made outside a call, for a user interface that shows them and delivers nothing. A subscriber doesn't count
    /// as one that delivers: the store still logs that a purchase waits for a delivery.
    package var observedPurchases: AsyncStream<StorePurchase> {
        core.stream(of: \.observedPurchases) { [weak core] record in core.map { StorePurchase(record, owner: $0) } }
    }

    /// The purchases that wait for approval (Ask to Buy): at once, and each time that they have changed. Of several changes
    /// in between, only the latest is sent.
    ///
    /// Each element is the complete collection: iterate over the element for the single purchases.
    ///
    /// Every access is a new subscription. What was asked for in an earlier launch is in it as far as StoreKit tells: StoreKit 1 does
    /// while it is in the payment queue. The approval itself is on ``transactions``, and a refusal on ``purchaseFailures`` with
    /// ``StoreError/Code/approvalDeclined``.
    public var pendingPurchases: AsyncStream<PendingPurchases> {
        core.stream(EventSubscription.pendingPurchases, buffering: .bufferingNewest(1)) { PendingPurchases($0) }
    }

    /// Failed transactions that no call was awaiting: approvals that were declined, deliveries that were refused.
    ///
    /// Every access is a new subscription. What happened before there was any is kept for the first.
    public var purchaseFailures: AsyncStream<PurchaseFailure> {
        core.stream(of: \.failures) { $0 }
    }

    /// What was taken away: by refunds, and because a family no longer shares it.
    ///
    /// Every access is a new subscription. What came before there was any is kept for the first.
    ///
    /// Over StoreKit 2 the App Store tells of a revocation at every launch until somebody has been told here.
    public var revocations: AsyncStream<PurchaseRevocation> {
        core.stream(of: \.revocations) { [weak core] in core?.acknowledging($0) ?? $0 }
    }

    /// The App Store's messages to the customer, to be shown when it suits, with ``show(_:in:)``.
    ///
    /// Every access is a new subscription. From the first one on the system shows none by itself; what comes while there is none is kept
    /// for the next. StoreKit 2, on iOS, Mac Catalyst and visionOS; elsewhere nothing comes.
    public var messages: AsyncStream<StoreMessage> {
        core.stream(of: \.messages) { $0 }
    }

    /// The storefronts to which the account moves from now on; ``AppStorefront/unknown`` if StoreKit doesn't say which.
    ///
    /// Every access is a new subscription. Prices change with it: ask for the products again. Where the account is now tells
    /// ``storefront``.
    public var storefrontChanges: AsyncStream<AppStorefront> {
        core.stream(of: \.storefronts) { $0 ?? .unknown }
    }

    /// Purchases that customers begin in the App Store, whether StoreKit has continued them or they were held.
    ///
    /// Every access is a new subscription. What came before there was any is kept for the first.
    /// Which are continued says ``StorePolicies/promotedPurchase``. watchOS has none.
    public var purchaseIntents: AsyncStream<StorePurchaseIntent> {
        core.stream(of: \.purchaseIntents) { [weak core] promotion in
            core.map { StorePurchaseIntent(promotion, core: $0) }
        }
    }
}

extension StoreCore {
    /// Somebody is told of a revocation: the App Store need not tell of it again.
    func acknowledging(_ revocation: PurchaseRevocation) -> PurchaseRevocation {
        if !revocation.transactions.isEmpty { enqueue(.acknowledge(revocation.transactions.map(\.token))) }
        return revocation
    }

    /// A stream of one kind of event. It does not keep the store alive.
    func stream<Event: Sendable, Element: Sendable>(
        of channel: any WritableKeyPath<StoreEvents, Broadcast<Event>> & Sendable,
        buffering: AsyncStream<Element>.Continuation.BufferingPolicy = .unbounded, _ element: @escaping @Sendable (Event) -> Element?
    ) -> AsyncStream<Element> {
        stream({ EventSubscription($0, to: channel, $1) }, buffering: buffering, element)
    }

    /// A stream of what a subscription brings. It does not keep the store alive.
    func stream<Event: Sendable, Element: Sendable>(
        _ subscription: (CallID, Subscriber<Event>) -> EventSubscription,
        buffering: AsyncStream<Element>.Continuation.BufferingPolicy = .unbounded, _ element: @escaping @Sendable (Event) -> Element?
    ) -> AsyncStream<Element> {
        let id = CallID()
        let (stream, send, finish) = work.stream(of: Element.self, buffering) { [weak self] in
            self?.enqueue(.unsubscribe(id))
        }
        let subscriber = Subscriber<Event>(
            send: { event in if let element = element(event) { send(element) } }, finish: finish)
        if !enqueue(.subscribe(subscription(id, subscriber))) { finish() }
        return stream
    }
}
