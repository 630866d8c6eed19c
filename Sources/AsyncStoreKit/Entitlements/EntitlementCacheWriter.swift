import Foundation

/// Writes the entitlement cache in a separate task, because reports arrive on any thread. Streams the
/// date of each save.
///
/// One task at a time writes, with the texts at that time.
final class EntitlementCacheWriter: Sendable {
    private enum Progress: Sendable {
        case idle, running, runningAndChanged
    }

    private struct State: Sendable {
        var progress = Progress.idle
        var subscribers = [CallID: Subscriber<Date>]()
        var lastSave: Date?
    }

    private let storage: EntitlementStorage?
    private let clock: any StoreClock
    private let work: StoreWork?
    private let log: @Sendable (StoreLogEvent) -> Void
    private let state = Locked(State())

    /// - Parameter storage: The cache; `nil` if the app keeps none.
    init(_ storage: EntitlementStorage?, clock: any StoreClock, log: @escaping @Sendable (StoreLogEvent) -> Void) {
        self.storage = storage
        self.clock = clock
        work = clock.storeWork
        self.log = log
    }

    /// Writes the cache, unless it has the texts.
    /// - Parameters:
    ///   - texts: Returns the latest texts.
    ///   - trust: Returns what the texts are verified by.
    func save(
        _ texts: @escaping @Sendable () -> PurchaseListing, _ trust: @escaping @Sendable () async -> HistoryTrust
    ) {
        guard let storage else { return }
        let begins = state.withLock { state in
            defer { state.progress = state.progress == .idle ? .running : .runningAndChanged }
            return state.progress == .idle
        }
        guard begins else { return }
        _ = work.task(priority: .utility) { [self] in
            repeat {
                let trust = await trust()
                state.withLock { $0.progress = .running }
                do {
                    let now = clock.now
                    if try storage.save(texts(), trust, at: now) { didSave(at: now) }
                } catch {
                    log(StoreLogEvent(.warning, "The entitlement cache can't be written: \(error.nameForLog)"))
                }
            } while state.withLock { state in
                guard state.progress == .running else { return true }
                state.progress = .idle
                return false
            }
        }
    }

    private func didSave(at date: Date) {
        state.withLock { state in
            state.lastSave = date
            return Array(state.subscribers.values)
        }.forEach { $0.send(date) }
    }

    /// Returns a stream of the dates at which the cache was saved with other content. The latest one comes at once.
    func saves() -> AsyncStream<Date> {
        let id = CallID()
        let (stream, send, finish) = work.stream(of: Date.self, .bufferingNewest(1)) { [weak self] in
            self?.state.withLock { $0.subscribers[id] = nil }
        }
        var sent: Date?
        // A save between sending and subscribing is sent, too, so that no older date follows it.
        while let date = subscribe(id, Subscriber(send: send, finish: finish), lastSave: sent) {
            send(date)
            sent = date
        }
        return stream
    }

    /// Adds a subscriber that has received the latest date. Returns that date if the subscriber hasn't.
    private func subscribe(_ id: CallID, _ subscriber: Subscriber<Date>, lastSave sent: Date?) -> Date? {
        state.withLock { state in
            guard state.lastSave == sent else { return state.lastSave }
            state.subscribers[id] = subscriber
            return nil
        }
    }

    /// Ends every stream.
    func finish() {
        state.withLock { state in
            defer { state.subscribers = [:] }
            return Array(state.subscribers.values)
        }.forEach { $0.finish() }
    }
}
