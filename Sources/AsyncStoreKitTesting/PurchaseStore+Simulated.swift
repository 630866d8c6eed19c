public import AppStoreSimulator
public import AsyncStoreKit

extension PurchaseStore {
    /// Creates a store over a simulated App Store, in a new launch of the app, for tests and previews.
    ///
    /// The store doesn't share anything with other stores of the process. It uses the clock of the App Store, unless
    /// the configuration has a clock.
    /// - Parameters:
    ///   - appStore: The App Store.
    ///   - engine: The engine to simulate. `automatic` means the engine of the configuration, or StoreKit 2.
    ///   - configuration: The configuration.
    public convenience init(
        simulating appStore: SimulatedAppStore, engine: StoreEngine = .automatic,
        configuration: StoreConfiguration = StoreConfiguration()
    ) {
        let engine = engine == .automatic ? configuration.engine : engine
        self.init(backend: SimulatedBackend(appStore, engine: engine), configuration: configuration)
    }

    /// Creates a store for a customer in a named state, for previews, snapshots and tests.
    ///
    /// ```swift
    /// let store = try PurchaseStore(
    ///     .trialEndsToday, of: "club.monthly", in: catalog)
    /// ```
    /// To control the App Store afterwards, create the App Store with `SimulatedAppStore(_:of:in:)` and the store with
    /// ``init(simulating:engine:configuration:)``.
    /// - Parameters:
    ///   - customer: The state of the customer.
    ///   - productID: The product that the customer has, had or requests.
    ///   - catalog: The catalog of the App Store.
    ///   - engine: The engine to simulate. `automatic` means the engine of the configuration, or StoreKit 2.
    ///   - configuration: The configuration.
    /// - Throws: `SimulatorError` for a product that isn't in the catalog or can't be in the state.
    public convenience init(
        _ customer: Customer, of productID: String, in catalog: SimulatedCatalog, engine: StoreEngine = .automatic,
        configuration: StoreConfiguration = StoreConfiguration()
    ) throws(SimulatorError) {
        let appStore = try SimulatedAppStore(customer, of: productID, in: catalog)
        self.init(simulating: appStore, engine: engine, configuration: configuration)
    }

    /// Creates a store for the customer in the launch arguments; `nil` if the arguments contain no customer.
    ///
    /// For UI tests and screenshots, launch a debug build with `-Customer "gracePeriod:club.monthly"`: a state, a colon
    /// and a product. You can abbreviate the name of the state to an unambiguous prefix, such as `grace`.
    ///
    /// ```swift
    /// #if DEBUG
    /// let arguments = ProcessInfo.processInfo.arguments
    /// let store = try PurchaseStore(launchArguments: arguments, in: catalog)
    ///     ?? PurchaseStore()
    /// #else
    /// let store = PurchaseStore()
    /// #endif
    /// ```
    /// - Parameters:
    ///   - launchArguments: The arguments of the process.
    ///   - catalog: The catalog of the App Store.
    ///   - configuration: The configuration.
    /// - Throws: `SimulatorError` if the value of `-Customer` is missing, has another form or contains an unknown
    ///   state, or if the product isn't in the catalog or can't be in the state.
    public convenience init?(
        launchArguments: [String], in catalog: SimulatedCatalog,
        configuration: StoreConfiguration = StoreConfiguration()
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

    /// Creates a store over a simulated backend. The backend selects the engine.
    ///
    /// The store doesn't share anything with other stores of the process. It uses the clock of the App Store, unless
    /// the configuration has a clock.
    public convenience init(backend: SimulatedBackend, configuration: StoreConfiguration = StoreConfiguration()) {
        self.init(over: backend, configuration: configuration)
    }
}

extension SimulatedAppStore {
    /// Ends the current launch of the app, if any, and starts the next launch with a new store.
    ///
    /// The new store receives the unfinished purchases. The store of the former launch receives no more events. On a
    /// device, its process would have ended; here, its waiting calls throw ``StoreError/Code/backendUnavailable``, so
    /// that tests don't wait for them.
    /// - Parameters:
    ///   - configuration: The configuration of the new store.
    ///   - engine: The engine to simulate. `automatic` means the engine of the configuration, or StoreKit 2.
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
