/// The objects of the launch that is current: the launch itself and its observers, all held weakly.
///
/// The engine knows observers by number. Here they are looked up, and kept alive while the lock is held: what ends with an observer
/// may call the store.
struct LaunchReferences {
    private struct Entry {
        let id: ObserverID
        let observer: WeakObserver
    }

    private(set) weak var launch: SimulatedLaunch?
    private var entries: [Entry] = []
    private var present: [(id: ObserverID, observer: any SimulatedQueueObserver)] = []
    private var lastID: ObserverID = 0
    /// What is to be called when a newer launch replaces this one.
    var endHandlers: [@Sendable () -> Void] = []

    /// The observers that are there, in the order in which they were added.
    var observers: [any SimulatedQueueObserver] { present.map(\.observer) }

    /// Finds out which observers are still there, and keeps them for the moment.
    mutating func gather() -> [ObserverID] {
        guard !entries.isEmpty else { return [] }
        present = entries.compactMap { entry in entry.observer.value.map { (entry.id, $0) } }
        return present.map(\.id)
    }

    /// Lets go of the observers, which the caller has to keep until the lock is open.
    mutating func takePresent() -> [any SimulatedQueueObserver] {
        guard !present.isEmpty else { return [] }
        defer { present = [] }
        return observers
    }

    func observer(_ id: ObserverID) -> (any SimulatedQueueObserver)? {
        present.first { $0.id == id }?.observer
    }

    /// Adds an observer and gives it a number; `nil` if it is there already.
    mutating func add(_ observer: any SimulatedQueueObserver) -> ObserverID? {
        guard !present.contains(where: { $0.observer === observer }) else { return nil }
        entries.removeAll { $0.observer.value == nil }
        lastID += 1
        entries.append(Entry(id: lastID, observer: WeakObserver(value: observer)))
        present.append((lastID, observer))
        return lastID
    }

    /// Removes an observer, which the caller keeps.
    mutating func remove(_ observer: any SimulatedQueueObserver) -> ObserverID? {
        guard let id = present.first(where: { $0.observer === observer })?.id else { return nil }
        entries.removeAll { $0.id == id }
        return id
    }

    /// Makes this launch the current one. The observers of the former are let go, and its end handlers returned.
    mutating func replace(with launch: SimulatedLaunch) -> [@Sendable () -> Void] {
        self.launch = launch
        entries = []
        defer { endHandlers = [] }
        return endHandlers
    }

    /// Remembers another object for the launch that is current.
    mutating func adopt(_ launch: SimulatedLaunch) {
        self.launch = launch
    }
}

private struct WeakObserver {
    private(set) weak var value: (any SimulatedQueueObserver)?
}
