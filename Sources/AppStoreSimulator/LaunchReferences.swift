/// The objects of the current launch: the launch and its observers, all held weakly.
///
/// The engine identifies observers by number. This value looks up the objects and keeps them alive while the lock is
/// held, because deallocating an observer may run code that calls the store.
struct LaunchReferences {
    private struct Entry {
        let id: ObserverID
        let observer: WeakObserver
    }

    private(set) weak var launch: SimulatedLaunch?
    private var entries: [Entry] = []
    private var present: [(id: ObserverID, observer: any SimulatedQueueObserver)] = []
    private var lastID: ObserverID = 0
    /// The handlers to call when a newer launch replaces this launch.
    var endHandlers: [@Sendable () -> Void] = []

    /// The live observers, in the order of their addition.
    var observers: [any SimulatedQueueObserver] { present.map(\.observer) }

    /// Retains the live observers and returns their numbers.
    mutating func retainObservers() -> [ObserverID] {
        guard !entries.isEmpty else { return [] }
        // By index: a copy of an entry would create and destroy a weak reference.
        present.removeAll(keepingCapacity: true)
        for place in entries.indices {
            if let observer = entries[place].observer.value { present.append((entries[place].id, observer)) }
        }
        return present.map(\.id)
    }

    /// Releases the observers and returns them. The caller keeps them until the lock is released.
    mutating func releaseObservers() -> [any SimulatedQueueObserver] {
        guard !present.isEmpty else { return [] }
        defer { present = [] }
        return observers
    }

    func observer(_ id: ObserverID) -> (any SimulatedQueueObserver)? {
        present.first { $0.id == id }?.observer
    }

    /// Adds an observer and returns its number; `nil` if the observer was added before.
    mutating func add(_ observer: any SimulatedQueueObserver) -> ObserverID? {
        guard !present.contains(where: { $0.observer === observer }) else { return nil }
        entries.removeAll { $0.observer.value == nil }
        lastID += 1
        entries.append(Entry(id: lastID, observer: WeakObserver(value: observer)))
        present.append((lastID, observer))
        return lastID
    }

    /// Removes an observer, which the caller keeps alive, and returns its number; `nil` for an unknown observer.
    mutating func remove(_ observer: any SimulatedQueueObserver) -> ObserverID? {
        guard let id = present.first(where: { $0.observer === observer })?.id else { return nil }
        entries.removeAll { $0.id == id }
        return id
    }

    /// Replaces the current launch. Removes the observers of the former launch and returns its end handlers.
    mutating func replace(with launch: SimulatedLaunch) -> [@Sendable () -> Void] {
        self.launch = launch
        entries = []
        defer { endHandlers = [] }
        return endHandlers
    }

    /// Sets another object for the current launch.
    mutating func adopt(_ launch: SimulatedLaunch) {
        self.launch = launch
    }
}

private struct WeakObserver {
    private(set) weak var value: (any SimulatedQueueObserver)?
}
