import AppReceipt
import Foundation

/// Saves evidence in an ``EntitlementCache``, and loads it.
///
/// Without an app, an environment, and a device, nothing is saved, and nothing that was saved is accepted.
final class EntitlementStorage: Sendable {
    private let cache: any EntitlementCache
    /// After how many seconds a later confirmation alone is saved.
    private let confirmationInterval: TimeInterval
    private let saved = Locked<EntitlementCacheContent?>(nil)

    /// - Parameter lifetime: For how long unconfirmed access lasts, in seconds.
    init(_ cache: any EntitlementCache, lifetime: TimeInterval = 30 * 86_400) {
        self.cache = cache
        confirmationInterval = max(0, min(86_400, lifetime / 30))
    }

    /// Saves evidence, unless the cache has it.
    /// - Returns: Whether the cache has other texts now.
    func save(_ history: EntitlementHistory, _ trust: HistoryTrust, at now: Date) throws -> Bool {
        guard let seal = EntitlementCacheSeal(trust) else { return false }
        let content = EntitlementCacheContent(history, savedDate: now)
        let known = saved.withLock { $0 }
        if let known, content.isEquivalent(to: known, within: confirmationInterval) { return false }
        try cache.save(content.encoded(with: seal))
        saved.withLock { $0 = content }
        return known.map { $0.lines != content.lines } ?? true
    }

    /// Returns the evidence in the cache, as far as Apple signed it for this app, in this environment, on this device.
    func load(_ trust: HistoryTrust) -> (EntitlementHistory, Set<StoreEntitlements.Doubt>) {
        let (history, doubts) = Self.load(cache, trust)
        if doubts.isEmpty, let savedDate = history.savedDate {
            saved.withLock { $0 = EntitlementCacheContent(history, savedDate: savedDate) }
        }
        return (history, doubts)
    }

    static func load(
        _ cache: any EntitlementCache, _ trust: HistoryTrust
    ) -> (EntitlementHistory, Set<StoreEntitlements.Doubt>) {
        do {
            guard let data = try cache.load() else { return (EntitlementHistory(), []) }
            return decode(data, trust)
        } catch {
            return (EntitlementHistory(), [.cacheRefused("The file can't be read: \(error)")])
        }
    }

    static func decode(_ data: Data, _ trust: HistoryTrust) -> (EntitlementHistory, Set<StoreEntitlements.Doubt>) {
        var decoder: EntitlementCacheDecoder
        do throws(StoreError) {
            decoder = try EntitlementCacheDecoder(trust)
            try decoder.decode(data)
        } catch {
            return (EntitlementHistory(), [.cacheRefused(error.message)])
        }
        return (decoder.history, Set(decoder.refusal.map { [.cacheRefused($0)] } ?? []))
    }
}
