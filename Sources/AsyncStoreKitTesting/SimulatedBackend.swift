public import AppStoreSimulator
public import AsyncStoreKit
import Foundation

/// StoreKit over a simulated App Store, for tests and previews on every platform.
///
/// A backend simulates StoreKit 2 by default, or StoreKit 1, with only the features of that engine. The store over the
/// backend runs the same code as on a device.
///
/// A backend belongs to one launch of the app. To simulate the next launch, use
/// `SimulatedAppStore.relaunch(_:engine:)`, which ends the former launch.
public final class SimulatedBackend: StoreBackend, RelayBackend {
    package let next: any StoreBackend
    private let launch: SimulatedLaunch
    private let receiver = Locked<(@Sendable (QueueEvent) -> Void)?>(nil)

    /// Creates a backend for one launch of the app.
    /// - Parameters:
    ///   - launch: The launch.
    ///   - engine: StoreKit 2 or StoreKit 1. `automatic` means StoreKit 2 on every platform.
    public convenience init(launch: SimulatedLaunch, engine: StoreEngine = .storeKit2) {
        // The clock of a simulated App Store doesn't advance by itself, so a pause in a restore would never end. The
        // pause passes at once, if the second read then lists more.
        var timing = StoreKit2Backend.Timing()
        timing.restorePause = { _ in launch.store.advanceIfListsChange(within: 1) }
        self.init(launch: launch, engine: engine, timing: timing)
    }

    /// Creates a backend for a new launch of an app over an App Store.
    /// - Parameters:
    ///   - appStore: The App Store. Its former launch ends.
    ///   - engine: StoreKit 2 or StoreKit 1. `automatic` means StoreKit 2 on every platform.
    public convenience init(_ appStore: SimulatedAppStore, engine: StoreEngine = .storeKit2) {
        self.init(launch: appStore.launch(), engine: engine)
    }

    /// Creates a backend with other pauses.
    /// - Parameters:
    ///   - launch: The launch.
    ///   - engine: StoreKit 2 or StoreKit 1.
    ///   - timing: The pauses of a backend over StoreKit 2.
    package init(launch: SimulatedLaunch, engine: StoreEngine, timing: StoreKit2Backend.Timing) {
        self.launch = launch
        switch engine {
        case .storeKit1: next = SimulatedPaymentQueue(launch: launch)
        case .storeKit2, .automatic: next = StoreKit2Backend(environment: SimulatedStoreKit2(launch), timing: timing)
        }
    }

    /// Ends the launch, as the end of the process does. Waiting calls throw `StoreError.Code.backendUnavailable`.
    public func terminate() {
        receiver.withLock { $0 }?(.terminated(unavailable))
        deactivate()
    }

    package func activate(_ receive: @escaping @Sendable (QueueEvent) -> Void) {
        receiver.withLock { $0 = receive }
        next.activate(receive)
    }

    package func deactivate() {
        receiver.withLock { $0 = nil }
        next.deactivate()
    }
}

// After the end of its launch, a backend rejects every call.
extension SimulatedBackend {
    package func submit(_ payment: PaymentRequest, as id: CallID) throws(StoreError) {
        try checkLaunch()
        try next.submit(payment, as: id)
    }

    package func restoreCompletedTransactions(applicationUsername: String?) throws(StoreError) {
        try checkLaunch()
        try next.restoreCompletedTransactions(applicationUsername: applicationUsername)
    }

    package func products(for productIDs: Set<String>) async throws(StoreError) -> ProductsResponse {
        try await call { () async throws(StoreError) in try await next.products(for: productIDs) }
    }

    package func refreshReceipt() async throws(StoreError) {
        try await call { () async throws(StoreError) in try await next.refreshReceipt() }
    }

    package func purchaseHistory(groups: Set<String>) async throws(StoreError) -> PurchaseHistory {
        try await call { () async throws(StoreError) in try await next.purchaseHistory(groups: groups) }
    }

    package func completePurchaseHistory() async throws(StoreError) -> PurchaseHistory {
        try await call { () async throws(StoreError) in try await next.completePurchaseHistory() }
    }

    /// Makes a call. If it fails and the launch has ended, the error says that the launch has ended.
    private func call<Value: Sendable>(
        _ body: () async throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        try checkLaunch()
        do throws(StoreError) {
            return try await body()
        } catch {
            try checkLaunch()
            throw error
        }
    }

    private func checkLaunch() throws(StoreError) {
        guard launch.isCurrent else { throw unavailable }
    }

    private var unavailable: StoreError {
        StoreError(
            .backendUnavailable,
            "This launch of the app has ended, because the simulated App Store has a newer launch. Use the newer store."
        )
    }
}
