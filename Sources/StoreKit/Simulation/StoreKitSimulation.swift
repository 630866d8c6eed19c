public import AppStoreSimulator
public import Foundation

/// The simulated App Store behind `SKPaymentQueue.default()`, the requests and the receipt on Linux.
///
/// A process has one store. Unless a program installs its own store, the catalog is empty. Apple's platforms don't have
/// this type.
public enum StoreKitSimulation {
    /// The reason that a store wasn't installed.
    public enum InstallationError: Error, Sendable, Hashable, CaseIterable {
        /// The payment queue, a request or the receipt is already in use, and its observers can't move to another
        /// store.
        case alreadyInUse
    }

    private enum State {
        case installed(SimulatedAppStore)
        case running(SimulatedLaunch)
    }

    private static let state = Protected<State?>(nil)

    /// Installs the store of the process.
    ///
    /// Call this function before you use anything else in this module. If you call it twice before that, the later
    /// store replaces the earlier one. The app's launch on the store begins at first use. A later launch of the same
    /// store replaces this launch and ends its observations.
    ///
    /// - Throws: `.alreadyInUse` if a store is already in use. The store isn't replaced then.
    public static func install(_ store: SimulatedAppStore) throws(InstallationError) {
        let accepted = state.withLock { state in
            if case .running = state { return false }
            state = .installed(store)
            return true
        }
        guard accepted else { throw .alreadyInUse }
    }

    /// Returns the current receipt file of the simulated device; `nil` without a receipt.
    ///
    /// On Apple's platforms, read the file at `Bundle.main.appStoreReceiptURL` instead.
    public static func receiptData() -> Data? {
        launch.receipt
    }

    @TaskLocal private static var launchOfTask: SimulatedLaunch?

    /// Runs an operation whose StoreKit 2 calls use another launch than that of the process.
    ///
    /// Use this function to run tests in parallel, each with its own App Store. Child tasks inherit the launch,
    /// detached tasks don't. A product and a transaction keep their launch. StoreKit 1 always uses the launch of the
    /// process.
    ///
    /// The operation runs in the caller's isolation.
    nonisolated(nonsending) public static func withLaunch<Result>(
        _ launch: SimulatedLaunch, operation: nonisolated(nonsending) () async throws -> Result
    ) async rethrows -> Result {
        try await $launchOfTask.withValue(launch) { try await operation() }
    }

    /// The launch of the current task: the launch of the process, unless ``withLaunch(_:operation:)`` set another one.
    package static var currentLaunch: SimulatedLaunch {
        launchOfTask ?? launch
    }

    /// The app's launch on the store of the process. Begins at first use.
    package static var launch: SimulatedLaunch {
        state.withLock { state in
            let store: SimulatedAppStore
            switch state {
            case .running(let launch): return launch
            case .installed(let installed): store = installed
            case nil: store = SimulatedAppStore(catalog: SimulatedCatalog())
            }
            let launch = store.launch()
            state = .running(launch)
            return launch
        }
    }
}
