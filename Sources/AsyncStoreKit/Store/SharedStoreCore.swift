import Foundation

/// The core that all stores of a process share while at least one exists.
package final class SharedStoreCore: Sendable {
    private struct Shared: Sendable {
        weak var core: StoreCore?
        var engine = StoreEngine.automatic
    }

    private let shared = Locked(Shared())
    private let makeBackend: @Sendable (StoreEngine) -> any StoreBackend
    /// `nil` for cores over other queues than the process's.
    private let mark: ProcessMark?

    /// - Parameters:
    ///   - mark: Decides which copy of this module observes the queue; `nil` if there can't be another.
    ///   - makeBackend: Makes a backend for an engine, which is not ``StoreEngine/automatic``.
    package init(mark: ProcessMark? = nil, makeBackend: @escaping @Sendable (StoreEngine) -> any StoreBackend) {
        self.makeBackend = makeBackend
        self.mark = mark
    }

    /// Returns the core. Creates the core, with a backend, at the first call.
    ///
    /// An existing core takes over the mode, and keeps its engine: two engines that finish would take each other's
    /// transactions away.
    func core(_ configuration: StoreConfiguration) -> StoreCore {
        let (core, engine, isNew) = shared.withLock { shared in
            if let core = shared.core { return (core, shared.engine, false) }
            let engine = configuration.engine.resolved
            let core = StoreCore(backend: makeBackend(engine), configuration: configuration)
            shared = Shared(core: core, engine: engine)
            return (core, engine, true)
        }
        // Outside the lock, because the queue may report from inside the call.
        if isNew { activate(core) } else { core.enqueue(.change { $0.setMode(configuration.mode) }) }
        if configuration.engine != .automatic, configuration.engine != engine {
            let message =
                "A store for \(configuration.engine) runs over \(engine), because a process has one engine. The first store decides."
            Self.log(message, for: configuration, to: core)
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

    /// Starts a core, or has every call fail that needs the queue if another copy of this module observes it.
    private func activate(_ core: StoreCore) {
        guard let error = mark?.claim() else { return core.activate() }
        core.log(.error, error.message)
        core.enqueue(StoreInput { $0.process(.terminated(error)) })
    }

    /// Logs an error to the log of the core, and to the log of the configuration that the core ignores.
    private static func log(_ message: String, for configuration: StoreConfiguration, to core: StoreCore) {
        core.log(.error, message)
        if configuration.hasOwnLog { configuration.log(StoreLogEvent(.error, message)) }
    }

    package var engine: StoreEngine? { shared.withLock { $0.core == nil ? nil : $0.engine } }
}

/// The core over the App Store of the process.
package enum ProcessStore {
    package static let shared = SharedStoreCore(mark: ProcessMark()) { engine in
        engine == .storeKit1 ? StoreKit1Backend() as any StoreBackend : StoreKit2Backend()
    }
}

/// Decides which copy of this module observes the payment queue of the process.
///
/// An app and a framework can each contain a copy of the module. Each copy has its own store, so both would deliver a
/// purchase. A value in the environment of the process belongs to no copy: the first store sets it.
package struct ProcessMark: Sendable {
    /// The name of the environment variable. It contains the identifier of the process, because child processes inherit
    /// the environment.
    var name = "AsyncStoreKit.\(ProcessInfo.processInfo.processIdentifier)"
    /// The file that contains this copy of the module.
    var image = Self.ownImage
    private let copy = UUID().uuidString

    /// Claims the payment queue. Returns `nil` if this copy has it, or else the error that says which copy has it.
    func claim() -> StoreError? {
        // Doesn't overwrite: of two copies that call at once, one succeeds.
        setenv(name, "\(copy) \(image)", 0)
        let owner = getenv(name).map { String(cString: $0) } ?? ""
        guard !owner.hasPrefix(copy), let space = owner.firstIndex(of: " ") else { return nil }
        let other = owner[owner.index(after: space)...]
        return StoreError(
            .storeClosed,
            "The process contains AsyncStoreKit twice, in \(other) and in \(image). Only the copy in \(other) delivers. Link one dynamic copy, or use the store in one image only."
        )
    }

    /// The last two components of the path of the file that contains this code, such as `Shop.framework/Shop`.
    static let ownImage: String = {
        let bundle = Bundle(for: CodeOfThisCopy.self)
        let path = (bundle.executablePath ?? bundle.bundlePath).split(separator: "/")
        return path.suffix(2).joined(separator: "/")
    }()

    private final class CodeOfThisCopy {}
}
