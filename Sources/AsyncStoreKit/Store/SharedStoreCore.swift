/// The core that all stores of a process share, for as long as there are any.
package final class SharedStoreCore: Sendable {
    private struct Shared: Sendable {
        weak var core: StoreCore?
        var engine = StoreEngine.automatic
    }

    private let shared = Locked(Shared())
    private let makeBackend: @Sendable (StoreEngine) -> any StoreBackend

    /// - Parameter makeBackend: Makes a backend for an engine, which is not ``StoreEngine/automatic``.
    package init(makeBackend: @escaping @Sendable (StoreEngine) -> any StoreBackend) {
        self.makeBackend = makeBackend
    }

    /// The core; a new one, over a backend of its own, when there is none. What is not new takes over the mode, and keeps its engine: two
    /// that finish would take each other's transactions away.
    func core(_ configuration: StoreConfiguration) -> StoreCore {
        let (core, engine, isNew) = shared.withLock { shared in
            if let core = shared.core { return (core, shared.engine, false) }
            let engine = configuration.engine.resolved
            let core = StoreCore(backend: makeBackend(engine), configuration: configuration)
            shared = Shared(core: core, engine: engine)
            return (core, engine, true)
        }
        // Not under the lock: the queue may report from inside the call.
        guard !isNew else {
            core.activate()
            return core
        }
        core.enqueue(.setMode(configuration.mode))
        if configuration.engine != .automatic, configuration.engine != engine {
            let message =
                "A store for \(configuration.engine) joins the one that there is, which is over \(engine): a process has one engine."
            core.log(.warning, message)
            configuration.log(StoreLogEvent(.warning, message))
        }
        return core
    }

    /// The backend of the core, while there is one.
    package var backend: (any StoreBackend)? { shared.withLock { $0.core }?.backend }
}

/// The core over the App Store of the process.
package enum ProcessStore {
    package static let shared = SharedStoreCore { engine in
        engine == .storeKit1 ? StoreKit1Backend() as any StoreBackend : StoreKit2Backend()
    }
}
