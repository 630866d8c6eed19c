import Foundation

/// Reads StoreKit's lists, each with a time limit of its own, in tasks that no caller can cancel: in a canceled task,
/// StoreKit reads nothing and throws nothing.
///
/// A list that takes longer is canceled, and returns its elements so far. If StoreKit ignores the cancellation, the
/// read is abandoned: its task keeps nothing of the store alive, and a late answer is ignored.
struct StoreKit2Lists: Sendable {
    /// A list of StoreKit.
    enum List: Sendable, Hashable {
        case unfinished, currentEntitlements, history
        case statuses(group: String), latest(product: String), eligibility(group: String)
    }

    /// What a list has returned in time.
    struct Answer<Value: Sendable>: Sendable {
        /// The content, which isn't complete if there's a failure.
        let value: Value?
        let failure: StoreError?
    }

    private struct Read<Value: Sendable>: Sendable {
        let response: Promise<Answer<Value>>
        let cancel: @Sendable () -> Void
    }

    /// How long a list may take, in seconds. Four lists in a row end before the minute of a read of the device.
    static let limit: TimeInterval = 12
    /// How long the full history may take, in seconds.
    static let historyLimit: TimeInterval = 60
    /// How long a canceled list may take to return its elements, in seconds.
    private static let lastMoment: TimeInterval = 1
    /// The number of reads of a list that may be abandoned within an hour. After that, the list isn't read for a while.
    /// Once a read was abandoned, each running one may be abandoned, too.
    private static let (abandonedLimit, abandonedInterval): (Int, TimeInterval) = (10, 3_600)

    private let clock: any StoreClock
    private let work: (any StoreWork)?
    /// When the reads began that haven't ended.
    private let unended = Locked<[List: [CallID: Date]]>([:])

    init(clock: any StoreClock) {
        self.clock = clock
        work = clock.storeWork
    }

    func read<Value: Sendable>(
        _ list: List, within seconds: TimeInterval = Self.limit,
        _ body: @escaping @Sendable () async throws(StoreError) -> Value
    ) async -> Answer<Value> {
        await answers(within: seconds) { [begin(list, body)] }[0]
    }

    /// Reads the lists of several groups or products at the same time. The answers are in the same order.
    func read<Value: Sendable>(
        _ ids: [String], as list: (String) -> List,
        _ body: @escaping @Sendable (String) async throws(StoreError) -> Value
    ) async -> [Answer<Value>] {
        guard !ids.isEmpty else { return [] }
        return await answers(within: Self.limit) {
            ids.map { id in begin(list(id)) { () async throws(StoreError) in try await body(id) } }
        }
    }

    private func answers<Value>(within seconds: TimeInterval, _ begin: () -> [Read<Value>]) async -> [Answer<Value>] {
        let begun = Locked<[Read<Value>]>([])
        let limit = work.task { [clock] in
            guard (try? await clock.sleep(whileRunningFor: seconds)) != nil else { return }
            let reads = begun.withLock { $0 }
            for read in reads { read.cancel() }
            guard (try? await clock.sleep(whileRunningFor: Self.lastMoment)) != nil else { return }
            for read in reads { read.response.fulfill(Answer(value: nil, failure: Self.timeout)) }
        }
        defer { limit.cancel() }
        let reads = begin()
        begun.withLock { $0 = reads }
        var answers: [Answer<Value>] = []
        for read in reads { answers.append(await read.response.value(isResponse: true)) }
        return answers
    }

    private static let timeout = StoreError(.timedOut, "StoreKit didn't return a list in time.")

    private func begin<Value: Sendable>(
        _ list: List, _ body: @escaping @Sendable () async throws(StoreError) -> Value
    ) -> Read<Value> {
        let response = Promise<Answer<Value>>()
        let (id, now) = (CallID(), clock.now)
        let isRead = unended.withLock { unended in
            let ages = unended[list, default: [:]].values.map { now.timeIntervalSince($0) }
                .filter { $0 < Self.abandonedInterval }
            guard ages.allSatisfy({ $0 < Self.limit }) || ages.count < Self.abandonedLimit else { return false }
            unended[list, default: [:]][id] = now
            return true
        }
        guard isRead else {
            response.fulfill(Answer(value: nil, failure: Self.timeout))
            return Read(response: response, cancel: {})
        }
        let task = work.task { [unended] in
            let answer: Answer<Value>
            do throws(StoreError) {
                answer = Answer(value: try await body(), failure: nil)
            } catch {
                answer = Answer(value: nil, failure: error)
            }
            unended.withLock { _ = $0[list]?.removeValue(forKey: id) }
            // Only the time limit cancels the task.
            response.fulfill(Task.isCancelled ? Answer(value: answer.value, failure: Self.timeout) : answer)
        }
        return Read(response: response) { task.cancel() }
    }
}
