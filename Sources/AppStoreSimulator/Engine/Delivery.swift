/// Identifies an observer within a launch; the engine knows no objects.
typealias ObserverID = UInt64

/// An event or a question that waits to be delivered.
enum Delivery {
    /// An event of the queue, for one observer or for all.
    case event(SimulatedQueueEvent, observer: ObserverID?)
    /// The question whether a purchase that was started in the App Store continues.
    indirect case storePayment(SimulatedPayment, SimulatedProduct)
    /// The question whether a transaction continues in another storefront.
    indirect case shouldContinue(SimulatedTransaction, SimulatedStorefront)
    /// The response to a request.
    case request(UInt64, SimulatedRequestEvent, handler: RequestHandler)
    /// The answer to a call of StoreKit 2.
    indirect case answer(SimulatedAnswer, handler: AnswerHandler)
    /// Something new for a listener of StoreKit 2.
    indirect case update(SimulatedUpdate, listener: UInt64, handler: @Sendable (SimulatedUpdate) -> Void)
    /// The question whether a purchase of StoreKit 2 continues in another storefront.
    indirect case mayContinue(SimulatedTransaction.ID, SimulatedStorefront, policy: StorefrontPolicy)
}

/// A delivery with those to whom it goes.
struct Outbound {
    let delivery: Delivery
    let device: Int
    let launchNumber: UInt64
    let observers: [ObserverID]
}

/// Something the App Store still has to do. Its result is decided only when it is done.
enum Work {
    /// Starts processing a payment.
    case begin(Int)
    /// Completes a payment.
    indirect case conclude(Int, SimulatedOutcome)
    /// Reports the next batch of a restore.
    case restore
    /// Reports restored rows after the end of their restore.
    case lateRows(ArraySlice<Int>, applicationUsername: String?)
    /// Responds to a request.
    case request(UInt64)
    /// Synchronises with the App Store for a call of StoreKit 2.
    case sync(call: UInt64)
    /// Signs the app transaction anew for a call of StoreKit 2.
    case refresh(call: UInt64)
}

/// Something that happens at a time of the virtual clock.
enum TimedEvent {
    /// The paid period of a subscription ends.
    case periodEnds(SubscriptionKey, generation: UInt64)
    /// A subscription whose renewal was not paid is no longer active.
    case gracePeriodEnds(SubscriptionKey, generation: UInt64)
    /// The renewal of a subscription is seen.
    case flickerEnds(SubscriptionKey, generation: UInt64)
    /// The App Store tries again to collect the price of a renewal.
    case billingRetries(SubscriptionKey, generation: UInt64)
    /// The App Store stops trying to collect the price of a renewal.
    case billingRetryEnds(SubscriptionKey, generation: UInt64)
    /// A purchase that was answered comes as an update, too.
    case updateFollows(row: Int, launch: UInt64)
    /// A download has advanced by a step.
    case downloadProgresses(SimulatedDownload.ID, generation: UInt64)
    /// A delayed purchase enters the receipt of a device.
    case receiptCatchesUp(row: Int, device: Int)
}
