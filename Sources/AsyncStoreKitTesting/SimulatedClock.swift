public import AppStoreSimulator
public import AsyncStoreKit
public import Foundation

/// A clock driven by a simulated App Store. Time doesn't pass until you advance the clock.
///
/// ```swift
/// let store = PurchaseStore(backend: SimulatedBackend(appStore))
/// appStore.advance(by: .days(30))  // Renewals, retries and timeouts happen in order.
/// ```
public final class SimulatedClock: WorkCountingClock {
    private struct Sleeper: Sendable {
        let seconds: TimeInterval
        let continuation: CheckedContinuation<Void, any Error>
        var timer: SimulatedTimer?
        var endRest: (@Sendable () -> Void)?
    }

    private struct State: Sendable {
        var sleepers: [UUID: Sleeper] = [:]

        func count(of seconds: TimeInterval?) -> Int {
            // A sleeper without a timer would miss an advance. Dates have a precision of a ten millionth of a second.
            sleepers.values.count { sleeper in
                sleeper.timer != nil && (seconds.map { abs(sleeper.seconds - $0) < 0.001 } ?? true)
            }
        }
    }

    let appStore: SimulatedAppStore
    private let state = Monitor(State())
    private let counter = StoreWorkCounter()
    package var work: any StoreWork { counter }
    package var count: Monitor<StoreWorkCount> { counter.count }

    /// Creates the clock of an App Store, or of a new, empty App Store.
    public init(_ appStore: SimulatedAppStore = SimulatedAppStore(catalog: SimulatedCatalog(products: []))) {
        self.appStore = appStore
    }

    /// The time of the device: the App Store's time plus `SimulatedAppStore.deviceClockOffset`.
    public var now: Date { appStore.now + appStore.deviceClockOffset }

    /// Waits until the App Store's clock has been advanced to a date. Returns immediately for a past date.
    ///
    /// - Throws: `CancellationError` if the task is canceled.
    public func sleep(until deadline: Date) async throws {
        let id = UUID()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                // The App Store's clock may advance at any time, so schedule the deadline, not a duration.
                let date = deadline - appStore.deviceClockOffset
                let seconds = date.timeIntervalSince(appStore.now)
                state.update { $0.sleepers[id] = Sleeper(seconds: seconds, continuation: continuation) }
                let timer = appStore.schedule(at: date) { [weak self] in self?.end(id, .success(())) }
                // An earlier cancellation didn't find the sleeper. Without a timer yet, the task is never counted.
                if Task.isCancelled { end(id, .failure(CancellationError())) }
                // The deadline may have passed, or the task may have been canceled.
                let isAsleep = state.update { state in
                    guard state.sleepers[id] != nil else { return false }
                    state.sleepers[id]?.timer = timer
                    // The idle time begins when the timer is set, so that a task with a passed deadline never seems
                    // idle.
                    state.sleepers[id]?.endRest = CountedTask.current?.rest()
                    return true
                }
                if !isAsleep { timer.cancel() }
            }
        } onCancel: {
            end(id, .failure(CancellationError()))
        }
    }

    package func schedule(at date: Date, _ fire: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        let timer = appStore.schedule(at: date - appStore.deviceClockOffset, fire)
        return { timer.cancel() }
    }

    private func end(_ id: UUID, _ result: Result<Void, any Error>) {
        let sleeper = state.update { $0.sleepers.removeValue(forKey: id) }
        sleeper?.timer?.cancel()
        sleeper?.endRest?()
        sleeper?.continuation.resume(with: result)
    }

    /// Advances the App Store's clock by a number of seconds. See `SimulatedAppStore.advance(by:)`.
    public func advance(by seconds: TimeInterval) {
        appStore.advance(by: seconds)
    }

    /// Waits until at least `count` tasks are sleeping on this clock at the same time.
    /// - Parameters:
    ///   - count: The number of tasks.
    ///   - seconds: The sleep duration of the tasks to wait for; `nil` for all tasks.
    /// - Throws: ``WaitExpired`` after ten seconds of real time, `CancellationError` if the task is canceled.
    public func waitForSleepers(_ count: Int, duration seconds: TimeInterval? = nil) async throws {
        let what = seconds.map { " that sleep for \($0) s" } ?? ""
        try await state.wait(for: "\(count) sleepers\(what)") { $0.count(of: seconds) >= count ? () : nil }
    }
}
