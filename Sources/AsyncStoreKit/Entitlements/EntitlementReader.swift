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
/// A reader judges by dates alone: access to a subscription ends at ``StoreEntitlement/accessEndDate``, until the app
/// saves the renewal. You can call a reader from any thread. Copies share what they have read.
public struct EntitlementReader: Sendable {
    /// A cache that has been read.
    private struct Reading: Sendable {
        let data: Data
        let history: EntitlementHistory
        let doubts: Set<StoreEntitlements.Doubt>
        let evaluator: EntitlementEvaluator
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
    ///   - accessDurations: How long access lasts, in seconds, by product, as in
    ///     ``StoreConfiguration/accessDurations``.
    public init(
        _ cache: any EntitlementCache, app bundleID: String? = nil, accessDurations: [String: TimeInterval] = [:]
    ) {
        self.init(cache, accessDurations: accessDurations) { .process.given(app: bundleID) }
    }

    /// - Parameter trust: Returns the app, the environment, and the device.
    package init(
        _ cache: any EntitlementCache, accessDurations: [String: TimeInterval],
        trust: @escaping @Sendable () -> HistoryTrust
    ) {
        self.cache = cache
        durations = accessDurations.filter { $0.value > 0 && $0.value.isFinite }
        self.trust = trust
    }

    /// Returns what the customer may use at a moment: now, or at the date of a later entry of a widget.
    ///
    /// ``StoreEntitlements/nextChange`` is when the first period ends, and the date of the next entry.
    /// ``StoreEntitlements/basis`` is `.cached(asOf:)` with the date of the last confirmation, or `.unknown` if there
    /// is no cache or if nothing in it is accepted. ``StoreEntitlements/doubts`` says why. A date before the latest
    /// date that Apple has signed counts as that one.
    public func entitlements(at date: Date = Date()) -> StoreEntitlements {
        let (reading, doubts) = read()
        guard let reading else { return StoreEntitlements([], basis: .unknown, doubts: doubts) }
        let history = reading.history
        let signed = history.latestSignedDate ?? date
        let moment = max(date, signed)
        let all = reading.evaluator.entitlements(at: moment).map { history.addingTexts(to: $0) }
        let isKnown = history.confirmedDate != nil || !history.transactions.isEmpty
        return StoreEntitlements(
            all, basis: isKnown ? .cached(asOf: history.confirmedDate ?? signed) : .unknown,
            doubts: date.addingTimeInterval(300) < signed ? doubts.union([.deviceClockBehind]) : doubts,
            nextChange: all.filter(\.isEntitled).compactMap(\.accessEndDate).filter { $0 > moment }.min())
    }

    /// When the app last saved the cache; `nil` if there is no cache, and if it was changed since.
    public var savedDate: Date? { read().reading?.history.savedDate }

    /// Reads the cache, and verifies the texts unless they are the same as the last time.
    private func read() -> (reading: Reading?, doubts: Set<StoreEntitlements.Doubt>) {
        let data: Data?
        do {
            data = try cache.load()
        } catch {
            return (nil, [.cacheRefused("The file can't be read: \(error)")])
        }
        guard let data else { return (nil, []) }
        if let known = known.withLock({ $0 }), known.data == data { return (known, known.doubts) }
        let trust = trust()
        let (history, doubts) = EntitlementStorage.decode(data, trust)
        let reading = Reading(
            data: data, history: history, doubts: doubts,
            evaluator: EntitlementEvaluator(
                history.transactions.map(\.value), history.renewals.map(\.value), durations: durations))
        // What isn't known of the device may be known the next time.
        if EntitlementCacheSeal(trust) != nil { known.withLock { $0 = reading } }
        return (reading, doubts)
    }
}

extension EntitlementHistory {
    /// Adds the signed texts that an entitlement follows from.
    fileprivate func addingTexts(to entitlement: StoreEntitlement) -> StoreEntitlement {
        var entitlement = entitlement
        let key = EntitlementEvaluator.Key(entitlement)
        if let statement = transactions.first(where: { EntitlementEvaluator.Key($0.value) == key }) {
            entitlement.transaction = VerifiedTransaction(statement)
            let renewal = renewals.first { $0.value.originalTransactionID == statement.value.originalTransactionID }
            entitlement.signedRenewal = renewal.map(Shared.init)
        }
        return entitlement
    }
}
