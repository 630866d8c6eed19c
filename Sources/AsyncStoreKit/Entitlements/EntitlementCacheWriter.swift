import AppReceipt
import Foundation

/// Writes the entitlement cache in a separate task, because reports arrive on any thread. Streams the
/// date of each save.
///
/// One task at a time writes, with the texts at that time.
final class EntitlementCacheWriter: Sendable {
    private enum Progress: Sendable {
        case idle, running, runningAndChanged
    }

    private struct State: Sendable {
        var progress = Progress.idle
        var subscribers = [CallID: Subscriber<Date>]()
        var lastSave: Date?
    }

    private let storage: EntitlementStorage?
    private let clock: any StoreClock
    private let work: (any StoreWork)?
    private let log: @Sendable (StoreLogEvent) -> Void
    private let state = Locked(State())

    /// - Parameter storage: The cache; `nil` if the app keeps none.
    init(_ storage: EntitlementStorage?, clock: any StoreClock, log: @escaping @Sendable (StoreLogEvent) -> Void) {
        self.storage = storage
        self.clock = clock
        work = clock.storeWork
        self.log = log
    }

    /// Writes the cache, unless it has the texts.
    /// - Parameters:
    ///   - texts: Returns the latest texts.
    ///   - trust: Returns what the texts are verified by.
    func save(
        _ texts: @escaping @Sendable () -> PurchaseListing, _ trust: @escaping @Sendable () async -> HistoryTrust
    ) {
        guard let storage else { return }
        let begins = state.withLock { state in
            defer { state.progress = state.progress == .idle ? .running : .runningAndChanged }
            return state.progress == .idle
        }
        guard begins else { return }
        _ = work.task(priority: .utility) { [self] in
            repeat {
                let trust = await trust()
                state.withLock { $0.progress = .running }
                do {
                    let now = clock.now
                    if try storage.save(texts(), trust, at: now) { didSave(at: now) }
                } catch {
                    log(StoreLogEvent(.warning, "The entitlement cache can't be written: \(error.nameForLog)"))
                }
            } while state.withLock { state in
                guard state.progress == .running else { return true }
                state.progress = .idle
                return false
            }
        }
    }

    private func didSave(at date: Date) {
        state.withLock { state in
            state.lastSave = date
            return Array(state.subscribers.values)
        }.forEach { $0.send(date) }
    }

    /// Returns a stream of the dates at which the cache was saved with other content. The latest one comes at once.
    func saves() -> AsyncStream<Date> {
        let id = CallID()
        let (stream, send, finish) = work.stream(of: Date.self, .bufferingNewest(1)) { [weak self] in
            self?.state.withLock { $0.subscribers[id] = nil }
        }
        var sent: Date?
        // A save between sending and subscribing is sent, too, so that no older date follows it.
        while let date = subscribe(id, Subscriber(send: send, finish: finish), lastSave: sent) {
            send(date)
            sent = date
        }
        return stream
    }

    /// Adds a subscriber that has received the latest date. Returns that date if the subscriber hasn't.
    private func subscribe(_ id: CallID, _ subscriber: Subscriber<Date>, lastSave sent: Date?) -> Date? {
        state.withLock { state in
            guard state.lastSave == sent else { return state.lastSave }
            state.subscribers[id] = subscriber
            return nil
        }
    }

    /// Ends every stream.
    func finish() {
        state.withLock { state in
            defer { state.subscribers = [:] }
            return Array(state.subscribers.values)
        }.forEach { $0.finish() }
    }
}

/// Saves evidence in an ``EntitlementCache``, and loads it.
///
/// Without an app, an environment, and a device, nothing is saved, and nothing that was saved is accepted.
final class EntitlementStorage: Sendable {
    private let cache: any EntitlementCache
    /// The seconds after which a later confirmation is saved, even if nothing else has changed.
    private let confirmationInterval: TimeInterval
    private let saved = Locked<EntitlementCacheContent?>(nil)

    /// - Parameter lifetime: How long unconfirmed access lasts, in seconds.
    init(_ cache: any EntitlementCache, lifetime: TimeInterval = 35 * 86_400) {
        self.cache = cache
        confirmationInterval = max(0, min(86_400, lifetime / 30))
    }

    /// Saves evidence, unless the cache has it.
    /// - Returns: Whether the cache has other texts now.
    func save(_ history: PurchaseListing, _ trust: HistoryTrust, at now: Date) throws -> Bool {
        guard let seal = EntitlementCacheSeal(trust) else { return false }
        let content = EntitlementCacheContent(history, savedDate: now)
        let known = saved.withLock { $0 }
        if let known, content.isEquivalent(to: known, within: confirmationInterval) { return false }
        try cache.save(content.encoded(with: seal))
        saved.withLock { $0 = content }
        return known.map { !$0.hasSamePurchases(as: content) } ?? true
    }

    /// Erases the cache. The next evidence is saved again, as the device reports it.
    func erase() throws {
        saved.withLock { $0 = nil }
        try cache.erase()
    }

    /// Returns the evidence in the cache that Apple signed for this app, in this environment, on this device; `nil` if
    /// the cache can't be read.
    func load(_ trust: HistoryTrust) -> (PurchaseListing?, Set<StoreEntitlements.Issue>) {
        let data: Data?
        do {
            data = try cache.load()
        } catch {
            return (nil, [.cacheRefused("The file can't be read: \(error.nameForLog)")])
        }
        guard let data, !data.isEmpty else { return (PurchaseListing(), []) }
        let (history, issues) = Self.decode(data, trust)
        if issues.isEmpty, let savedDate = history.savedDate {
            saved.withLock { $0 = EntitlementCacheContent(history, savedDate: savedDate) }
        }
        return (history, issues)
    }

    static func decode(_ data: Data, _ trust: HistoryTrust) -> (PurchaseListing, Set<StoreEntitlements.Issue>) {
        do throws(StoreError) {
            return (try EntitlementCacheContent.decoded(data, trust), [])
        } catch {
            return (PurchaseListing(), [.cacheRefused(error.message)])
        }
    }
}
