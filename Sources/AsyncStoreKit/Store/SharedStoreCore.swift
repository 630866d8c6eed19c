import Foundation

/// The core that all stores of a process share while at least one exists.
package final class SharedStoreCore: Sendable {
    private struct Shared: Sendable {
        weak var core: StoreCore?
        var engine = StoreEngine.automatic
    }

    private let shared = Locked(Shared())
    private let engineOfBlockAPI: @Sendable () -> StoreEngine?
    private let makeBackend: @Sendable (StoreEngine) -> any StoreBackend

    /// - Parameters:
    ///   - engineOfBlockAPI: Returns the engine that the block API names; `nil` in a process without the block API.
    ///   - makeBackend: Makes a backend for an engine, which is not ``StoreEngine/automatic``.
    package init(
        engineOfBlockAPI: @escaping @Sendable () -> StoreEngine? = { nil },
        makeBackend: @escaping @Sendable (StoreEngine) -> any StoreBackend
    ) {
        self.engineOfBlockAPI = engineOfBlockAPI
        self.makeBackend = makeBackend
    }

    /// Returns the core. Creates the core, with a backend, at the first call.
    ///
    /// An existing core takes over the mode, and keeps its engine: two engines that finish would take each other's
    /// transactions away. The block API's engine and its way of working count for every store, so that the order in
    /// which stores are made decides nothing.
    func core(_ configuration: StoreConfiguration) -> StoreCore {
        let named = engineOfBlockAPI()
        let (core, engine, isNew) = shared.withLock { shared in
            if let core = shared.core { return (core, shared.engine, false) }
            let engine = named ?? configuration.engine.resolved
            let core = StoreCore(
                backend: makeBackend(engine),
                configuration: named == nil ? configuration : configuration.workingOnCallersThread())
            shared = Shared(core: core, engine: engine)
            return (core, engine, true)
        }
        // Outside the lock, because the queue may report from inside the call.
        if isNew { core.activate() } else { core.enqueue(.setMode(configuration.mode)) }
        if configuration.engine != .automatic, configuration.engine != engine {
            let reason =
                named == engine
                ? "SwiftyStoreKit.engine names that one. Set SwiftyStoreKit.engine before you make the first store."
                : "The first store decides."
            let message =
                "A store for \(configuration.engine) runs over \(engine), because a process has one engine. \(reason)"
            Self.log(message, for: configuration, to: isNew ? nil : core)
        }
        let ignored = isNew ? [] : configuration.ignoredSettings(under: core.configuration)
        if !ignored.isEmpty {
            let names = ignored.joined(separator: ", ")
            Self.log(
                "The configuration of a second store is ignored: \(names). Give the configuration to the first store of the process.",
                for: configuration, to: core)
        }
        return core
    }

    /// Logs an error to the log of the core, and to the log of the configuration that the core ignores.
    private static func log(_ message: String, for configuration: StoreConfiguration, to core: StoreCore?) {
        core?.log(.error, message)
        if core == nil || configuration.hasOwnLog { configuration.log(StoreLogEvent(.error, message)) }
    }

    /// The engine of the core, while there is one.
    package var engine: StoreEngine? { shared.withLock { $0.core == nil ? nil : $0.engine } }
}

/// The core over the App Store of the process.
package enum ProcessStore {
    package static let shared = SharedStoreCore(engineOfBlockAPI: { blockAPI?.engine.resolved }) { engine in
        engine == .storeKit1 ? StoreKit1Backend() as any StoreBackend : StoreKit2Backend()
    }

    /// The class `SwiftyStoreKit`, in a process that links its module: this module doesn't depend on that one.
    package static var blockAPI: (any BlockAPI.Type)? {
        NSClassFromString("SwiftyStoreKit.SwiftyStoreKit") as? any BlockAPI.Type
    }
}

/// The class of the module `SwiftyStoreKit`, which names the engine of a process that links the module.
package protocol BlockAPI: AnyObject {
    /// The engine; StoreKit 1 unless the app names another.
    static var engine: StoreEngine { get }
}
