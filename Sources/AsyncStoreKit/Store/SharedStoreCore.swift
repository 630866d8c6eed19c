/// The core that all stores over one payment queue share, for as long as there are any, with the backend that it is over.
package final class SharedStoreCore<Backend: StoreBackend & AnyObject>: Sendable {
    private struct Shared: Sendable {
        weak var core: StoreCore?
        weak var backend: Backend?
    }

    private let shared = Locked(Shared())
    private let makeBackend: @Sendable () -> Backend

    package init(makeBackend: @escaping @Sendable () -> Backend) {
        self.makeBackend = makeBackend
    }

    /// The core; a new one, over a backend of its own, when there is none. What is not new takes over the mode.
    func core(_ configuration: StoreConfiguration) -> StoreCore {
        let (core, isNew) = shared.withLock { shared in
            if let core = shared.core { return (core, false) }
            let backend = makeBackend()
            let core = StoreCore(backend: backend, configuration: configuration)
            shared = Shared(core: core, backend: backend)
            return (core, true)
        }
        // Not under the lock: the queue may report from inside the call.
        if isNew {
            core.activate()
        } else {
            core.enqueue(.setMode(configuration.mode))
        }
        return core
    }

    /// The backend of the core, while there is one.
    package var backend: Backend? { shared.withLock { $0.backend } }
}

/// The core over the default payment queue of the process.
package enum ProcessStore {
    package static let shared = SharedStoreCore { StoreKit1Backend() }
}
