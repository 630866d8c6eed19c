import AppReceipt
import Foundation

/// Saves evidence in an ``EntitlementCache``, and loads it, one call at a time.
///
/// Without an app, an environment, and a device, nothing is saved, and nothing that was saved is accepted.
actor EntitlementStorage {
    private let cache: any EntitlementCache
    /// The seconds after which a later confirmation is saved, even if nothing else has changed.
    private let confirmationInterval: TimeInterval
    /// What this run has loaded from the cache, or saved in it.
    private var saved: EntitlementCacheContent?

    /// - Parameter lifetime: How long unconfirmed access lasts, in seconds.
    init(_ cache: any EntitlementCache, lifetime: TimeInterval = 35 * 86_400) {
        self.cache = cache
        confirmationInterval = max(0, min(86_400, lifetime / 30))
    }

    /// Saves evidence, unless the cache has it.
    /// - Parameters:
    ///   - history: Returns the evidence at the time of the save.
    ///   - now: Returns the time of the save, which may have waited for another one.
    /// - Returns: When the cache was saved; `nil` if its texts are still the same.
    func save(
        _ history: @Sendable () -> PurchaseListing, _ trust: HistoryTrust, at now: @autoclosure @Sendable () -> Date
    ) throws -> Date? {
        guard let seal = EntitlementCacheSeal(trust) else { return nil }
        let date = now()
        let content = EntitlementCacheContent(history(), savedDate: date)
        if let saved, content.isEquivalent(to: saved, within: confirmationInterval) { return nil }
        try cache.save(content.encoded(with: seal))
        defer { saved = content }
        return saved?.hasSamePurchases(as: content) == true ? nil : date
    }

    /// Erases the cache. The next evidence is saved again, as the device reports it.
    func erase() throws {
        saved = nil
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
            saved = EntitlementCacheContent(history, savedDate: savedDate)
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
