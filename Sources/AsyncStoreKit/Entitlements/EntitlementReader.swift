import AppReceipt
public import Foundation

/// Reads the customer's entitlements in a widget, a keyboard, or another extension, from the cache that the app saves.
///
/// ```swift
/// let reader = EntitlementReader(
///     EntitlementFile(appGroup: "group.com.example.app"),
///     app: "com.example.app")
/// let isPro = reader.entitlements().contains("pro")
/// ```
/// A reader doesn't ask StoreKit for purchases, doesn't use the network, observes nothing, and never writes. Every text
/// in the cache is verified: Apple's signature, the app, the environment, and the device. So a phone's cache doesn't
/// unlock a watch.
///
/// A reader evaluates the dates alone: access to a subscription ends at ``StoreEntitlement/accessEndDate``, until the
/// app saves the renewal. You can call a reader from any thread. Copies share what they have read.
public struct EntitlementReader: Sendable {
    /// A cache that has been read.
    private struct Reading: Sendable {
        let data: Data
        let listing: PurchaseListing
        let issues: Set<StoreEntitlements.Issue>
        let purchases: [KnownPurchase]
    }

    private let cache: any EntitlementCache
    private let durations: [String: TimeInterval]
    private let trust: @Sendable () -> HistoryTrust
    private let known = Locked<Reading?>(nil)

    /// Creates a reader. It reads the cache when you ask for entitlements.
    /// - Parameters:
    ///   - cache: The cache that the app has in ``StoreConfiguration/entitlementCache``.
    ///   - bundleID: The bundle identifier of the app that contains the extension; `nil` finds it. In a watch app with
    ///     an iPhone companion, it's the companion's identifier.
    ///   - nonRenewingDurations: How long access lasts, in seconds, by product, as in
    ///     ``StoreConfiguration/nonRenewingDurations``.
    public init(
        _ cache: any EntitlementCache, app bundleID: String? = nil, nonRenewingDurations: [String: TimeInterval] = [:]
    ) {
        self.init(cache, nonRenewingDurations: nonRenewingDurations) { .process.given(app: bundleID) }
    }

    /// - Parameter trust: Returns the app, the environment, and the device.
    package init(
        _ cache: any EntitlementCache, nonRenewingDurations: [String: TimeInterval],
        trust: @escaping @Sendable () -> HistoryTrust
    ) {
        self.cache = cache
        durations = nonRenewingDurations.filter { $0.value > 0 && $0.value.isFinite }
        self.trust = trust
    }

    /// Returns what the customer may use at a moment: now, or at the date of a later entry of a widget.
    ///
    /// ``StoreEntitlements/nextChange`` is when the first period ends, and the date of the next entry.
    /// ``StoreEntitlements/basis`` is `.cached(asOf:)` with the date of the last confirmation, or `.unknown` if there
    /// is no cache or if nothing in it is accepted. ``StoreEntitlements/issues`` says why. A date before the latest
    /// date that Apple has signed is replaced by that one.
    public func entitlements(at date: Date = Date()) -> StoreEntitlements {
        let (reading, issues) = read()
        guard let reading else { return StoreEntitlements([], basis: .unknown, issues: issues) }
        let listing = reading.listing
        let signed = listing.latestSignedDate ?? date
        let moment = max(date, signed)
        let all = StoreEntitlement.best(
            reading.purchases.flatMap {
                [$0.current(at: moment)?.entitlement, $0.ended(at: moment)].compactMap(\.self)
            })
        let isKnown = listing.confirmedDate != nil || !(listing.transactions + listing.past).isEmpty
        return StoreEntitlements(
            all, basis: isKnown ? .cached(asOf: listing.confirmedDate ?? signed) : .unknown,
            issues: date.addingTimeInterval(300) < signed ? issues.union([.deviceClockBehind]) : issues,
            nextChange: all.filter(\.isEntitled).compactMap(\.accessEndDate).filter { $0 > moment }.min())
    }

    /// When the app last saved the cache; `nil` if there is no cache, and if it was changed since.
    public var savedDate: Date? { read().reading?.listing.savedDate }

    /// Reads the cache, and verifies the texts unless they are the same as the last time.
    private func read() -> (reading: Reading?, issues: Set<StoreEntitlements.Issue>) {
        let data: Data?
        do {
            data = try cache.load()
        } catch {
            return (nil, [.cacheRefused("The file can't be read: \(error.nameForLog)")])
        }
        guard let data, !data.isEmpty else { return (nil, []) }
        if let known = known.withLock({ $0 }), known.data == data { return (known, known.issues) }
        let trust = trust()
        let (listing, issues) = EntitlementStorage.decode(data, trust)
        let reading = Reading(
            data: data, listing: listing, issues: issues,
            purchases: KnownPurchase.all(
                listing.transactions.map { KnownPurchase.Record(signedTransaction: $0) }
                    + listing.past.map { KnownPurchase.Record(signedTransaction: $0, isPast: true) },
                Dictionary(grouping: listing.renewals, by: \.subscriptionID), durations: durations))
        // What isn't known of the device may be known the next time.
        if EntitlementCacheSeal(trust) != nil { known.withLock { $0 = reading } }
        return (reading, issues)
    }
}
