import Foundation

/// A device of the customer: the running app and the state of this device.
struct DeviceState {
    let number: Int
    /// The identifier of the device in signed texts.
    var id: UUID
    /// The time by which the device's clock is ahead of the App Store's clock.
    var clockOffset: TimeInterval = 0
    var launch = LaunchState(number: 0)
    var receipt = ReceiptState()

    // The payment queue.

    var waitingPayments: [Int] = []
    var isProcessingPayment = false
    /// The running restore.
    var restore: RestoreProgress?
    /// Entries that were finished in this launch and are reported again in the next launch.
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
    var unobserved: Set<Int> = []
    var signedTexts: [SignedTextKey: SimulatedSignedText] = [:]

    init(number: Int, id: UUID) {
        self.number = number
        self.id = id
    }

    /// Removes all state of the account's transactions.
    mutating func forgetTransactions() {
        receipt = ReceiptState()
        waitingPayments = []
        isProcessingPayment = false
        restore = nil
        redeliveries = []
        pendingPromotions = []
        pendingRevocations = []
        pendingMessages = []
        unobserved = []
    }
}

/// The current launch of the app.
struct LaunchState {
    let number: UInt64
    /// The observers that are alive while the lock is held, in the order of their addition.
    var observers: [ObserverID] = []
    var sheets: [SimulatedSheet] = []
    var beginDate = Date.startOfSimulation
    /// The listeners of StoreKit 2.
    var listeners: [UInt64: Listener] = [:]
    /// Whether a listener has received the unfinished transactions.
    var hasDeliveredUnfinished = false
    /// The returned eligibilities for introductory offers, by group.
    var introductoryEligibility: [String: Bool] = [:]

    init(number: UInt64, beginDate: Date = .startOfSimulation) {
        self.number = number
        self.beginDate = beginDate
    }
}
