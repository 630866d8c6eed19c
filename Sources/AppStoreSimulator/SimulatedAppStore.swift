public import Foundation

/// A deterministic App Store in the process.
public final class SimulatedAppStore: Sendable {
    /// When events are delivered.
    public enum Pacing: Sendable, Hashable {
        /// As soon as they are due.
        case automatic
        /// Only by ``SimulatedAppStore/step()`` and ``SimulatedAppStore/runUntilIdle()``, on the calling thread.
        case manual
    }

    /// Makes a store that sells what the catalog lists, to an account that has bought nothing yet.
    public init(catalog: Catalog, seed: UInt64 = 1, pacing: Pacing = .automatic, bundleIdentifier: String = "com.example.app") {}
    /// The switches.
    public var behavior: SimulatorBehavior { get { SimulatorBehavior() } set {} }
    /// Ask to Buy.
    public var askToBuyEnabled: Bool { get { false } set {} }
    /// Interrupted purchases.
    public var interruptedPurchasesEnabled: Bool { get { false } set {} }
    /// Failing purchases.
    public var failTransactionsEnabled: Bool { get { false } set {} }
    /// The error of failing purchases.
    public var failureError: SimulatedError { get { .unknown } set {} }
    /// Whether a subscription that cannot be renewed goes on for a while.
    public var billingGracePeriodIsEnabled: Bool { get { false } set {} }
    /// Whether renewals cannot be paid.
    public var shouldEnterBillingRetryOnRenewal: Bool { get { false } set {} }
    /// How fast subscriptions run.
    public var timeRate: TimeRate { get { .realTime } set {} }
    /// The storefront.
    public var storefront: SimulatedStorefront { get { .unitedStates } set {} }
    /// The locale.
    public var localeIdentifier: String { get { "" } set {} }
    /// Whether the device may pay.
    public var canMakePayments: Bool { get { true } set {} }
    /// What is for sale.
    public var catalog: Catalog { get { Catalog() } set {} }
    /// The history.
    public func allTransactions() -> [SimulatedHistoryRecord] { [] }
    /// Approves.
    public func approveAskToBuyTransaction(identifier: SimulatedTransaction.ID) throws(SimulatorError) {}
    /// Declines.
    public func declineAskToBuyTransaction(identifier: SimulatedTransaction.ID) throws(SimulatorError) {}
    /// Resolves.
    public func resolveIssueForTransaction(identifier: SimulatedTransaction.ID) throws(SimulatorError) {}
    /// Refunds.
    public func refundTransaction(identifier: String) throws(SimulatorError) {}
    /// Renews.
    public func forceRenewalOfSubscription(productIdentifier: String) throws(SimulatorError) {}
    /// Expires.
    public func expireSubscription(productIdentifier: String) throws(SimulatorError) {}
    /// Enables.
    public func enableAutoRenewForTransaction(identifier: String) throws(SimulatorError) {}
    /// Disables.
    public func disableAutoRenewForTransaction(identifier: String) throws(SimulatorError) {}
    /// Buys on another device.
    public func buyProduct(productIdentifier: String, quantity: Int = 1, applicationUsername: String? = nil) throws(SimulatorError) {}
    /// Promotes.
    public func promotePurchase(productIdentifier: String) throws(SimulatorError) {}
    /// Revokes.
    public func revokeFamilySharing(productIdentifier: String) throws(SimulatorError) {}
    /// Clears.
    public func clearTransactions() {}
    /// Resets.
    public func resetToDefaultState() {}
    /// Finishes elsewhere.
    public func finishElsewhere(_ id: SimulatedTransaction.ID) {}
    /// Reports again.
    public func reportAgain(_ id: SimulatedTransaction.ID) {}
    /// Scripts.
    public func enqueue(_ outcome: SimulatedOutcome, for productIdentifier: String? = nil) {}
    /// Now.
    public var now: Date { Date(timeIntervalSince1970: 0) }
    /// Advances.
    public func advance(by seconds: TimeInterval) {}
    /// Steps.
    @discardableResult public func step() -> Bool { false }
    /// Runs.
    public func runUntilIdle() {}
    /// Counts.
    public var pendingEventCount: Int { 0 }
    /// Waits.
    public func waitUntilIdle() async {}
    /// Launches.
    public func launch() -> SimulatedLaunch { SimulatedLaunch(store: self) }
    /// Misuses.
    public var misuses: [SimulatorMisuse] { [] }
}
