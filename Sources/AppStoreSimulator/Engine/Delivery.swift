/// Something that waits to be told to somebody.
enum Delivery {
    /// An event of the queue, for one observer or for all.
    case event(SimulatedQueueEvent, observer: ObjectIdentifier?)
    /// The question whether a purchase begun in the App Store goes on.
    indirect case storePayment(SimulatedPayment, SimulatedProduct)
    /// The question whether a transaction goes on in another storefront.
    indirect case shouldContinue(SimulatedTransaction, SimulatedStorefront)
    /// The answer to a request.
    case request(UInt64, SimulatedRequest.Event, handler: @Sendable (SimulatedRequest.Event) -> Void)
}

/// A delivery with the people to whom it goes.
struct Outbound {
    let delivery: Delivery
    let launchNumber: UInt64
    let launch: SimulatedLaunch?
    let observers: [any SimulatedQueueObserver]
}

/// Something the App Store still has to do. What comes of it is decided only when it is done.
enum Work {
    /// Takes up a payment.
    case begin(Int)
    /// Answers a payment.
    indirect case conclude(Int, SimulatedOutcome)
    /// Gives the next batch of a restore.
    case restore
    /// Gives rows of a restore that come after its end.
    case lateRows(ArraySlice<Int>, applicationUsername: String?)
    /// Answers a request.
    case request(UInt64)
}

/// Something that happens at a time of the virtual clock.
enum TimedEvent {
    /// A subscription's paid time ends.
    case periodEnds(group: String, generation: UInt64)
    /// The App Store gives up to collect the price of a renewal.
    case billingRetryEnds(group: String, generation: UInt64)
    /// A download has come a step further.
    case downloadProgresses(SimulatedDownload.ID, generation: UInt64)
    /// The receipt catches up with a purchase.
    case receiptCatchesUp(row: Int)
}

/// A weakly held observer.
final class WeakObserver {
    private(set) weak var value: (any SimulatedQueueObserver)?
    let identity: ObjectIdentifier

    init(_ value: any SimulatedQueueObserver) {
        self.value = value
        identity = ObjectIdentifier(value)
    }
}

/// A weakly held launch: the launch holds the store.
struct WeakLaunch {
    weak var value: SimulatedLaunch?
}
