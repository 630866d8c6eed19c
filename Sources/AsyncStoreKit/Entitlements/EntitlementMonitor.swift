import AppReceipt
package import Foundation

/// Keeps what a customer is entitled to up to date: reads the device in separate tasks, which no caller can cancel,
/// waits, saves, and notifies subscribers, as ``EntitlementStateMachine`` decides.
package final class EntitlementMonitor: Sendable {
    private typealias Action = EntitlementStateMachine.Action

    private struct State: Sendable {
        var machine: EntitlementStateMachine
        var calls = [CallID: Promise<Void>]()
        var subscribers = [CallID: Subscriber<Void>]()
        var saveSubscribers = [CallID: Subscriber<Date>]()
        var lastSave: Date?
        var timer: (date: Date, task: Task<Void, Never>)?
        var saving = Saving.idle
    }

    /// One task at a time writes the cache, with the evidence at that time.
    private enum Saving: Sendable {
        case idle, running, runningAndChanged
    }

    private let backend: any StoreBackend
    private let clock: any StoreClock
    private let work: StoreWork?
    private let cache: EntitlementStorage?
    private let appBundleID: String?
    private let log: @Sendable (StoreLogEvent) -> Void
    private let formerPurchase: FormerPurchaseKeeper?
    private let state: Locked<State>

    /// How long `current` waits for a read, in seconds, and how long a read may take before it counts as failed.
    private static let (answerPatience, readPatience): (TimeInterval, TimeInterval) = (1, 30)

    /// - Parameter product: Returns a product that has been loaded.
    package init(
        backend: any StoreBackend, configuration: StoreConfiguration, clock: any StoreClock,
        product: @escaping @Sendable (String) -> StoreProduct?
    ) {
        self.backend = backend
        self.clock = clock
        work = clock.storeWork
        log = configuration.log
        let lifetime =
            configuration.entitlementCacheLifetime.isNaN ? 30 * 86_400 : max(0, configuration.entitlementCacheLifetime)
        cache = configuration.entitlementCache.map { EntitlementStorage($0, lifetime: lifetime) }
        appBundleID = configuration.appBundleID
        formerPurchase = configuration.formerPurchase.map {
            FormerPurchaseKeeper($0, backend: backend, log: configuration.log)
        }
        state = Locked(
            State(
                machine: EntitlementStateMachine(
                    durations: configuration.accessDurations,
                    patience: EntitlementRecords.Patience(unconfirmed: lifetime),
                    hasCache: cache != nil, product: product)))
        for (product, duration) in configuration.accessDurations where !(duration > 0 && duration.isFinite) {
            log(
                StoreLogEvent(
                    .warning, "\"\(product)\" cannot last for \(duration) seconds: it counts as owned without an end."))
        }
    }

    /// Ends every loop, and stops reading.
    package func close() {
        perform { machine, _ in machine.close() }
        let (subscribers, saveSubscribers) = state.withLock { state in
            defer { (state.subscribers, state.saveSubscribers) = ([:], [:]) }
            return (state.subscribers.values.map(\.self), state.saveSubscribers.values.map(\.self))
        }
        subscribers.forEach { $0.finish() }
        saveSubscribers.forEach { $0.finish() }
    }
}

// Asking.
extension EntitlementMonitor {
    /// Returns the last answer, and starts reading at the first call.
    package var latest: StoreEntitlements {
        loadFormerPurchase()
        if state.withLock({ $0.machine.isIdle }) { perform { $0.start(at: $1) } }
        return answer(state.withLock { $0.machine.entitlements })
    }

    /// Returns the answer of a read that began after the last event, or the last answer after a second.
    package func current() async -> StoreEntitlements {
        await answer(within: Self.answerPatience) { $0.current($1, at: $2) }
    }

    /// Returns the answer of a read that begins now.
    package func refresh() async -> StoreEntitlements {
        await answer(within: nil) { $0.refresh($1, at: $2) }
    }

    /// Returns the answer of a read that begins now, and asks for the status of a subscription group.
    func refresh(readingGroup groupID: String) async -> StoreEntitlements {
        await answer(within: nil) { $0.refresh($1, readingGroup: groupID, at: $2) }
    }

