import Foundation

/// Decides everything that a store does about payments, transactions, deliveries and downloads.
///
/// Every method is told one thing that has happened, and appends what is to be done about it to ``actions``. Nothing in here waits,
/// calls out, or asks for the time: the actor does, and performs the actions in their order before it takes the next input.
struct StoreStateMachine: Sendable {
    /// The waiting times of a store.
    struct Patience: Sendable {
        var payment: TimeInterval = 30
        var preexistingAnswer: TimeInterval = 3
        var restore: TimeInterval = 300
    }

    /// A call of `restore`.
    struct RestoreCall: Sendable, Hashable {
        /// The account whose purchases are restored.
        let applicationUsername: String?
        let style: Deliverer.CallStyle
        /// Whether what had come before the restore failed is the call's, as if it had succeeded. If not, it is offered to subscribers,
        /// and the call fails.
        var takesPartial = false
        /// The purchases whose delivery has made the call: to wait for them would never end.
        var enclosing: Set<String> = []
        /// What the restore has brought; `nil` while StoreKit is restoring.
        var rows: [StoreTransaction]?
        /// Why there may be more to restore.
        var failure: StoreError?
        /// The rows that belong to the call.
        var claimed: Set<TransactionToken> = []
        /// The rows that had been delivered before the restore brought them: they are delivered again, as the customer asked for it.
        var repeated: Set<TransactionToken> = []
    }

    let patience: Patience
    let retryPolicy = DeliveryRetryPolicy()
    /// Set before every input.
    var now: Date
    /// The time in which the app didn't run, as far as is known, in seconds: payments don't grow silent in it.
    private var suspendedTime: TimeInterval = 0
    /// When ``StoreTimer/paymentPatience`` fires if the app isn't suspended before.
    private(set) var patienceEnd: Date?
    /// When the app entered the background, by ``runningNow``.
    private var departure: Date?
    var mode: StoreMode
    /// Whether a delivery is installed.
    var hasDelivery = false
    var payments: PaymentStateMachine
    var ledger = TransactionLedger()
    var deliveries = DeliveryStateMachine()
    var promotions = PromotionStateMachine()
    /// Why customers bought what isn't delivered yet.
    var contexts = PurchaseContexts()
    /// Calls whose restore runs, or whose rows are being delivered.
    var restoreCalls: [CallID: RestoreCall] = [:]
    /// Calls whose restore has ended, and that wait for deliveries of what it has brought. Oldest first.
    var waitingRestores: [CallID] = []
    /// Why nothing can be asked of the queue any more.
    var termination: StoreError?
    /// What is to be done, in this order. Whoever has done it empties it.
    var actions: [StoreAction] = []
    /// Timers that were started and have not fired.
    private var timers: Set<StoreTimer> = []

    init(mode: StoreMode = .finishing, patience: Patience = Patience(), now: Date) {
        self.mode = mode
        self.patience = patience
        self.now = now
        payments = PaymentStateMachine(patience: patience.payment)
    }

    mutating func log(_ level: StoreLogEvent.Level, _ message: String) {
        actions.append(.log(StoreLogEvent(level, message)))
    }

    mutating func setMode(_ mode: StoreMode) {
        guard mode != self.mode else { return }
        log(.notice, "The mode changes from \(self.mode) to \(mode).")
        self.mode = mode
    }

    /// Asks the queue to finish an entry, if this store finishes transactions.
    mutating func requestFinish(_ token: TransactionToken) {
        if let transaction = ledger[token]?.transaction { contexts.delivered(transaction) }
        guard mode == .finishing, termination == nil else { return }
        actions.append(.finish(token))
    }

    /// The date by which payments are silent: without the time in which the app didn't run.
    ///
    /// A timer that is overdue shows that the app was suspended. Until it fires, not all of its time has passed.
    var runningNow: Date {
        min(now, patienceEnd.map { $0 - PaymentStateMachine.tolerance * 2 } ?? now) - suspendedTime
    }

    /// The app has entered the background, or has returned.
    mutating func appMoved(isInBackground: Bool) {
        if isInBackground {
            departure = runningNow
            ledger.expectReportsAgain()
        } else if let left = departure {
            let absence = max(0, (now - suspendedTime).timeIntervalSince(left))
            suspendedTime += absence
            patienceEnd? += absence
            departure = nil
        }
    }

    func deliverer(of transaction: StoreTransaction, answering style: Deliverer.CallStyle? = nil) -> Deliverer {
        Deliverer(of: transaction.state, answering: style, hasInstalledDelivery: hasDelivery)
    }
}

// Timers.
extension StoreStateMachine {
    /// Starts a timer, anew if it runs.
    mutating func start(_ timer: StoreTimer, seconds: TimeInterval) {
        timers.insert(timer)
        actions.append(.start(timer, seconds: seconds))
    }

    mutating func stop(_ timer: StoreTimer) {
        guard !timers.isEmpty, timers.remove(timer) != nil else { return }
        actions.append(.stop(timer))
    }

    /// Starts the timer of payments that wait for their turn, which is at a date by ``runningNow``. One that fires before is left alone.
    mutating func awaitTurn(_ turn: Date) {
        let seconds = turn.timeIntervalSince(runningNow)
        guard seconds.isFinite, patienceEnd.map({ now + seconds < $0 - PaymentStateMachine.tolerance * 4 }) ?? true else { return }
        patienceEnd = now + seconds
        start(.paymentPatience, seconds: seconds)
    }

    func isRunning(_ timer: StoreTimer) -> Bool {
        timers.contains(timer)
    }

    /// A timer has run out. One that was stopped while it was on its way does nothing.
    mutating func fire(_ timer: StoreTimer) {
        guard timers.remove(timer) != nil else { return }
        if timer == .paymentPatience, let end = patienceEnd {
            suspendedTime += now.timeIntervalSince(end)
            patienceEnd = nil
        }
        switch timer {
        case .paymentTimeout(let id): paymentTimedOut(id)
        case .preexistingAnswer(let id): preexistingAnswerIsDue(id)
        case .paymentPatience: startPayments()
        case .restoreInactivity(let id): continueRestore(id, isPatient: false)
        case .deliveryRetry(let id): retryDelivery(id)
        }
    }
}
