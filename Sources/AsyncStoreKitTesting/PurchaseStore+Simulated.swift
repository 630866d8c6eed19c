public import AppStoreSimulator
public import AsyncStoreKit

extension PurchaseStore {
    /// A store over a simulated App Store, with a core of its own, for tests and previews. It lives by that App Store's time unless the
    /// configuration has a clock.
    public convenience init(backend: SimulatedBackend, configuration: StoreConfiguration = StoreConfiguration()) {
        self.init(over: backend, configuration: configuration)
    }
}

extension SimulatedAppStore {
    /// Ends the run of the app, if there is one, and begins the next: with a new store over this App Store.
    ///
    /// What is unfinished is offered to the new store. The store before receives nothing any more; where its process would be gone,
    /// calls that still wait fail with ``StoreError/Code/backendUnavailable``, so that no test waits for them.
    public func relaunch(_ configuration: StoreConfiguration = StoreConfiguration()) -> PurchaseStore {
        let launch = launch()
        let backend = SimulatedBackend(launch: launch)
        launch.onEnd { [weak backend] in backend?.terminate() }
        return PurchaseStore(backend: backend, configuration: configuration)
    }
}