    private func answer(
        within seconds: TimeInterval?, _ ask: (inout EntitlementStateMachine, CallID, Date) -> [Action]
    ) async -> StoreEntitlements {
        let (id, promise) = (CallID(), Promise<Void>())
        state.withLock { $0.calls[id] = promise }
        perform { ask(&$0, id, $1) }
        await formerPurchaseLoaded()
        if promise.isFulfilled { return answer(state.withLock { $0.machine.entitlements }) }
        let limit = seconds.map { seconds in
            work.task { [clock] in
                try? await clock.sleep(whileRunningFor: seconds)
                promise.fulfill(())
            }
        }
        await promise.value()
        limit?.cancel()
        let entitlements = state.withLock { state in
            state.calls[id] = nil
            state.machine.forget(id)
            return state.machine.entitlements
        }
        return answer(entitlements)
    }

    /// Calls a subscriber whenever there may be a new value, and at once when there is a value.
    package func subscribe(_ id: CallID, _ subscriber: Subscriber<Void>) {
        let (isClosed, hasAnswered) = state.withLock { state in
            if !state.machine.isClosed { state.subscribers[id] = subscriber }
            return (state.machine.isClosed, state.machine.hasAnswered)
        }
        if isClosed { return subscriber.finish() }
        loadFormerPurchase()
        if hasAnswered { subscriber.send(()) }
        perform { $0.start(at: $1) }
    }

    package func unsubscribe(_ id: CallID) {
        state.withLock { $0.subscribers[id] = nil }
    }

    /// Returns a stream of one element for each new value. Of several values in between, only the latest counts.
    package func stream() -> AsyncStream<Void> {
        let id = CallID()
        let (stream, send, finish) = work.stream(of: Void.self, .bufferingNewest(1)) { [weak self] in
            self?.unsubscribe(id)
        }
        subscribe(id, Subscriber(send: send, finish: finish))
        return stream
    }

    /// Returns a stream of the dates at which the cache was saved with other content. The latest one comes at once.
    package func saves() -> AsyncStream<Date> {
        let id = CallID()
        let (stream, send, finish) = work.stream(of: Date.self, .bufferingNewest(1)) { [weak self] in
            self?.state.withLock { $0.saveSubscribers[id] = nil }
        }
        let isClosed = state.withLock { state in
            if let date = state.lastSave { send(date) }
            if !state.machine.isClosed { state.saveSubscribers[id] = Subscriber(send: send, finish: finish) }
            return state.machine.isClosed
        }
        if isClosed { finish() } else { perform { $0.start(at: $1) } }
        return stream
    }

    /// The app, the environment and the device by which purchases are verified.
    private var trust: HistoryTrust {
        get async { await backend.historyTrust.given(app: appBundleID) }
    }

    /// Reads every purchase that the device knows, in a separate task, which no caller can cancel.
    /// - Throws: Why the device could not be read, not even in part.
    func history() async throws(StoreError) -> EntitlementHistory {
        let reading = Task { [backend, self] () async -> Result<EntitlementHistory, StoreError> in
            do throws(StoreError) {
                let history = try await backend.completePurchaseHistory()
                return .success(try await .verified(history, trust))
            } catch {
                return .failure(error)
            }
        }
        return try await reading.value.get()
    }
}

// Purchases of the app.
extension EntitlementMonitor {
    private func answer(_ entitlements: StoreEntitlements) -> StoreEntitlements {
        formerPurchase?.adding(to: entitlements) ?? entitlements
    }

    /// Loads the answer of an earlier launch in a separate task, once.
    private func loadFormerPurchase() {
        guard formerPurchase?.beginLoading() == true else { return }
        _ = work.task { await self.endLoadingFormerPurchase() }
    }

    /// Loads the answer of an earlier launch, if nothing else has begun to.
    private func formerPurchaseLoaded() async {
        if formerPurchase?.beginLoading() == true { await endLoadingFormerPurchase() }
    }

    private func endLoadingFormerPurchase() async {
        if await formerPurchase?.load() == true { notify() }
    }

    /// Decides by the purchase of the app whether the customer paid before the app was free.
    /// - Returns: `nil` if the configuration names no such product.
    func receive(_ app: StoreAppTransaction) -> FormerPurchase.Decision? {
        guard let (decision, hasChanged) = formerPurchase?.receive(app) else { return nil }
        if hasChanged { notify() }
        return decision
    }

    private func notify() {
        state.withLock { Array($0.subscribers.values) }.forEach { $0.send(()) }
    }
}

