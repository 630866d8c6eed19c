public import AsyncStoreKit
public import Foundation

/// A clock that stands still until it is advanced.
public final class ManualClock: StoreClock {
    private struct Sleeper: Sendable {
        let seconds: TimeInterval
        let deadline: Date
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State: Sendable {
        var now = Date(timeIntervalSince1970: 1_700_000_000)
        var sleepers: [UUID: Sleeper] = [:]
        var cancelled: Set<UUID> = []
        var waiters: [Waiter] = []

        func count(of seconds: TimeInterval?) -> Int {
            guard let seconds else { return sleepers.count }
            return sleepers.values.count { $0.seconds == seconds }
        }

        mutating func takeReady() -> [CheckedContinuation<Void, Never>] {
            let waiting = waiters
            waiters = waiting.filter { $0.count > count(of: $0.seconds) }
            return waiting.filter { $0.count <= count(of: $0.seconds) }.map(\.continuation)
        }
    }

    private struct Waiter: Sendable {
        let count: Int
        let seconds: TimeInterval?
        let continuation: CheckedContinuation<Void, Never>
    }

    private let state = Locked(State())

    /// A clock that stands at a fixed date.
    public init() {}

    /// The date to which it has been advanced.
    public var now: Date { state.withLock { $0.now } }

    /// Returns when the clock has been advanced so far; at once when there is nothing to wait for.
    public func sleep(for seconds: TimeInterval) async throws {
        guard seconds > 0 else { return try Task.checkCancellation() }
        let id = UUID()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let (isCancelled, ready) = state.withLock { state -> (Bool, [CheckedContinuation<Void, Never>]) in
                    guard state.cancelled.remove(id) == nil else { return (true, []) }
                    state.sleepers[id] = Sleeper(
                        seconds: seconds, deadline: state.now.addingTimeInterval(seconds), continuation: continuation)
                    return (false, state.takeReady())
                }
                if isCancelled { continuation.resume(throwing: CancellationError()) }
                ready.forEach { $0.resume() }
            }
        } onCancel: {
            let sleeper = state.withLock { state -> Sleeper? in
                if let sleeper = state.sleepers.removeValue(forKey: id) { return sleeper }
                state.cancelled.insert(id)
                return nil
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Moves on, and wakes those whose time has come, in the order of their deadlines.
    public func advance(by seconds: TimeInterval) {
        let due = state.withLock { state in
            state.now += seconds
            let due = state.sleepers.filter { $0.value.deadline <= state.now }
            for id in due.keys { state.sleepers[id] = nil }
            return due.values.sorted { $0.deadline < $1.deadline }
        }
        due.forEach { $0.continuation.resume() }
    }

    /// Returns as soon as so many sleep at the same time, all of them or only those that sleep for so many seconds.
    public func sleepers(_ count: Int, of seconds: TimeInterval? = nil) async {
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                if state.count(of: seconds) >= count { return true }
                state.waiters.append(Waiter(count: count, seconds: seconds, continuation: continuation))
                return false
            }
            if isReady { continuation.resume() }
        }
    }
}
