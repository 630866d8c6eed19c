public import AppStoreSimulator
public import AsyncStoreKit

extension PurchaseStore {
    /// Creates a store over a simulated App Store, in a new launch of the app, for tests and previews.
    ///
    /// The store doesn't share anything with other stores of the process. It uses the clock of the App Store, unless the
    /// configuration has a clock.
    /// - Parameters:
    ///   - appStore: The App Store.
    ///   - engine: The engine to play; `automatic` means the engine of the configuration, or else StoreKit 2.
    ///   - configuration: The configuration.
    public convenience init(
        simulating appStore: SimulatedAppStore, engine: StoreEngine = .automatic,
        configuration: StoreConfiguration = StoreConfiguration()
    ) {
        let engine = engine == .automatic ? configuration.engine : engine
        self.init(backend: SimulatedBackend(appStore, engine: engine), configuration: configuration)
    }

    /// Creates a store over a simulated backend. The backend decides which engine the store uses.
    ///
    /// The store doesn't share anything with other stores of the process. It uses the clock of the App Store, unless the
    /// configuration has a clock.
    public convenience init(backend: SimulatedBackend, configuration: StoreConfiguration = StoreConfiguration()) {
        self.init(over: backend, configuration: configuration)
    }
}

extension SimulatedAppStore {
    /// Ends the current launch of the app, if there is one, and starts the next launch with a new store.
    ///
    /// Unfinished purchases are offered to the new store. The store of the launch before receives nothing any more. Where
    /// its process would be gone, calls that still wait throw ``StoreError/Code/backendUnavailable``, so that no test
    /// waits for them.
    /// - Parameters:
    ///   - configuration: The configuration of the new store.
    ///   - engine: The engine to play; `automatic` means the engine of the configuration, or else StoreKit 2.
    public func relaunch(
        _ configuration: StoreConfiguration = StoreConfiguration(), engine: StoreEngine = .automatic
    ) -> PurchaseStore {
        let launch = launch()
        let backend = SimulatedBackend(
            launch: launch, engine: engine == .automatic ? configuration.engine : engine)
        launch.onEnd { [weak backend] in backend?.terminate() }
        return PurchaseStore(backend: backend, configuration: configuration)
    }
}
