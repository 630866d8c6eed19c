import AppReceipt
import Foundation

/// Tracks the running deliveries, those that wait for a free slot, and those that are tried again later.
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
        /// The number of attempts.
        var attempt = 0
        /// The date of the next attempt, if the delivery or its server requested a pause.
        var requestedRetryDate: Date?
        /// Whether StoreKit answered the call with an older transaction.
        var isPreexisting = false
        /// The transactions that this process had handed over before the delivery that is running.
        fileprivate(set) var redeliveries: Set<TransactionToken> = []
    }

    /// The number of deliveries that run concurrently.
    static let limit = 4

    private var waiting = FirstInFirstOut<Job>()
    private var running = [CallID: Job]()
    private var pending = [CallID: Job]()

    /// The number of transactions that are tried again later.
    var pendingCount: Int { pending.values.reduce(0) { $0 + $1.tokens.count } }
    var hasWork: Bool { !running.isEmpty || !waiting.isEmpty || !pending.isEmpty }

    mutating func add(_ job: Job) {
        waiting.append(job)
    }

    /// Returns the next delivery that can start, if fewer than the limit are running.
    mutating func next(_ canStart: (Job) -> Bool = { _ in true }) -> Job? {
        guard running.count < Self.limit, let job = waiting.removeFirst(where: canStart) else { return nil }
        running[job.id] = job
        return job
    }

    /// Records what a delivery is given: those of its transactions that nothing else has finished.
    /// - Parameter redeliveries: The transactions that this process had handed over before.
    mutating func start(_ id: CallID, with tokens: [TransactionToken], redeliveries: Set<TransactionToken>) {
        running[id]?.tokens = tokens
        running[id]?.redeliveries = redeliveries
    }

    /// Ends a delivery, and frees its slot.
    mutating func end(_ id: CallID) -> Job? {
        running.removeValue(forKey: id)
    }

    /// Schedules another attempt. No call waits for it.
    mutating func retryLater(_ job: Job) {
        var job = job
        job.origin = .nobody
        job.attempt &+= 1
        pending[job.id] = job
    }

    /// Retries a delivery after its pause.
    mutating func takePending(_ id: CallID) -> Job? {
        pending.removeValue(forKey: id)
    }

    /// Takes a transaction out of the deliveries that wait for a retry or for a free place. Returns the identifiers of
    /// the deliveries that waited for a retry and have nothing left to deliver.
    mutating func withdraw(_ token: TransactionToken) -> [CallID] {
        waiting.update(where: { $0.tokens.contains(token) }) { $0.tokens.removeAll { $0 == token } }
        var empty: [CallID] = []
        for (id, job) in pending where job.tokens.contains(token) {
            pending[id]?.tokens.removeAll { $0 == token }
            guard job.tokens.count == 1 else { continue }
            pending[id] = nil
            empty.append(id)
        }
        return empty
    }

    /// Returns all delayed deliveries, oldest first, because another delivery was installed.
    mutating func takeAllPending() -> [Job] {
        defer { pending = [:] }
        return pending.values.inOrder { ($0.tokens.first?.serial ?? 0) < ($1.tokens.first?.serial ?? 0) }
    }

    /// Returns the delayed deliveries to retry now, oldest first: those whose pause wasn't requested, and those whose
    /// timer is overdue because the app was suspended.
    func pendingInAdvance(now: Date) -> [CallID] {
        let due = pending.values.filter { job in job.requestedRetryDate.map { $0 <= now } ?? true }
        return due.inOrder { ($0.tokens.first?.serial ?? 0) < ($1.tokens.first?.serial ?? 0) }.map(\.id)
    }

    /// Removes the call of a delivery. The delivery continues.
    mutating func abandon(_ origin: Origin) {
        for (id, job) in running where job.origin == origin { running[id]?.origin = .nobody }
        waiting.update(where: { $0.origin == origin }) { $0.origin = .nobody }
    }
}
