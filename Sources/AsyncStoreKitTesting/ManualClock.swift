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

        func count(of seconds: TimeInterval?) -> Int {
            guard let seconds else { return sleepers.count }
            return sleepers.values.count { $0.seconds == seconds }
        }
    }

    private let state = Monitor(State())

    /// A clock that stands at a fixed date.
    public init() {}

    /// The date to which it has been advanced.
    public var now: Date { state.value.now }

    /// Returns when the clock has been advanced so far; at once when there is nothing to wait for.
    public func sleep(for seconds: TimeInterval) async throws {
        guard seconds > 0 else { return try Task.checkCancellation() }
        let id = UUID()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                state.update { state in
                    state.sleepers[id] = Sleeper(
                        seconds: seconds, deadline: state.now.addingTimeInterval(seconds), continuation: continuation)
                }
                // A cancellation that came before found nobody to wake.
                if Task.isCancelled { wake(id) }
            }
        } onCancel: {
            wake(id)
        }
    }

    private func wake(_ id: UUID) {
        let sleeper = state.update { $0.sleepers.removeValue(forKey: id) }
        sleeper?.continuation.resume(throwing: CancellationError())
    }

    /// Moves on, and wakes those whose time has come, in the order of their deadlines.
    public func advance(by seconds: TimeInterval) {
        let due = state.update { state in
            state.now += seconds
            let due = state.sleepers.filter { $0.value.deadline <= state.now }
            for id in due.keys { state.sleepers[id] = nil }
            return due.values.sorted { $0.deadline < $1.deadline }
        }
        due.forEach { $0.continuation.resume() }
    }

    /// Returns as soon as so many sleep at the same time, all of them or only those that sleep for so many seconds.
    /// - Throws: ``WaitExpired`` when they do not after ten seconds, `CancellationError` when the task is cancelled.
    public func sleepers(_ count: Int, of seconds: TimeInterval? = nil) async throws {
        let what = seconds.map { " that sleep for \($0) s" } ?? ""
        try await state.wait(for: "\(count) sleepers\(what)") { $0.count(of: seconds) >= count ? () : nil }
    }
}
