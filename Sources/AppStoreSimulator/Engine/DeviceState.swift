import Foundation

/// A device of the customer: the app as it runs there, and what only this device knows.
struct DeviceState {
    let number: Int
    /// The device, as signed texts know it.
    var id: UUID
    /// How far the device's clock is ahead of the App Store's.
    var clockOffset: TimeInterval = 0
    var launch = LaunchState(number: 0)
    var receipt = ReceiptState()

    // The payment queue.

    /// Payments whose turn has not come.
    var waitingPayments = FIFO<Int>()
    /// Whether a payment is being processed.
    var isProcessingPayment = false
    /// The restore that runs.
    var restore: RestoreProgress?
    /// Entries that were finished in this launch and are reported again in the next.
    var redeliveries: [Int] = []
    var requests: [UInt64: RequestState] = [:]
    /// Promotions and revocations that no observer has received.
    var pendingPromotions: [SimulatedPayment] = []
    var pendingRevocations: [String] = []

    // StoreKit 2.

    var calls: [UInt64: CallState] = [:]
    var lateListings: [LateListing] = []
    /// Messages that no listener has received.
    var pendingMessages: [SimulatedMessage] = []
    /// Renewals and revocations that no listener of this device has received.
    var unheard: Set<Int> = []
    var signedTexts: [SignedTextKey: SimulatedSignedText] = [:]

    init(number: Int, id: UUID) {
        self.number = number
        self.id = id
    }

    /// Forgets the account's transactions.
    mutating func forgetTransactions() {
        receipt = ReceiptState()
        waitingPayments = FIFO()
        isProcessingPayment = false
        restore = nil
        redeliveries = []
        pendingPromotions = []
        pendingRevocations = []
        unheard = []
    }
}

/// The run of the app that is current.
struct LaunchState {
    let number: UInt64
    /// The observers that are there while the lock is held, in the order in which they were added.
    var observers: [ObserverID] = []
    var sheets: [SimulatedSheet] = []
    var beginDate = Date.startOfSimulation
    /// Whoever listens to StoreKit 2.
    var listeners: [UInt64: Listener] = [:]
    /// Whether a listener was there to get what is unfinished.
    var hasHandedOver = false
    /// What was answered about introductory offers, by group.
    var introductoryEligibility: [String: Bool] = [:]

    init(number: UInt64, beginDate: Date = .startOfSimulation) {
        self.number = number
        self.beginDate = beginDate
    }
}
