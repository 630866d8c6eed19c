/// What the customer may use: now, and each time that it changes.
///
/// ```swift
/// for await entitlements in store.entitlements {
///     show(entitlements.contains(anyOf: ["pro"]))
/// }
/// ```
/// A loop gets what is known as soon as something is, and then every change; of several changes in between only the latest, and nothing
/// twice in a row. It ends when the store is closed. The device is read from the first use on: on every event of the store, when the app
/// becomes active, and when a period ends. No loop and no call is needed to keep it up to date, and none that is cancelled disturbs it.
public struct EntitlementSequence: AsyncSequence, Sendable {
    /// Everything that the customer may use.
    public typealias Element = StoreEntitlements
    /// It does not fail.
    public typealias Failure = Never

    let keeper: EntitlementKeeper

    package init(keeper: EntitlementKeeper) {
        self.keeper = keeper
    }

    /// What is known now, at once: for a view's body. ``StoreEntitlements/unknown`` until the device or the cache has answered.
    public var latest: StoreEntitlements { keeper.latest }

    /// What is known after the device has been read. Nothing is asked of the network, and the answer comes within a second: then with what
    /// is known by then. Also for a task that is cancelled.
    public var current: StoreEntitlements {
        get async { await keeper.current() }
    }

    /// Reads the device anew, and returns what it says. Callers at the same time share a read; cancelling the task ends nothing.
    ///
    /// What a restore brings is read without it.
    @discardableResult
    public func refresh() async -> StoreEntitlements { await keeper.refresh() }

    /// Subscribes.
    public func makeAsyncIterator() -> Iterator {
        Iterator(keeper: keeper, changes: keeper.stream().makeAsyncIterator())
    }

    /// Gives one value after the other. Not Sendable: each task makes its own.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let keeper: EntitlementKeeper
        fileprivate var changes: AsyncStream<Void>.Iterator
        private var last: StoreEntitlements?

        fileprivate init(keeper: EntitlementKeeper, changes: AsyncStream<Void>.Iterator) {
            self.keeper = keeper
            self.changes = changes
        }

        /// The next value; `nil` when the store is closed, and when the task is cancelled.
        @concurrent
        public mutating func next() async -> StoreEntitlements? {
            while await changes.next() != nil {
                if let new = news() { return new }
            }
            return nil
        }

        /// The next value; `nil` when the store is closed, and when the task is cancelled.
        @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
        public mutating func next(isolation actor: isolated (any Actor)?) async -> StoreEntitlements? {
            while await changes.next(isolation: actor) != nil {
                if let new = news() { return new }
            }
            return nil
        }

        private mutating func news() -> StoreEntitlements? {
            let latest = keeper.latest
            guard latest != last else { return nil }
            last = latest
            return latest
        }
    }
}
