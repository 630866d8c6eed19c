import AppReceipt
import Foundation

/// Tracks the running deliveries, those that wait for a slot or the server, and those that have a pause of their own.
struct DeliveryStateMachine: Sendable {
    /// The call to answer when a delivery has ended.
    enum Origin: Sendable, Hashable {
        case purchase(CallID)
        case restore(CallID)
        case nobody
    }

    /// Transactions that are delivered together.
    struct Job: Sendable, Hashable {
        let id: CallID
        fileprivate(set) var tokens: [TransactionToken]
        let cause: StorePurchase.Cause
        var origin: Origin
        var attempt = 0
        /// Why the last attempt failed.
        var lastAnswer: DeliveryAnswer?
        /// The pause that concerns only these transactions.
        fileprivate(set) var pause: DeliveryPause?
        /// Whether StoreKit answered the call with an older transaction.
        var isPreexisting = false
        /// The transactions that the app received in this process before the running delivery.
        fileprivate(set) var redeliveries: Set<TransactionToken> = []
    }

    /// The number of deliveries that run concurrently: for calls, and the same number for everything else. A
    /// waiting customer isn't delayed by the backlog of a launch.
    static let limit = 4
    /// The number of purchases that the server postpones in a row before it's treated as failing.
    static let postponedLimit = 3
    /// How long events may not end another pause, in seconds.
    static let eventInterval: TimeInterval = 60

    /// Whether the app has installed a delivery.
    var isInstalled = false
    private(set) var health = DeliveryHealth()
    private(set) var running = [CallID: Job]()
    /// The deliveries that a call waits for.
    private(set) var calls: [Job] = []
    /// All others. Those that were never tried start first, so that a purchase that always fails doesn't keep the
    /// others from being tried.
    private(set) var waiting: [Job] = []
    /// The deliveries that have a pause of their own.
    private(set) var paused: [Job] = []
    /// The delivery keys that the server has postponed since it last accepted or rejected a purchase, up to the limit.
    private var postponed: Set<String> = []
    /// When an event last ended a pause.
    private var lastEvent: Date?

    /// The number of transactions that are tried again later.
    var pendingCount: Int { (waiting.filter { $0.attempt > 0 } + paused).reduce(0) { $0 + $1.tokens.count } }

    /// The next date at which a delivery can start without another event; `nil` if there is none.
    func nextDate(at now: Date) -> Date? {
        // A running delivery starts the next one when it ends, so neither a probe nor an overdue pause needs a timer.
        let isProbing = running.values.contains { $0.origin == .nobody }
        let probe = isProbing || waiting.isEmpty ? nil : health.pause.flatMap { $0.isOver(at: now) ? nil : $0.end }
        return (paused.map(\.pause?.end) + [probe]).compactMap(\.self).min()
    }

    /// Returns the delivery that waits with a transaction, or runs, and the date at which it can start.
    func schedule(of token: TransactionToken) -> (job: Job, date: Date?)? {
        if let job = running.values.first(where: { $0.tokens.contains(token) }) { return (job, nil) }
        if let job = paused.first(where: { $0.tokens.contains(token) }) { return (job, job.pause?.end) }
        return waiting.first { $0.tokens.contains(token) }.map { ($0, health.pause?.end) }
    }

    /// Whether a transaction waits for its delivery, and no call does.
    func isWaiting(_ token: TransactionToken) -> Bool { (waiting + paused).contains { $0.tokens.contains(token) } }

    mutating func enqueue(_ job: Job, now: Date) {
        guard job.origin == .nobody else { return calls.append(job) }
        waiting.append(job)
        // A new purchase probes the server at once: the pause may come from one purchase that keeps failing.
        if job.attempt == 0, health.pause != nil, allowsEvent(now) { health.endPause() }
    }

    /// Returns the next delivery that can start: for a call, or else one that the health of the server allows.
    mutating func next(now: Date, _ canStart: (Job) -> Bool = { _ in true }) -> Job? {
        let own = running.values.count { $0.origin == .nobody }
        if running.count - own < Self.limit, let place = calls.firstIndex(where: canStart) {
            return start(calls.remove(at: place))
        }
        guard own < Self.limit, health.allowsDelivery(isIdle: own == 0, now: now),
            let place = waiting.firstIndex(where: { $0.attempt == 0 && canStart($0) })
                ?? waiting.firstIndex(where: canStart)
        else { return nil }
        health.deliveryStarted()
        return start(waiting.remove(at: place))
    }

    private mutating func start(_ job: Job) -> Job {
        running[job.id] = job
        return job
    }

    /// Records what a delivery is given: those of its transactions that nothing else has finished.
    /// - Parameter redeliveries: The transactions that the app received in this process before.
    mutating func start(_ id: CallID, with tokens: [TransactionToken], redeliveries: Set<TransactionToken>) {
        running[id]?.tokens = tokens
        running[id]?.redeliveries = redeliveries
    }

