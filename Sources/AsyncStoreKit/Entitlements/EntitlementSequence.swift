public import Foundation

/// The customer's entitlements, now and after every change.
///
/// ```swift
/// for await entitlements in store.entitlements {
///     show(entitlements.contains("pro"))
/// }
/// ```
/// A loop receives the current value as soon as there is one, then every change. If the value changes several times
/// before the loop asks again, the loop receives only the latest value. The loop ends when the store is closed.
///
/// The store starts to read the device with the first question, and at launch if the configuration has an
/// ``StoreConfiguration/entitlementCache``. Then it reads after every event, when the app becomes active, when a period
/// ends, and, while a question is open, after 1, 2, 5, 15, and 60 seconds and then with growing pauses: see
/// <doc:EntitlementRules>.
public struct EntitlementSequence: AsyncSequence, Sendable {
    /// Everything that the customer may use.
    public typealias Element = StoreEntitlements
    /// The sequence doesn't fail.
    public typealias Failure = Never

    let monitor: EntitlementMonitor

    /// The last answer, for a view's body. ``StoreEntitlements/unknown`` until the device or the cache has answered.
    ///
    /// The first access starts reading, unless a cache, a loop, or another call has. An access never waits.
    public var latest: StoreEntitlements { monitor.latest }

    /// The answer of a read that began within the last second, after the last event that the store knows of, and after
    /// ``StoreEntitlements/nextChange``. Doesn't use the network.
    ///
    /// Use it for decisions and in tests. The read has a purchase in one of Apple's views even if StoreKit doesn't
    /// report it. If no such read has ended, the store waits for one, at most for a second, and
    /// then returns the last answer. A canceled task gets the same answer.
    public var current: StoreEntitlements {
        get async { await monitor.current() }
    }

    /// Reads the device, and returns the answer. Callers at the same time share a read. Canceling the task doesn't
    /// cancel the read.
    ///
    /// You don't need to call it after a purchase or a restore.
    @discardableResult
    public func refresh() async -> StoreEntitlements { await monitor.refresh() }

    /// The dates at which the store has saved ``StoreConfiguration/entitlementCache`` with other purchases than before.
    ///
    /// An app whose extensions read the cache reloads its widgets then:
    /// ```swift
    /// for await _ in store.entitlements.cacheSaves { reloadWidgets() }
    /// ```
    /// A new loop receives the latest save of this run at once. If the cache is saved several times before the loop
    /// asks again, the loop receives only the latest date. The loop ends when the store is closed. Without a cache,
    /// there is no element.
    public var cacheSaves: AsyncStream<Date> { monitor.saves() }

    /// Subscribes.
    public func makeAsyncIterator() -> Iterator {
        Iterator(monitor: monitor, changes: monitor.stream().makeAsyncIterator())
    }

    /// Returns values in order. Not Sendable: each task makes its own iterator.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let monitor: EntitlementMonitor
        fileprivate var changes: AsyncStream<Void>.Iterator
        fileprivate var last: StoreEntitlements?

        /// The next value; `nil` when the store is closed, and when the task is canceled.
        @concurrent
        public mutating func next() async -> StoreEntitlements? {
            while await changes.next() != nil {
                if let new = news() { return new }
            }
            return nil
        }

        /// The next value; `nil` when the store is closed, and when the task is canceled.
        @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
        public mutating func next(isolation actor: isolated (any Actor)?) async -> StoreEntitlements? {
            while await changes.next(isolation: actor) != nil {
                if let new = news() { return new }
            }
            return nil
        }

        private mutating func news() -> StoreEntitlements? {
            let latest = monitor.latest
            guard latest != last else { return nil }
            last = latest
            return latest
        }
    }
}
