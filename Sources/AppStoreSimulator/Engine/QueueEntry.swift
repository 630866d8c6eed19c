import Foundation

/// An entry of the payment queue in the App Store.
struct QueueEntry {
    /// The phase of an entry.
    enum Phase {
        /// The entry is waiting for earlier payments and hasn't been reported.
        case waiting
        /// The entry is in the queue.
        case queued
        /// The entry was finished or removed.
        case gone
    }

    /// The last state of an entry that observers received.
    struct Shown {
        var state: SimulatedTransaction.State
        var object: UInt64
    }

    let id: SimulatedTransaction.ID
    /// The number of the device whose queue contains the entry.
    let device: Int
    var payment: SimulatedPayment
    var phase = Phase.waiting
    var state = SimulatedTransaction.State.purchasing
    /// The App Store's number; `nil` until the entry waits for the customer, or is paid or restored.
    var number: UInt64?
    var date: Date?
    var error: SimulatedError?
    /// The row of the history that the entry restores, or whose transaction it repeats.
    var original: Int?
    /// The paid row of the history, which finishing the entry marks as finished.
    var row: Int?
    var downloads: [SimulatedDownload.ID] = []

    /// Whether StoreKit 2 created the entry. Observers of the queue receive it only when it's paid.
    var isFromStoreKit2 = false
    /// The call of StoreKit 2 that is waiting for the entry.
    var call: UInt64?
    var offerCode: String?
    /// Whether the signature of the paid transaction is invalid.
    var isUnverified = false

    /// Whether another library added the payment.
    var isCompeting = false
    /// Whether the payment is never answered. The next launch removes the entry.
    var isAbandoned = false
    /// Whether the entry was finished before and is reported again.
    var isRedelivery = false
    /// Whether an observer refused to continue the transaction in another storefront.
    var isStopped = false
    /// The launch that hides the entry, because finishing failed.
    var hiddenInLaunch: UInt64?

    var object: UInt64 = 0
    var objectLaunch: UInt64 = 0
    var reportedLaunch: UInt64 = 0
    var shown: Shown?

    init(id: SimulatedTransaction.ID, payment: SimulatedPayment, device: Int) {
        self.id = id
        self.device = device
        self.payment = payment
    }

    /// Whether neither the App Store nor an observer uses the entry any longer.
    var isForgotten: Bool { phase == .gone && shown == nil }

    /// Whether observers of the queue receive the entry in its current state.
    var isForObservers: Bool { !isFromStoreKit2 || state == .purchased || state == .restored }
}
