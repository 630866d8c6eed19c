import Foundation

/// An entry of the payment queue, as the App Store keeps it.
struct QueueEntry {
    /// How far an entry has come.
    enum Phase {
        /// Added, but its turn has not come: it has not been reported.
        case waiting
        /// Part of the queue.
        case queued
        /// Finished, or removed in some other way.
        case gone
    }

    /// An entry as observers saw it last.
    struct Shown {
        var state: SimulatedTransaction.State
        var object: UInt64
    }

    let id: SimulatedTransaction.ID
    /// The number of the device whose queue has it.
    let device: Int
    var payment: SimulatedPayment
    var phase = Phase.waiting
    var state = SimulatedTransaction.State.purchasing
    /// The App Store's number, once paid or restored.
    var number: UInt64?
    var date: Date?
    var error: SimulatedError?
    /// The row of the history that is restored.
    var original: Int?
    /// The row of the history that finishing marks as finished.
    var row: Int?
    var downloads: [SimulatedDownload.ID] = []

    /// Whether StoreKit 2 made it: what comes before the payment is not for observers of the queue.
    var isFromStoreKit2 = false
    /// The call of StoreKit 2 that waits for it.
    var call: UInt64?
    /// The offer code that was redeemed with it.
    var offerCode: String?
    /// Whether what is paid does not verify.
    var isUnverified = false

    /// Whether a payment of another library made it.
    var isCompeting = false
    /// Whether it is never answered, and forgotten at the next launch.
    var isAbandoned = false
    /// Whether it was finished before, and is only reported once more.
    var isRedelivery = false
    /// Whether an observer did not want it to continue in another storefront.
    var isStopped = false
    /// The launch for which it seems finished, although finishing failed.
    var hiddenInLaunch: UInt64?

    var object: UInt64 = 0
    var objectLaunch: UInt64 = 0
    /// The launch in which it was last reported.
    var reportedLaunch: UInt64 = 0
    var shown: Shown?
    /// Whether the queue's list of members has it.
    var isMember = true

    init(id: SimulatedTransaction.ID, payment: SimulatedPayment, device: Int) {
        self.id = id
        self.device = device
        self.payment = payment
    }

    /// Whether neither the App Store nor an observer knows it any more.
    var isForgotten: Bool { phase == .gone && shown == nil }

    /// Whether observers of the queue are told of it as it is.
    var isForObservers: Bool { !isFromStoreKit2 || state == .purchased || state == .restored }
}
