public import AppStoreSimulator
public import AsyncStoreKit
public import Foundation

/// The time of a simulated App Store, by which a store over it lives: it stands still until it is advanced.
///
/// ```swift
/// let store = PurchaseStore(backend: SimulatedBackend(appStore))
/// appStore.advance(by: .days(30))    // renewals, retries and time-outs, each at its own time
/// ```
public final class SimulatedClock: WorkCountingClock {
    private struct Sleeper: Sendable {
        let seconds: TimeInterval
        let continuation: CheckedContinuation<Void, any Error>
        var timer: SimulatedTimer?
        var rest: StoreWork.Rest?
    }

    private struct State: Sendable {
        var sleepers: [UUID: Sleeper] = [:]

        func count(of seconds: TimeInterval?) -> Int {
            // Who has no timer yet would miss an advance. Dates are kept to a ten millionth of a second.
            sleepers.values.count { sleeper in
                sleeper.timer != nil && (seconds.map { abs(sleeper.seconds - $0) < 0.001 } ?? true)
            }
        }
    }

    let appStore: SimulatedAppStore
    private let state = Monitor(State())
    package let count = Monitor(StoreWorkCount())
    package let work: StoreWork

    /// The time of an App Store; without one, a time of its own.
    public init(_ appStore: SimulatedAppStore = SimulatedAppStore(catalog: SimulatedCatalog(products: []))) {
        self.appStore = appStore
        work = StoreWork { [count] kind, consumer, change in count.update { $0.add(change, kind, of: consumer) } }
    }

    /// The time of the device: the App Store's, and `SimulatedAppStore.deviceClockOffset` added to it.
    public var now: Date { appStore.now + appStore.deviceClockOffset }

    /// Returns when the App Store's clock has been advanced to a date; at once when it has been.
    public func sleep(until deadline: Date) async throws {
        let id = UUID()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                // The App Store's clock may advance at any moment: only the deadline counts.
                let date = deadline - appStore.deviceClockOffset
                let seconds = date.timeIntervalSince(appStore.now)
                state.update { $0.sleepers[id] = Sleeper(seconds: seconds, continuation: continuation) }
                let timer = appStore.schedule(at: date) { [weak self] in self?.end(id, .success(())) }
                // It may be due already, or have been cancelled meanwhile.
                let isAsleep = state.update { state in
                    guard state.sleepers[id] != nil else { return false }
                    state.sleepers[id]?.timer = timer
                    // The rest begins when the timer is set, so that a task that is due never seems to be at rest.
                    state.sleepers[id]?.rest = StoreWork.rest()
                    return true
                }
                if !isAsleep { timer.cancel() }
                // A cancellation that came before found nobody to wake.
                if Task.isCancelled { end(id, .failure(CancellationError())) }
            }
        } onCancel: {
            end(id, .failure(CancellationError()))
        }
    }

    private func end(_ id: UUID, _ result: Result<Void, any Error>) {
        let sleeper = state.update { $0.sleepers.removeValue(forKey: id) }
        sleeper?.timer?.cancel()
        sleeper?.rest?.end()
        sleeper?.continuation.resume(with: result)
    }

    /// Advances the App Store's clock by so many seconds. See `SimulatedAppStore.advance(by:)`.
    public func advance(by seconds: TimeInterval) {
        appStore.advance(by: seconds)
    }

    /// Waits until at least `count` tasks sleep on this clock at the same time.
    /// - Parameters:
    ///   - count: The number of tasks.
    ///   - seconds: Counts only the tasks that sleep for this duration. `nil` counts all.
    /// - Throws: ``WaitExpired`` after ten seconds of real time, `CancellationError` if the task is cancelled.
    public func waitForSleepers(_ count: Int, duration seconds: TimeInterval? = nil) async throws {
        let what = seconds.map { " that sleep for \($0) s" } ?? ""
        try await state.wait(for: "\(count) sleepers\(what)") { $0.count(of: seconds) >= count ? () : nil }
    }
}
