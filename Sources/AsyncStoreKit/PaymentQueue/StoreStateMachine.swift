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
        var assigned: Set<TransactionToken> = []
        /// The rows that were delivered before the restore. They're delivered again, because the customer asked for it.
        var repeated: Set<TransactionToken> = []
    }

    /// The calls of `restore`.
    struct Restores: Sendable {
        /// How long a restore may be silent, in seconds.
        let timeout: TimeInterval
        /// Calls whose restore runs, or whose rows are being delivered.
        var calls = [CallID: RestoreCall]()
        /// Calls whose restore has ended, and that wait for deliveries of what it has brought. Oldest first.
        var waiting: [CallID] = []
    }

    /// The time in which the app was suspended. StoreKit isn't silent during that time.
    private struct Suspension: Sendable {
        /// The known time, in seconds.
        var seconds: TimeInterval = 0
        /// When the app entered the background, by ``StoreStateMachine/runningNow``.
        var departure: Date?
    }

    static let retryPolicy = DeliveryRetryPolicy()
    /// Set before every input.
    var now: Date
    private var suspension = Suspension()
    var mode: StoreMode
    var payments: PaymentStateMachine
    var ledger = UnfinishedTransactions()
    var deliveries = DeliveryStateMachine()
    var restores: Restores
    var answers = Answers()
    /// The reports of downloads that a handler on another thread hasn't processed, by transaction; `nil` without one.
    var contentReports: [TransactionToken: Int]?
    /// Why the queue no longer accepts calls.
    var termination: StoreError?
    /// The actions to perform, in order. The actor empties the array after it has performed them.
    var actions: [StoreAction] = []
    /// The events to send to the subscribers, in order. The actor empties the array.
    var events: [StoreEvent] = []
    /// When the running timers fire. The date of ``StoreTimer/paymentSilence`` is later if the app is suspended before.
    private(set) var timers = [StoreTimer: Date]()

    init(mode: StoreMode = .finishing, timeouts: Timeouts = Timeouts(), now: Date) {
        self.mode = mode
        self.now = now
        payments = PaymentStateMachine(
            responseTimeout: timeouts.payment, preexistingAnswerDelay: timeouts.preexistingAnswer)
        restores = Restores(timeout: timeouts.restore)
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

    /// Asks the queue to finish an entry, if this store finishes transactions.
    mutating func requestFinish(_ token: TransactionToken) {
        guard mode == .finishing, termination == nil else { return }
        actions.append(.finish(token))
        if answers.waitsForFinish { answers.finishing.insert(token) }
    }

    /// The date by which silence is measured, without the time in which the app was suspended.
    ///
    /// An overdue timer shows that the app was suspended. Until the timer fires, its time isn't over.
    var runningNow: Date {
        min(now, timers[.paymentSilence].map { $0 - PaymentStateMachine.tolerance * 2 } ?? now) - suspension.seconds
    }

    mutating func appMoved(isInBackground: Bool) {
        if isInBackground {
            suspension.departure = runningNow
            ledger.expectReportsAgain()
        } else if let left = suspension.departure {
            let absence = max(0, (now - suspension.seconds).timeIntervalSince(left))
            suspension = Suspension(seconds: suspension.seconds + absence)
            timers[.paymentSilence]? += absence
        }
    }

    func deliverer(of transaction: StoreTransaction, answering style: Deliverer.CallStyle? = nil) -> Deliverer {
        Deliverer(of: transaction.state, answering: style, hasInstalledDelivery: deliveries.isInstalled)
    }
}

// Timers.
extension StoreStateMachine {
    /// Starts a timer, and restarts one that is running.
    /// - Parameter date: When it fires, if that was the basis of the seconds.
    mutating func start(_ timer: StoreTimer, seconds: TimeInterval, until date: Date? = nil) {
        timers[timer] = date ?? now + seconds
        actions.append(.start(timer, seconds: seconds))
    }

    mutating func stop(_ timer: StoreTimer) {
        guard !timers.isEmpty, timers.removeValue(forKey: timer) != nil else { return }
        actions.append(.stop(timer))
    }

    /// Starts the timer of waiting payments for a date by ``runningNow``. An earlier timer stays.
    mutating func scheduleNextPayment(at turn: Date) {
        let seconds = turn.timeIntervalSince(runningNow)
        let end = timers[.paymentSilence]
        guard seconds.isFinite, end.map({ now + seconds < $0 - PaymentStateMachine.tolerance * 4 }) ?? true else {
            return
        }
        start(.paymentSilence, seconds: seconds)
    }

    /// Processes a timer that has fired. A timer that was stopped in the meantime is ignored.
    mutating func fire(_ timer: StoreTimer) {
        guard let date = timers.removeValue(forKey: timer) else { return }
        // The date is computed from an interval, and can be later by the last digit. The clock may have been set back.
        now = max(now, date)
        switch timer {
        case .paymentTimeout(let id): paymentTimedOut(id)
        case .preexistingAnswer(let id): preexistingAnswerIsDue(id)
        case .paymentSilence:
            suspension.seconds += now.timeIntervalSince(date)
            startPayments()
        case .restoreInactivity(let id): continueRestore(id, waitsForDeliveries: false)
        case .deliveryRetry: startDeliveries()
        case .unfinishedWarning: warnAboutUnfinished()
        case .answerLimit: answerLimitReached()
        }
    }
}
