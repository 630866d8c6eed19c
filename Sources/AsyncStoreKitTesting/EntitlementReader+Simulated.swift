public import AppStoreSimulator
public import AsyncStoreKit
public import Foundation

extension EntitlementReader {
    /// Creates a reader in an extension of an app on the simulated device, for tests and previews.
    ///
    /// ```swift
    /// let configuration = StoreConfiguration(entitlementCache: file)
    /// let store = PurchaseStore(simulating: appStore, configuration: configuration)
    /// let reader = EntitlementReader(file, simulating: appStore)
    /// ```
    /// To simulate another device, such as a watch, use the object that `SimulatedAppStore.newDevice()` returns.
    /// - Parameters:
    ///   - cache: The cache that the app's store has.
    ///   - appStore: The App Store of the app.
    ///   - bundleID: The bundle identifier of the app; `nil` for the one that the App Store has.
    ///   - nonRenewingDurations: How long access lasts, in seconds, by product.
    public init(
        _ cache: any EntitlementCache, simulating appStore: SimulatedAppStore, app bundleID: String? = nil,
        nonRenewingDurations: [String: TimeInterval] = [:]
    ) {
        self.init(cache, nonRenewingDurations: nonRenewingDurations) { HistoryTrust(appStore).given(app: bundleID) }
    }
}