// Events.
extension EntitlementMonitor {
    /// Receives an event of the payment queue. The store calls this before any stream or handler gets the event.
    package func receive(_ event: QueueEvent) {
        switch event {
        case .updatedTransactions(let batch), .unsolicitedTransactions(let batch), .restoredTransactions(let batch):
            perform { $0.receive(batch, isPaidHere: false, at: $1) }
        case .answeredPayment(_, let transaction, _): perform { $0.receive([transaction], isPaidHere: true, at: $1) }
        case .revokedEntitlements(let revocation): perform { $0.receive(revocation, at: $1) }
        case .restoreFinished, .entitlementsMayHaveChanged, .storefrontChanged: perform { $0.changed(at: $1) }
        default: break
        }
    }
}

// Acting.
extension EntitlementMonitor {
    private func perform(_ decide: (inout EntitlementStateMachine, Date) -> [Action]) {
        let now = clock.now
        let actions = state.withLock { decide(&$0.machine, now) }
        for action in actions { perform(action) }
    }

    private func perform(_ action: Action) {
        switch action {
        case .loadCache: _ = work.task { await self.load() }
        case .read(let read): _ = work.task { await self.perform(read) }
        case .setTimer: setTimer()
        case .notify: notify()
        case .resume(let calls):
            let promises = state.withLock { state in calls.compactMap { state.calls.removeValue(forKey: $0) } }
            promises.forEach { $0.fulfill(()) }
        case .save: save()
        }
    }

    private func load() async {
        let (history, doubts) = cache?.load(await trust) ?? (EntitlementHistory(), [])
        for case .cacheRefused(let reason) in doubts {
            log(StoreLogEvent(.warning, "The entitlement cache: \(reason)"))
        }
        perform { $0.loaded(history, doubts: doubts, at: $1) }
    }

    private func perform(_ read: EntitlementStateMachine.Reading) async {
        var read = read
        // The clock may have been put right since the machine requested the read.
        read.begun = clock.now
        let limit = work.task { [weak self, clock, read] in
            do {
                try await clock.sleep(whileRunningFor: Self.readPatience)
                self?.end(
                    read, .failure(StoreError(.timedOut, "The device didn't return the customer's purchases in time.")))
            } catch {
                // The read has ended.
            }
        }
        let result: Result<EntitlementHistory, StoreError>
        do throws(StoreError) {
            let history = try await backend.purchaseHistory(groups: read.groups)
            result = .success(try await .verified(history, trust))
        } catch {
            result = .failure(error)
        }
        limit.cancel()
        end(read, result)
    }

    private func end(_ read: EntitlementStateMachine.Reading, _ result: Result<EntitlementHistory, StoreError>) {
        if case .failure(let error) = result {
            log(StoreLogEvent(.debug, "The customer's purchases can't be read: \(error.message)"))
        }
        perform { $0.ended(read, result, at: $1) }
    }

    /// Sets the timer to the machine's latest request, which another thread may have changed.
    private func setTimer() {
        let previous = state.withLock { state -> Task<Void, Never>? in
            guard state.timer?.date != state.machine.nextWake else { return nil }
            defer { state.timer = state.machine.nextWake.map { ($0, wake(at: $0)) } }
            return state.timer?.task
        }
        previous?.cancel()
    }

    private func wake(at date: Date) -> Task<Void, Never> {
        work.task { [weak self, clock] in
            do {
                try await clock.sleep(until: date)
                self?.perform { $0.nextWake == date ? $0.woke(at: $1) : [] }
            } catch {
                // The timer was set to another date.
            }
        }
    }

    /// Writes the cache in a separate task, because reports arrive on any thread.
    private func save() {
        guard let cache else { return }
        let begins = state.withLock { state in
            defer { state.saving = state.saving == .idle ? .running : .runningAndChanged }
            return state.saving == .idle
        }
        guard begins else { return }
        _ = work.task(priority: .utility) { [self] in
            repeat {
                let trust = await trust
                let evidence = state.withLock { state in
                    state.saving = .running
                    return state.machine.evidence
                }
                do {
                    let now = clock.now
                    if try cache.save(evidence, trust, at: now) { didSave(at: now) }
                } catch {
                    log(StoreLogEvent(.warning, "The entitlement cache can't be written: \(error)"))
                }
            } while state.withLock { state in
                guard state.saving == .running else { return true }
                state.saving = .idle
                return false
            }
        }
    }

    private func didSave(at date: Date) {
        state.withLock { state in
            state.lastSave = date
            return Array(state.saveSubscribers.values)
        }.forEach { $0.send(date) }
    }
}
