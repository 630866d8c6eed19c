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

    /// Creates a store for a customer who is in a named state, for previews, snapshots and tests.
    ///
    /// ```swift
    /// let store = try PurchaseStore(.trialEndsToday, of: "club.monthly", in: catalog)
    /// ```
    /// To control the App Store afterwards, make it with `SimulatedAppStore(_:of:in:)`, and the store with
    /// ``init(simulating:engine:configuration:)``.
    /// - Parameters:
    ///   - customer: The state of the customer.
    ///   - productID: The product that the customer has, had, or asks for.
    ///   - catalog: What the App Store sells.
    ///   - engine: The engine to play; `automatic` means the engine of the configuration, or else StoreKit 2.
    ///   - configuration: The configuration.
    /// - Throws: `SimulatorError` for a product that isn't in the catalog or can't be in the state.
    public convenience init(
        _ customer: Customer, of productID: String, in catalog: SimulatedCatalog, engine: StoreEngine = .automatic,
        configuration: StoreConfiguration = StoreConfiguration()
    ) throws(SimulatorError) {
        let appStore = try SimulatedAppStore(customer, of: productID, in: catalog)
        self.init(simulating: appStore, engine: engine, configuration: configuration)
    }

    /// Creates a store for the customer that the launch arguments name, or returns `nil` if they name none.
    ///
    /// UI tests and screenshots launch a debug build with `-Customer "gracePeriod:club.monthly"`: a state, a colon, and a
    /// product. The name of the state can be shortened to its beginning, such as `grace`.
    ///
    /// ```swift
    /// #if DEBUG
    /// let store = try PurchaseStore(launchArguments: ProcessInfo.processInfo.arguments, in: catalog) ?? PurchaseStore()
    /// #else
    /// let store = PurchaseStore()
    /// #endif
    /// ```
    /// - Parameters:
    ///   - launchArguments: The arguments of the process.
    ///   - catalog: What the App Store sells.
    ///   - configuration: The configuration.
    /// - Throws: `SimulatorError` if the value of `-Customer` is missing, has another form, names no state, or if the
    ///   product isn't in the catalog or can't be in the state.
    public convenience init?(
        launchArguments: [String], in catalog: SimulatedCatalog, configuration: StoreConfiguration = StoreConfiguration()
    ) throws(SimulatorError) {
        guard let place = launchArguments.firstIndex(of: "-Customer") else { return nil }
        let value = launchArguments.dropFirst(place + 1).first ?? ""
        let parts = value.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, let customer = Customer(parts[0]) else {
            let names = Customer.allCases.map(\.description).joined(separator: ", ")
            throw SimulatorError(
                .unsuitableProduct,
                "-Customer needs a state and a product, such as gracePeriod:club.monthly. "
                    + "\"\(value)\" has another form or names another state. States: \(names).")
        }
        try self.init(customer, of: parts[1], in: catalog, configuration: configuration)
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
