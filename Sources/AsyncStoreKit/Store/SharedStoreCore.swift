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
    /// `nil` for cores over other queues than the process's.
    private let mark: ProcessMark?

    /// - Parameters:
    ///   - engineOfBlockAPI: Returns the engine that the block API names; `nil` in a process without the block API.
    ///   - mark: Decides which copy of this module observes the queue; `nil` if there can't be another.
    ///   - makeBackend: Makes a backend for an engine, which is not ``StoreEngine/automatic``.
    init(
        engineOfBlockAPI: @escaping @Sendable () -> StoreEngine? = { nil }, mark: ProcessMark?,
        makeBackend: @escaping @Sendable (StoreEngine) -> any StoreBackend
    ) {
        self.engineOfBlockAPI = engineOfBlockAPI
        self.makeBackend = makeBackend
        self.mark = mark
    }

    package convenience init(
        engineOfBlockAPI: @escaping @Sendable () -> StoreEngine? = { nil },
        makeBackend: @escaping @Sendable (StoreEngine) -> any StoreBackend
    ) {
        self.init(engineOfBlockAPI: engineOfBlockAPI, mark: nil, makeBackend: makeBackend)
    }

    /// Returns the core. Creates the core, with a backend, at the first call.
    ///
    /// An existing core takes over the mode, and keeps its engine: two engines that finish would take each other's
    /// transactions away. The block API's engine is used for every store, so that the order in which stores are made
    /// decides nothing.
    func core(_ configuration: StoreConfiguration) -> StoreCore {
        let named = engineOfBlockAPI()
        let (core, engine, isNew) = shared.withLock { shared in
            if let core = shared.core { return (core, shared.engine, false) }
            let engine = named ?? configuration.engine.resolved
            let core = StoreCore(backend: makeBackend(engine), configuration: configuration)
            shared = Shared(core: core, engine: engine)
            return (core, engine, true)
        }
        // Outside the lock, because the queue may report from inside the call.
        if isNew { activate(core) } else { core.enqueue(.change { $0.setMode(configuration.mode) }) }
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

    /// Starts a core, unless another copy of this module observes the queue. Then every call that needs the queue
    /// fails.
    private func activate(_ core: StoreCore) {
        guard let mark else { return core.activate() }
        if let notice = DevelopmentHost.notice(in: ProcessInfo.processInfo.environment) { core.log(.warning, notice) }
        guard let error = mark.claim() else { return core.activate() }
        core.log(.error, error.message)
        core.enqueue(.event(.terminated(error)))
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
    package static let shared = SharedStoreCore(engineOfBlockAPI: { blockAPI?.engine.resolved }, mark: ProcessMark()) {
        engine in
        engine == .storeKit1 ? StoreKit1Backend() as any StoreBackend : StoreKit2Backend()
    }

    /// The block API of a process that links its module.
    package static var blockAPI: (any BlockAPI.Type)? {
        let registration: Any.Type = BlockAPIRegistration.self
        return registration as? any BlockAPI.Type
    }
}

/// Conforms to ``BlockAPI`` in a process that links the block API: its module declares the conformance.
///
/// A conformance exists before any code of its module runs. So it's known to a store that is created first, without a
/// name of that module in this one.
package enum BlockAPIRegistration {}

/// Names the engine of a process that links the block API.
package protocol BlockAPI {
    /// The engine; StoreKit 1 unless the app names another.
    static var engine: StoreEngine { get }
}
