extension Store {
    private struct Shared: Sendable {
        weak var core: StoreCore?
    }

    private static let shared = Locked(Shared())

    /// The store over StoreKit's default payment queue. Make it when the app launches: it observes the queue from here on.
    ///
    /// All of these share one core. A configuration counts when the core is made, by the first of them; after that only its
    /// ``StoreConfiguration/mode`` is taken over, and logged.
    public convenience init(configuration: StoreConfiguration = StoreConfiguration()) {
        let (core, isNew) = Store.shared.withLock { shared in
            if let core = shared.core { return (core, false) }
            let core = StoreCore(backend: StoreKitBackend(), configuration: configuration)
            shared.core = core
            return (core, true)
        }
        self.init(core: core)
        if isNew {
            core.activate()
        } else {
            core.send(.setMode(configuration.mode))
        }
    }

    /// The store over StoreKit's default payment queue, in the mode given.
    public convenience init(mode: StoreMode) {
        self.init(configuration: StoreConfiguration(mode: mode))
    }
}
