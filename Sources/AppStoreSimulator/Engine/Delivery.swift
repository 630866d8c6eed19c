/// The identifier of an observer in a launch. The engine doesn't hold objects.
typealias ObserverID = UInt64

/// An event or a question that is waiting for delivery.
enum Delivery {
    /// An event of the queue, for one observer or for all observers.
    case event(SimulatedQueueEvent, observer: ObserverID?)
    /// The question whether a purchase from the App Store continues.
    indirect case storePayment(SimulatedPayment, SimulatedProduct)
    /// The question whether a transaction continues in another storefront.
    indirect case shouldContinue(SimulatedTransaction, SimulatedStorefront)
    /// The response to a request.
    case request(UInt64, SimulatedRequestEvent, handler: RequestHandler)
    /// The answer to a call of StoreKit 2.
    indirect case answer(SimulatedAnswer, handler: AnswerHandler)
    /// An update for a listener of StoreKit 2.
    indirect case update(SimulatedUpdate, listener: UInt64, handler: @Sendable (SimulatedUpdate) -> Void)
    /// The question whether a purchase of StoreKit 2 continues in another storefront.
    indirect case mayContinue(SimulatedTransaction.ID, SimulatedStorefront, policy: StorefrontPolicy)
}

/// A delivery with its recipients.
struct Outbound {
    let delivery: Delivery
    let device: Int
    let launchNumber: UInt64
    let observers: [ObserverID]
}

/// Pending work of the App Store. The result is decided when the work is performed.
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
    /// Synchronizes with the App Store for a call of StoreKit 2.
    case sync(call: UInt64)
    /// Signs the app transaction again for a call of StoreKit 2.
    case refresh(call: UInt64)
}

/// An event of a subscription at a time of the virtual clock.
enum SubscriptionEvent {
    /// The paid period ends.
    case periodEnds
    /// The grace period ends.
    case gracePeriodEnds
    /// The renewal becomes visible.
    case renewalAppears
    /// The App Store retries the payment of a renewal.
    case billingRetries
    /// The App Store stops retrying the payment of a renewal.
    case billingRetryEnds
}

/// An event at a time of the virtual clock.
enum TimedEvent {
    /// An event of a subscription, with the generation of the period.
    case subscription(SubscriptionEvent, SubscriptionKey, generation: UInt64)
    /// An answered purchase also arrives as an update.
    case updateFollows(row: Int, launch: UInt64)
    /// A download advances by a step.
    case downloadProgresses(SimulatedDownload.ID, generation: UInt64)
    /// A delayed purchase enters the receipt of a device.
    case receiptCatchesUp(row: Int, device: Int)
}
