/// The core that all stores over one payment queue share, for as long as there are any.
package final class SharedStoreCore: Sendable {
    /// That of the process's default payment queue.
    static let ofProcess = SharedStoreCore { StoreKit1Backend() }

    private struct Shared: Sendable {
        weak var core: StoreCore?
    }

    private let shared = Locked(Shared())
    private let makeBackend: @Sendable () -> any StoreBackend

    package init(makeBackend: @escaping @Sendable () -> any StoreBackend) {
        self.makeBackend = makeBackend
    }

    /// The core; a new one, over a backend of its own, when there is none. What is not new takes over the mode.
    func core(_ configuration: StoreConfiguration) -> StoreCore {
        let (core, isNew) = shared.withLock { shared in
            if let core = shared.core { return (core, false) }
            let core = StoreCore(backend: makeBackend(), configuration: configuration)
            shared.core = core
            return (core, true)
        }
        // Not under the lock: the queue may report from inside the call.
        if isNew {
            core.activate()
        } else {
            core.send(.setMode(configuration.mode))
        }
        return core
    }
}
