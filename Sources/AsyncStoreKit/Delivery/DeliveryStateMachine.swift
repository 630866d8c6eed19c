import Foundation

/// Which deliveries run, which wait for a free place, and when those that failed are tried again.
struct DeliveryStateMachine: Sendable {
    /// Whom to tell when a delivery has ended.
    enum Origin: Sendable, Hashable {
        case purchase(CallID)
        case restore(CallID)
        case nobody
    }

    struct Job: Sendable, Hashable {
        let id: CallID
        let tokens: [TransactionToken]
        let cause: DeliveryRequest.Cause
        var origin: Origin
        var attempt = 0
        /// Purchases whose call answered with an older transaction.
        var answersEarlierPayment = false
    }

    /// How many deliveries run at once.
    static let limit = 4

    private var waiting = FirstInFirstOut<Job>()
    private var running: [CallID: Job] = [:]
    private var owed: [CallID: Job] = [:]

    var owedCount: Int { owed.values.reduce(0) { $0 + $1.tokens.count } }
    var hasWork: Bool { !running.isEmpty || !waiting.isEmpty || !owed.isEmpty }

    mutating func add(_ job: Job) {
        waiting.append(job)
    }

    /// The next delivery to start, if there is a place for it.
    mutating func next() -> Job? {
        guard running.count < Self.limit, let job = waiting.removeFirst() else { return nil }
        running[job.id] = job
        return job
    }

    /// A delivery has ended with a decision, and its place is free.
    mutating func end(_ id: CallID) -> Job? {
        running.removeValue(forKey: id)
    }

    /// It is to be tried again; nobody waits for it any longer.
    mutating func owe(_ job: Job) {
        var job = job
        job.origin = .nobody
        job.attempt &+= 1
        owed[job.id] = job
    }

    /// The time for another attempt has come.
    mutating func retry(_ id: CallID) {
        guard let job = owed.removeValue(forKey: id) else { return }
        waiting.append(job)
    }

    /// Everything owed, at once: another delivery has been installed.
    mutating func takeOwed() -> [Job] {
        defer { owed = [:] }
        return owed.values.sorted { ($0.tokens.first?.serial ?? 0) < ($1.tokens.first?.serial ?? 0) }
    }

    /// The call no longer waits; its delivery goes on.
    mutating func abandon(_ origin: Origin) {
        for (id, job) in running where job.origin == origin { running[id]?.origin = .nobody }
        waiting.update(where: { $0.origin == origin }) { $0.origin = .nobody }
    }

    /// The longest pause that a delivery may ask for, in seconds: a day. The next launch tries again anyway.
    static let longestPause: TimeInterval = 86_400

    /// The seconds to wait before the given attempt, 1-based: what the delivery asked for if that can be made sense of, else
    /// a backoff less its jitter.
    static func pause(asked: TimeInterval?, attempt: Int, key: String) -> TimeInterval {
        if let asked, asked >= 0 { return min(asked, longestPause) }
        return backoff(attempt: attempt) * (1 - jitter(attempt: attempt, key: key) / 2)
    }

    /// A number from 0 up to 1 that differs from one purchase, and from one attempt, to the next.
    ///
    /// It keeps the devices that a server's outage has brought into step from coming back all at once. It is drawn from the
    /// purchase's key, which no two devices share, and not from a generator: the same purchase always pauses the same.
    static func jitter(attempt: Int, key: String) -> Double {
        // FNV-1a, whose low bits change most with the last bytes, then the finalizer of MurmurHash3, which spreads them.
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in "\(key)#\(attempt)".utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
        hash = (hash ^ (hash >> 33)) &* 0xff51_afd7_ed55_8ccd
        hash = (hash ^ (hash >> 33)) &* 0xc4ce_b9fe_1a85_ec53
        hash ^= hash >> 33
        return Double(hash >> 11) / Double(1 << 53 as UInt64)
    }

    /// The longest wait before the given attempt, 1-based, in seconds: doubled each time, 5 minutes at the most.
    static func backoff(attempt: Int) -> TimeInterval {
        min(300, pow(2, Double(max(1, min(attempt, 12)) - 1)))
    }
}
