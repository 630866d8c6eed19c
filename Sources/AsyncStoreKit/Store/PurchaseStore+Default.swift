extension PurchaseStore {
    /// The store over StoreKit's default payment queue. Make it when the app launches: it observes the queue from here on.
    ///
    /// All of these share one core. A configuration counts when the core is made, by the first of them; after that only its
    /// ``StoreConfiguration/mode`` is taken over, and logged.
    public convenience init(configuration: StoreConfiguration = StoreConfiguration()) {
        self.init(sharing: .ofProcess, configuration: configuration)
    }

    /// The store over StoreKit's default payment queue, in the mode given.
    public convenience init(mode: StoreMode) {
        self.init(configuration: StoreConfiguration(mode: mode))
    }

    package convenience init(sharing shared: SharedStoreCore, configuration: StoreConfiguration = StoreConfiguration()) {
        self.init(core: shared.core(configuration))
    }
}