    /// Ends a delivery, and frees its slot.
    mutating func deliveryEnded(_ id: CallID) -> Job? {
        running.removeValue(forKey: id)
    }

    /// Records that the server has accepted or rejected a purchase.
    mutating func serverDecided() {
        health.succeeded()
        postponed = []
    }

    /// Records that the server has postponed a purchase. Returns whether it has postponed several in a row, and
    /// accepted none: then it fails for all purchases.
    mutating func serverPostponed(_ key: String) -> Bool {
        if postponed.count < Self.postponedLimit { postponed.insert(key) }
        guard postponed.count < Self.postponedLimit else { return true }
        health.succeeded()
        return false
    }

    /// Records that a delivery sent nothing to the server.
    mutating func nothingSent() {
        health.nothingSent()
    }

    /// Schedules another attempt, because the server fails. No call waits for it. Returns whether a pause begins.
    mutating func retryWithServer(
        _ job: Job, isRequested: Bool, now: Date, pause: (_ failures: Int) -> DeliveryPause
    ) -> Bool {
        waiting.append(job.forNextAttempt)
        return health.failed(isRequested: isRequested, now: now, next: pause)
    }

    /// Schedules another attempt after a pause that concerns only these transactions. No call waits for it.
    mutating func retry(_ job: Job, after pause: DeliveryPause) {
        var job = job.forNextAttempt
        job.pause = pause
        paused.append(job)
    }

    /// Ends the pauses whose time has passed.
    mutating func endPauses(now: Date) {
        endPauses { $0.isOver(at: now) }
    }

    /// Ends pauses because the app or the network has returned, at most once a minute.
    mutating func returned(now: Date) {
        let isOver = { (pause: DeliveryPause) in pause.isOver(at: now, isReturn: true) }
        let endsWait = health.pause.map(isOver) ?? false
        guard endsWait || paused.contains(where: { $0.pause.map(isOver) ?? false }), allowsEvent(now) else { return }
        endPauses(where: isOver)
        if endsWait { health.endPause() }
    }

    /// Returns whether enough time has passed since the last event.
    private mutating func allowsEvent(_ now: Date) -> Bool {
        // If the clock was set back, the time is treated as enough.
        if let lastEvent, lastEvent <= now, now < lastEvent + Self.eventInterval { return false }
        lastEvent = now
        return true
    }

    /// Ends every pause, because the customer wants to try again.
    mutating func endPauses() {
        endPauses { _ in true }
        health.endPause()
    }

    /// Ends every pause, because another delivery was installed. Its server may be another one.
    mutating func deliveryReplaced() {
        endPauses { _ in true }
        health = DeliveryHealth()
        postponed = []
    }

    private mutating func endPauses(where isOver: (DeliveryPause) -> Bool) {
        // In the order of the transactions: the pauses began in any order.
        let over = paused.filter { $0.pause.map(isOver) ?? true }.inOrder {
            ($0.tokens.first?.serial ?? 0) < ($1.tokens.first?.serial ?? 0)
        }
        paused.removeAll { $0.pause.map(isOver) ?? true }
        for var job in over {
            job.pause = nil
            waiting.append(job)
        }
    }

    /// Removes and returns all deliveries that could start, because no delivery is installed.
    mutating func takeQueue() -> [Job] {
        defer { waiting = [] }
        return waiting
    }

    /// Takes a transaction out of the deliveries that wait.
    mutating func withdraw(_ token: TransactionToken) {
        for jobs in [\Self.waiting, \.paused] {
            guard let place = self[keyPath: jobs].firstIndex(where: { $0.tokens.contains(token) }) else { continue }
            self[keyPath: jobs][place].tokens.removeAll { $0 == token }
            if self[keyPath: jobs][place].tokens.isEmpty { self[keyPath: jobs].remove(at: place) }
        }
    }

    /// Removes the call of a delivery. The delivery continues.
    mutating func abandon(_ origin: Origin) {
        for (id, job) in running where job.origin == origin { running[id]?.origin = .nobody }
        for var job in calls where job.origin == origin {
            job.origin = .nobody
            waiting.append(job)
        }
        calls.removeAll { $0.origin == origin }
    }
}

extension DeliveryStateMachine.Job {
    fileprivate var forNextAttempt: Self {
        var job = self
        job.origin = .nobody
        job.attempt &+= 1
        return job
    }

    func part(_ tokens: [TransactionToken], origin: DeliveryStateMachine.Origin) -> Self {
        var job = DeliveryStateMachine.Job(id: CallID(), tokens: tokens, cause: cause, origin: origin)
        job.attempt = attempt
        job.isPreexisting = isPreexisting
        job.redeliveries = redeliveries
        return job
    }
}
