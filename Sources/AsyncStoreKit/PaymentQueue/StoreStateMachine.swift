import Foundation

/// Decides what a store does about payments, transactions, deliveries and downloads.
///
/// Each method takes one event and appends actions to ``actions``. The state machine doesn't wait, call out, or read
/// the clock. The actor sets the time, and performs the actions in order before the next input.
struct StoreStateMachine: Sendable {
    /// The waiting times of a store.
    struct Timeouts: Sendable {
        var payment: TimeInterval = 30
        var preexistingAnswer: TimeInterval = 3
        var restore: TimeInterval = 300
    }

    struct RestoreCall: Sendable, Hashable {
        /// The account whose purchases are restored, as StoreKit 1 carries it.
        let applicationUsername: String?
        let style: Deliverer.CallStyle
        /// Whether the call accepts the transactions that arrived before the restore failed. If not, they are offered
        /// to subscribers, and the call fails.
        var takesPartial = false
        /// The account whose purchases are restored.
        var account: PurchaseAccount? { applicationUsername.map(PurchaseAccount.init(applicationUsername:)) }
        /// The purchases whose deliveries made the call. Waiting for these deliveries would never end.
        var enclosing: Set<String> = []
        /// The result of the restore; `nil` while StoreKit is restoring.
        var rows: [StoreTransaction]?
        /// Why the restore may be incomplete.
        var failure: StoreError?
        /// The rows that belong to the call.
        var claimed: Set<TransactionToken> = []
        /// The rows that were delivered before the restore. They're delivered again, because the customer asked for it.
        var repeated: Set<TransactionToken> = []
    }

    let timeouts: Timeouts
    let retryPolicy = DeliveryRetryPolicy()
    /// Set before every input.
    var now: Date
    /// The known time in which the app was suspended, in seconds. StoreKit isn't silent during that time.
    private var suspendedTime: TimeInterval = 0
    /// When ``StoreTimer/paymentSilence`` fires if the app isn't suspended earlier.
    private(set) var silenceEnd: Date?
    /// When the app entered the background, by ``runningNow``.
    private var departure: Date?
    var mode: StoreMode
    var hasDelivery = false
    var payments: PaymentStateMachine
    var ledger = UnfinishedTransactions()
    var deliveries = DeliveryStateMachine()
    var promotions = PromotionStateMachine()
    /// The contexts of purchases that aren't delivered yet.
    var contexts = PurchaseContexts()
    /// Calls whose restore runs, or whose rows are being delivered.
    var restoreCalls = [CallID: RestoreCall]()
    /// Calls whose restore has ended, and that wait for deliveries of what it has brought. Oldest first.
    var waitingRestores: [CallID] = []
    /// When ``StoreTimer/deliveryRetry`` fires.
    var deliveryRetryDate: Date?
    /// Whether the backend takes time to finish a transaction, and reports the end.
    var waitsForFinish = false
    var finishing: Set<TransactionToken> = []
    /// Whether the queue has reported the transactions that were in it at the launch.
    var knowsInitialTransactions = false
    /// Oldest first.
    var heldAnswers: [HeldAnswer] = []
    /// Why the queue no longer accepts calls.
    var termination: StoreError?
    /// The actions to perform, in order. The actor empties the array after it has performed them.
    var actions: [StoreAction] = []
    private var timers: Set<StoreTimer> = []

    init(mode: StoreMode = .finishing, timeouts: Timeouts = Timeouts(), now: Date) {
        self.mode = mode
        self.timeouts = timeouts
        self.now = now
        payments = PaymentStateMachine(responseTimeout: timeouts.payment)
    }

    mutating func log(_ level: StoreLogEvent.Level, _ message: String) {
        actions.append(.log(StoreLogEvent(level, message)))
    }

    mutating func setMode(_ mode: StoreMode) {
        guard mode != self.mode else { return }
        log(.notice, "The mode changes from \(self.mode) to \(mode).")
        self.mode = mode
        warnAboutObservingDelivery()
    }

    /// Forgets the contexts of an account's purchases, or all of them.
    mutating func eraseContexts(of account: String?) {
        contexts.erase(account: account)
        ledger.eraseContexts(of: account)
    }

    /// Asks the queue to finish an entry, if this store finishes transactions.
    mutating func requestFinish(_ token: TransactionToken) {
        if let transaction = ledger[token]?.transaction { contexts.delivered(transaction) }
        guard mode == .finishing, termination == nil else { return }
        actions.append(.finish(token))
        if waitsForFinish { finishing.insert(token) }
    }

    /// The date by which silence is measured, without the time in which the app was suspended.
    ///
    /// An overdue timer shows that the app was suspended. Until the timer fires, its time isn't over.
    var runningNow: Date {
        min(now, silenceEnd.map { $0 - PaymentStateMachine.tolerance * 2 } ?? now) - suspendedTime
    }

    mutating func appMoved(isInBackground: Bool) {
        if isInBackground {
            departure = runningNow
            ledger.expectReportsAgain()
        } else if let left = departure {
            let absence = max(0, (now - suspendedTime).timeIntervalSince(left))
            suspendedTime += absence
            silenceEnd? += absence
            departure = nil
        }
    }

    func deliverer(of transaction: StoreTransaction, answering style: Deliverer.CallStyle? = nil) -> Deliverer {
        Deliverer(of: transaction.state, answering: style, hasInstalledDelivery: hasDelivery)
    }
}

// Timers.
extension StoreStateMachine {
    /// Starts a timer, and restarts one that is running.
    mutating func start(_ timer: StoreTimer, seconds: TimeInterval) {
        timers.insert(timer)
        actions.append(.start(timer, seconds: seconds))
    }

    mutating func stop(_ timer: StoreTimer) {
        guard !timers.isEmpty, timers.remove(timer) != nil else { return }
        actions.append(.stop(timer))
    }

    /// Starts the timer of waiting payments for a date by ``runningNow``. An earlier timer stays.
    mutating func scheduleNextPayment(at turn: Date) {
        let seconds = turn.timeIntervalSince(runningNow)
        guard seconds.isFinite, silenceEnd.map({ now + seconds < $0 - PaymentStateMachine.tolerance * 4 }) ?? true
        else { return }
        silenceEnd = now + seconds
        start(.paymentSilence, seconds: seconds)
    }

    func isRunning(_ timer: StoreTimer) -> Bool {
        timers.contains(timer)
    }

    /// Processes a timer that has fired. A timer that was stopped in the meantime is ignored.
    mutating func fire(_ timer: StoreTimer) {
        guard timers.remove(timer) != nil else { return }
        if timer == .paymentSilence, let end = silenceEnd {
            suspendedTime += now.timeIntervalSince(end)
            silenceEnd = nil
        }
        switch timer {
        case .paymentTimeout(let id): paymentTimedOut(id)
        case .preexistingAnswer(let id): preexistingAnswerIsDue(id)
        case .paymentSilence: startPayments()
        case .restoreInactivity(let id): continueRestore(id, waitsForDeliveries: false)
        case .deliveryRetry: pauseEnded()
        case .unfinishedWarning: warnAboutUnfinished()
        case .answerLimit: answerLimitReached()
        }
    }
}
