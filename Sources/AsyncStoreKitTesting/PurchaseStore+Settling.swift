public import AppStoreSimulator
public import AsyncStoreKit
public import Foundation

extension PurchaseStore {
    /// Returns when everything that has been caused so far has happened: in the App Store, in the store, in its deliveries
    /// and entitlements, and in the loops over its streams.
    ///
    /// ```swift
    /// try appStore.approvePurchase(of: "coins")
    /// try await store.settled()
    /// #expect(model.coins == 100)
    /// ```
    /// What waits for the clock, such as a retry, doesn't keep the store busy; see ``advance(by:)-(SimulatedPeriod)``. A
    /// loop counts from its first access to its stream; a task that the main actor hasn't run yet gets its turn first. An
    /// element that the calling task received itself doesn't count. With manual pacing, the function delivers pending events.
    /// - Throws: ``WaitExpired`` if the store isn't at rest after ten seconds, `CancellationError` if the task is
    ///   cancelled, and ``StoreError/Code/unsupported`` if the store doesn't use a ``SimulatedClock``.
    public func settled() async throws {
        try await simulatedClock.settled()
    }

    /// Advances the App Store's clock by a number of seconds, and settles. See ``advance(by:)-(SimulatedPeriod)``.
    public func advance(by seconds: TimeInterval) async throws {
        let clock = try simulatedClock
        try await clock.advance(to: clock.appStore.now + (seconds.isNaN ? 0 : seconds))
    }

    /// Advances the App Store's clock by a period of the calendar, from event to event, and settles after each.
    ///
    /// A server that is asked again every minute is asked again every minute, and a renewal is delivered before the next
    /// one.
    /// - Throws: What ``settled()`` throws.
    public func advance(by period: SimulatedPeriod) async throws {
        let clock = try simulatedClock
        try await clock.advance(to: period.end(from: clock.appStore.now))
    }

    private var simulatedClock: SimulatedClock {
        get throws(StoreError) {
            guard let clock = core.clock as? SimulatedClock else {
                throw StoreError(.unsupported, "Only a store that uses a SimulatedClock can settle.")
            }
            return clock
        }
    }
}

extension SimulatedClock {
    /// Returns when the App Store and all stores that use the clock are at rest.
    fileprivate func settled() async throws {
        let caller = StoreWork.currentTaskID
        // A model's loops are tasks of the main actor, which runs its tasks in order: those that were made before have begun.
        try await withDeadline("the main actor") {
            await Task.yield()
            await MainActor.run {}
        }
        while true {
            let begun = try await count.wait(for: "the store to settle") { $0.isAtRest(for: caller) ? $0.begun : nil }
            appStore.runUntilIdle()
            try await withDeadline("the App Store to be idle") { [appStore] in await appStore.waitUntilIdle() }
            // Nothing began between two moments of rest: when the App Store was idle, everything was at rest.
            let now = count.value
            if now.begun == begun, now.isAtRest(for: caller) { return }
        }
    }

    fileprivate func advance(to date: Date) async throws {
        try await settled()
        while let next = appStore.nextEventDate, next < date {
            appStore.advance(to: next)
            try await settled()
        }
        appStore.advance(to: date)
        try await settled()
    }
}

/// The work of the stores that use one clock.
package struct StoreWorkCount: Sendable, CustomStringConvertible {
    private var counts: [StoreWork.Kind: Int] = [:]
    private var elements: [Int: Int] = [:]
    /// How often work has begun.
    private(set) var begun: UInt64 = 0

    mutating func add(_ change: Int, _ kind: StoreWork.Kind, of consumer: Int?) {
        if change > 0 { begun &+= 1 }
        guard let consumer else { return counts[kind, default: 0] += change }
        elements[consumer, default: 0] += change
        if elements[consumer] == 0 { elements[consumer] = nil }
    }

    /// Whether nothing is going on, except for elements that the task received itself.
    func isAtRest(for task: Int?) -> Bool {
        counts.values.allSatisfy { $0 == 0 } && elements.keys.allSatisfy { $0 == task }
    }

    package var description: String {
        let loops = elements.isEmpty ? [] : ["loops with elements that they haven't finished: \(elements.count)"]
        let work = StoreWork.Kind.allCases.compactMap { kind -> String? in
            guard let count = counts[kind], count != 0 else { return nil }
            let names = kind == .delivery ? "deliveries" : "\(kind)s"
            return count == 1 ? "1 \(kind) that hasn't ended" : "\(count) \(names) that haven't ended"
        }
        return (work + loops).joined(separator: ", ")
    }
}
