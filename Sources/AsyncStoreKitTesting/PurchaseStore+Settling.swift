public import AppStoreSimulator
public import AsyncStoreKit
public import Foundation

extension PurchaseStore {
    /// Waits until all effects of past events are complete: in the App Store, the store, its deliveries and
    /// entitlements, and the loops over its streams. The store starts to read the entitlements, if it hasn't yet.
    ///
    /// ```swift
    /// try appStore.approvePurchase(of: "coins")
    /// try await store.settled()
    /// #expect(model.coins == 100)
    /// ```
    /// The function doesn't wait for work that needs the clock to advance, such as a retry; see
    /// ``advance(by:)-(SimulatedPeriod)``. There is one exception: if a period has just ended without a renewal, the
    /// clock advances until the store ends access. This takes 3 seconds with StoreKit 2. With StoreKit 1, it takes up
    /// to 90 seconds, because a receipt doesn't say whether a renewal follows.
    ///
    /// The function waits for a loop that has accessed its stream, and lets the main actor run its pending tasks first.
    /// It doesn't wait for an element that the calling task received. With manual pacing, the function delivers pending
    /// events.
    /// - Throws: ``WaitExpired`` if the store isn't idle after ten seconds, `CancellationError` if the task is
    ///   canceled, ``StoreError/Code/unsupported`` if the store doesn't use a ``SimulatedClock``, and `SimulatorError`
    ///   if the catalog or an interval isn't possible on the App Store.
    public func settled() async throws {
        let clocks = try simulatedClocks
        core.entitlements.start()
        try await clocks.settled()
        try await decideEndedPeriods(clocks)
    }

    /// Advances the App Store's clock by a number of seconds and settles. See ``advance(by:)-(SimulatedPeriod)``.
    public func advance(by seconds: TimeInterval) async throws {
        let appStore = try simulatedClocks[0].appStore
        guard seconds >= 0 else {
            // The App Store records the error, which settling throws.
            appStore.advance(by: seconds)
            return try await settled()
        }
        try await advance(appStore, to: appStore.now + seconds)
    }

    /// Advances the App Store's clock by a calendar period, from event to event, and settles after each event.
    ///
    /// Therefore a retry every minute runs every minute, and a renewal is delivered before the next renewal. If a
    /// subscription ends on the last day, access has ended afterwards; see ``settled()``.
    /// - Throws: The errors of ``settled()``.
    public func advance(by period: SimulatedPeriod) async throws {
        let appStore = try simulatedClocks[0].appStore
        guard period.numberOfUnits > 0 else {
            appStore.advance(by: period)
            return try await settled()
        }
        try await advance(appStore, to: period.end(from: appStore.now))
    }

    private func advance(_ appStore: SimulatedAppStore, to date: Date) async throws {
        let clocks = try simulatedClocks
        core.entitlements.start()
        try await clocks.settled()
        while let next = appStore.nextEventDate, next < date {
            appStore.advance(to: next)
            try await clocks.settled()
        }
        appStore.advance(to: date)
        try await settled()
    }

    /// How long the store waits for a late renewal, in seconds; see the article *EntitlementRules* of `AsyncStoreKit`.
    private static let renewalWait: TimeInterval = 90

    /// Plays the reads that are due because a period has just ended. A test at the end of a period then has the answer
    /// that the customer has a moment later.
    private func decideEndedPeriods(_ clocks: [SimulatedClock]) async throws {
        let appStore = clocks[0].appStore
        let limit = appStore.now + Self.renewalWait
        while hasUndecidedPeriod, let next = appStore.nextEventDate, next <= limit {
            appStore.advance(to: next)
            try await clocks.settled()
        }
    }

    /// Whether access continues although its period ended a moment ago.
    private var hasUndecidedPeriod: Bool {
        let now = core.clock.now
        return core.entitlements.latest.contains { entitlement in
            guard entitlement.isEntitled, let end = entitlement.accessEndDate else { return false }
            return end <= now && now < end + Self.renewalWait
        }
    }

    /// The clock of the store and, if the configuration replaces it, the clock of the backend. Each clock counts work.
    private var simulatedClocks: [SimulatedClock] {
        get throws(StoreError) {
            guard let clock = core.clock as? SimulatedClock else {
                throw StoreError(
                    .unsupported,
                    "Only a store that uses a SimulatedClock can settle. Create the store with PurchaseStore(simulating:)."
                )
            }
            guard let other = core.backend.clock as? SimulatedClock, other !== clock else { return [clock] }
            return [clock, other]
        }
    }
}

extension [SimulatedClock] {
    /// Waits until the App Stores of the clocks, and all stores that use the clocks, are idle.
    fileprivate func settled() async throws {
        for clock in self { try clock.appStore.checkInputs() }
        let caller = StoreWorkCounter.currentTaskID
        // The loops of a model are tasks of the main actor, which runs its tasks in order, so earlier tasks have begun.
        try await withDeadline("the main actor") {
            await Task.yield()
            await MainActor.run {}
        }
        while true {
            var begun: [UInt64] = []
            for clock in self {
                begun.append(
                    try await clock.count.wait(for: "the store to settle") { $0.isAtRest(for: caller) ? $0.begun : nil }
                )
            }
            for appStore in map(\.appStore) {
                appStore.runUntilIdle()
                try await withDeadline("the App Store to be idle") { await appStore.waitUntilIdle() }
            }
            // No work began between the two checks, so all stores were idle while the App Stores were idle.
            let isIdle = zip(self, begun).allSatisfy { clock, begun in
                let now = clock.count.value
                return now.begun == begun && now.isAtRest(for: caller)
            }
            if isIdle { return }
        }
    }
}
