public import AppStoreSimulator
public import Foundation

/// The simulated App Store that stands behind `SKPaymentQueue.default()`, the requests and the receipt on Linux.
///
/// There is one for the whole process. Unless a program installs its own, it sells nothing. On Apple's platforms there is no such type.
public enum StoreKitSimulation {
    /// Why a store could not be installed.
    public enum InstallationError: Error, Sendable, Hashable, CaseIterable {
        /// The payment queue, a request or the receipt has been used before: what observes one store cannot move to another.
        case alreadyInUse
    }

    private enum State {
        case installed(SimulatedAppStore)
        case running(SimulatedLaunch)
    }

    private static let state = Protected<State?>(nil)

    /// Makes a store the one for the whole process.
    ///
    /// To be called before anything else of this module is used. Called twice before that, the later store counts. The app's launch
    /// on the store begins at first use; a launch that is made on the store afterwards replaces it, and ends what is observed here.
    ///
    /// - Throws: `.alreadyInUse` when it is too late; nothing has changed then.
    public static func install(_ store: SimulatedAppStore) throws(InstallationError) {
        let accepted = state.withLock { state in
            if case .running = state { return false }
            state = .installed(store)
            return true
        }
        guard accepted else { throw .alreadyInUse }
    }

    /// The receipt file as it lies on the simulated device now; `nil` until there is one.
    ///
    /// It stands for what `Bundle.main.appStoreReceiptURL` leads to on Apple's platforms.
    public static func receiptData() -> Data? {
        launch.receipt
    }

    @TaskLocal private static var launchOfTask: SimulatedLaunch?

    /// Has everything that StoreKit 2 does in an operation, and in the tasks that it makes, happen in a launch of its own instead of the
    /// process's: so that tests can run beside one another, each with its App Store.
    ///
    /// Detached tasks do not inherit it. A product and a transaction know their launch. StoreKit 1 stays with the process's.
    public static func withLaunch<Result>(
        _ launch: SimulatedLaunch, operation: () async throws -> Result
    ) async rethrows -> Result {
        try await $launchOfTask.withValue(launch) { try await operation() }
    }

    /// The launch of the current task: the process's, unless there is another.
    package static var currentLaunch: SimulatedLaunch {
        launchOfTask ?? launch
    }

    /// The app's run on the process-wide store. Begins it at first use.
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
