import AppReceipt
package import Foundation

/// Keeps the entitlements up to date: reads the device in separate tasks, which no caller can cancel, waits, saves, and
/// notifies subscribers, as ``EntitlementStateMachine`` decides.
package final class EntitlementMonitor: Sendable {
    private typealias Action = EntitlementStateMachine.Action

    private struct State: Sendable {
        var machine: EntitlementStateMachine
        var calls = [CallID: Promise<Void>]()
        var subscribers = [CallID: Subscriber<Void>]()
        /// Ends the running timer.
        var stopTimer: (@Sendable () -> Void)?
        /// The last save of the cache with other purchases.
        var lastSave: (number: Int, date: Date)?
    }

    private let backend: any StoreBackend
    private let clock: any StoreClock
    private let work: (any StoreWork)?
    private let cache: EntitlementStorage?
    private let appBundleID: String?
    private let log: @Sendable (StoreLogEvent) -> Void
    private let paidAppUpgrade: PaidAppUpgradeKeeper?
    private let host: MachineHost<State, Action>
    /// The last answer; `nil` before the first question. Under a lock of its own: readers don't wait for an evaluation.
    private let published = Locked<StoreEntitlements?>(nil)

    /// How long `current` waits for a read, and when a read that hasn't ended is abandoned, in seconds.
    private static let (answerTimeout, readTimeout): (TimeInterval, TimeInterval) = (1, 60)

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
            configuration.entitlementCacheLifetime.isNaN ? 35 * 86_400 : max(0, configuration.entitlementCacheLifetime)
        cache = configuration.entitlementCache.map { EntitlementStorage($0, lifetime: lifetime) }
        appBundleID = configuration.appBundleID
        paidAppUpgrade = configuration.paidAppUpgrade.map {
            PaidAppUpgradeKeeper($0, app: configuration.appBundleID, backend: backend, log: configuration.log)
        }
        host = MachineHost(
            State(
                machine: EntitlementStateMachine(
                    durations: configuration.nonRenewingDurations,
                    timing: EntitlementTiming(unconfirmedAccess: lifetime),
                    hasCache: cache != nil, product: product)))
        for (product, duration) in configuration.nonRenewingDurations where !(duration > 0 && duration.isFinite) {
            log(
                StoreLogEvent(
                    .warning, "\"\(product)\" cannot last for \(duration) seconds: the product is owned without an end."
                ))
        }
    }

    /// Ends every loop, and stops reading.
    package func close() {
        perform { machine, _ in machine.close() }
        host.withLock { state in
            defer { state.subscribers = [:] }
            return Array(state.subscribers.values)
        }.forEach { $0.finish() }
    }
}

// Asking.
extension EntitlementMonitor {
    /// Starts reading the device. Does nothing if reading has started.
    package func start() {
        loadPaidAppUpgrade()
        if published.withLock({ $0 == nil }) { perform { $0.start(at: $1) } }
    }

    /// Starts reading the device if the app keeps a cache, which extensions read.
    func startIfCached() {
        if cache != nil { start() }
    }

    /// Returns the last answer, and starts reading at the first call. Doesn't wait for an evaluation.
    package var latest: StoreEntitlements {
        start()
        return answer
    }

    private var answer: StoreEntitlements {
        let answer = published.withLock { $0 } ?? .unknown
        return paidAppUpgrade?.adding(to: answer) ?? answer
    }

    /// The products with a purchase that gives access, as the last answer says. Empty if reading hasn't started.
    var ownedProducts: Set<String> { Set(answer.active.map(\.id)) }

    /// Returns the answer of a read that began after the last event, or the last answer after a second.
    package func current() async -> StoreEntitlements {
        await answer(within: Self.answerTimeout) { $0.current($1, at: $2) }
    }

    /// Returns the answer of a read that begins now.
    /// - Parameter groupID: A subscription group whose status the read includes.
    package func refresh(readingGroup groupID: String? = nil) async -> StoreEntitlements {
        await answer(within: nil) { $0.refresh($1, readingGroup: groupID, at: $2) }
    }

    private func answer(
        within seconds: TimeInterval?, _ ask: (inout EntitlementStateMachine, CallID, Date) -> [Action]
    ) async -> StoreEntitlements {
        let (id, promise) = (CallID(), Promise<Void>())
        host.withLock { $0.calls[id] = promise }
        perform { ask(&$0, id, $1) }
        // The answer of an earlier launch, if nothing else has begun to load it.
        if paidAppUpgrade?.beginLoading() == true { await endLoadingPaidAppUpgrade() }
        if promise.isFulfilled { return answer }
        let cancelLimit = seconds.map { clock.startTimer(whileRunningFor: $0) { promise.fulfill(()) } }
        await promise.value()
        cancelLimit?()
        host.withLock { state in
            state.calls[id] = nil
            state.machine.forget(id)
        }
        return answer
    }

    /// Calls a subscriber whenever there may be a new value, and at once when there is a value.
    package func subscribe(_ id: CallID, _ subscriber: Subscriber<Void>) {
        let (isClosed, hasAnswered) = host.withLock { state in
            if !state.machine.isClosed { state.subscribers[id] = subscriber }
            return (state.machine.isClosed, state.machine.hasAnswered)
        }
        if isClosed { return subscriber.finish() }
        loadPaidAppUpgrade()
        if hasAnswered { subscriber.send(()) }
        perform { $0.start(at: $1) }
    }

    package func unsubscribe(_ id: CallID) {
        host.withLock { $0.subscribers[id] = nil }
    }

    /// Returns a stream of one element for each new value. Several values in between are one element.
    package func stream() -> AsyncStream<Void> {
        let id = CallID()
        let end = { @Sendable [weak self] in self?.unsubscribe(id) ?? () }
        let (stream, send, finish) = work.stream(.bufferingNewest(1), onTermination: end) { $0 as Void }
        subscribe(id, Subscriber(send: send, finish: finish))
        return stream
    }

    /// Returns a stream of the dates at which the cache was saved with other content. The latest one comes at once.
    package func saves() -> AsyncStream<Date> {
        let (changes, last) = (stream(), Locked<Int?>(nil))
        return AsyncStream { [weak self] in
            for await _ in changes {
                let save = self?.host.withLock { $0.lastSave }
                let known = last.withLock { last in
                    defer { last = save?.number }
                    return last
                }
                if let save, save.number != known { return save.date }
            }
            return nil
        }
    }

    /// The app, the environment and the device by which purchases are verified.
    private var trust: HistoryTrust {
        get async { await backend.historyTrust.given(app: appBundleID) }
    }

    /// Reads every purchase that the device knows, in a separate task. Canceling the caller's task only ends the wait.
    /// - Throws: Why the device could not be read, not even in part; ``StoreError/Code/timedOut`` after a minute, and
    ///   ``StoreError/Code/taskCancelled``.
    func history() async throws(StoreError) -> PurchaseListing {
        guard !Task.isCancelled else { throw .cancelled("the purchase history") }
        let promise = Promise<Result<PurchaseListing, StoreError>>()
        read({ [backend] () async throws(StoreError) in try await backend.completePurchaseHistory() }) {
            promise.fulfill($0)
        }
        return try await promise.value { promise.fulfill(.failure(.cancelled("the purchase history"))) }.get()
    }

    /// Reads the device, and verifies the result. After a minute without an answer, the read is canceled, and a late
    /// answer is ignored. A read that never ends keeps no monitor alive.
    /// - Parameter ended: Called with the first result, and perhaps with a late one.
    private func read(
        _ history: @escaping @Sendable () async throws(StoreError) -> PurchaseHistory,
        _ ended: @escaping @Sendable (Result<PurchaseListing, StoreError>) -> Void
    ) {
        let reading = Locked<Task<Void, Never>?>(nil)
        let cancelLimit = clock.startTimer(whileRunningFor: Self.readTimeout) {
            ended(.failure(StoreError(.timedOut, "The device didn't return the customer's purchases in time.")))
            // Afterwards, so that the answer of the canceled read is ignored.
            reading.withLock { $0 }?.cancel()
        }
        let task = work.task { [backend, appBundleID] in
            let result: Result<PurchaseListing, StoreError>
            do throws(StoreError) {
                let history = try await history()
                result = .success(
                    try await .verified(history, backend.historyTrust.given(app: appBundleID)))
            } catch {
                result = .failure(error)
            }
            cancelLimit()
            ended(result)
        }
        reading.withLock { $0 = task }
    }
}

// Purchases of the app.
extension EntitlementMonitor {
    /// Loads the answer of an earlier launch in a separate task, once.
    /// - Parameter again: Whether to load an answer that couldn't be read.
    private func loadPaidAppUpgrade(again: Bool = false) {
        guard paidAppUpgrade?.beginLoading(again: again) == true else { return }
        _ = work.task { await self.endLoadingPaidAppUpgrade() }
    }

    private func endLoadingPaidAppUpgrade() async {
        if await paidAppUpgrade?.load() == true { notify() }
    }

    /// Decides by the purchase of the app whether the customer paid before the app was free.
    /// - Returns: `nil` if the configuration names no such product.
    func appTransactionReported(_ app: StoreAppTransaction) -> PaidAppUpgrade.Decision? {
        guard let (decision, hasChanged) = paidAppUpgrade?.appTransactionReported(app) else { return nil }
        if hasChanged { notify() }
        return decision
    }

    private func notify() {
        host.withLock { Array($0.subscribers.values) }.forEach { $0.send(()) }
    }
}

// Events.
extension EntitlementMonitor {
    /// Receives an event of the payment queue. The store calls this before any stream or handler gets the event.
    package func process(_ event: QueueEvent) {
        switch event {
        case .updatedTransactions(let batch), .unsolicitedTransactions(let batch), .restoredTransactions(let batch),
            .reinstatedTransactions(let batch):
            perform { $0.transactionsReported(batch, isPaidHere: false, at: $1) }
        case .answeredPayment(_, let transaction, _):
            perform { $0.transactionsReported([transaction], isPaidHere: true, at: $1) }
        case .revokedEntitlements(let revocation): perform { $0.purchasesRevoked(revocation, at: $1) }
        case .restoreFinished, .entitlementsMayHaveChanged, .storefrontChanged:
            loadPaidAppUpgrade(again: true)
            perform { $0.deviceChanged(at: $1) }
        case .terminated: close()
        case .unlistedTransactions, .removedTransactions, .nothingToFinish, .restoreFailed, .updatedDownloads,
            .initialTransactionsReported, .upgradedTransaction, .promotedPayment, .message:
            break
        }
    }
}

// Acting.
extension EntitlementMonitor {
    private func perform(_ decide: (inout EntitlementStateMachine, Date) -> [Action]) {
        let now = clock.now
        host.update { state in
            let actions = decide(&state.machine, now)
            let answer = state.machine.isIdle ? nil : state.machine.entitlements
            published.withLock { $0 = answer }
            return actions
        } perform: {
            perform($0)
        }
    }

    private func perform(_ action: Action) {
        switch action {
        case .loadCache: _ = work.task { await self.load() }
        case .read(let read): startRead(read)
        case .setTimer: setTimer()
        case .notify: notify()
        case .resume(let calls):
            let promises = host.withLock { state in calls.compactMap { state.calls.removeValue(forKey: $0) } }
            promises.forEach { $0.fulfill(()) }
        case .save: save()
        }
    }

    private func load() async {
        let (listing, issues) = await cache?.load(await trust) ?? (PurchaseListing(), [])
        // A cache that can't be read is loaded repeatedly. An issue that the answer has was logged before.
        for case .cacheRefused(let reason) in issues.subtracting(answer.issues) {
            log(StoreLogEvent(.warning, "The entitlement cache: \(reason)"))
        }
        perform { $0.cacheLoaded(listing, issues: issues, at: $1) }
    }

    private func startRead(_ read: EntitlementStateMachine.Reading) {
        var read = read
        // The clock may have been corrected since the machine requested the read.
        read.begun = clock.now
        self.read({ [backend, groups = read.groups] () async throws(StoreError) in
            try await backend.purchaseHistory(groups: groups)
        }) { [weak self, read] in self?.readEnded(read, $0) }
    }

    private func readEnded(_ read: EntitlementStateMachine.Reading, _ result: Result<PurchaseListing, StoreError>) {
        if case .failure(let error) = result {
            log(StoreLogEvent(.debug, "The customer's purchases can't be read: \(error.message)"))
        }
        perform { $0.readEnded(read, result, at: $1) }
    }

    /// Sets the timer to the machine's latest request. If another thread changes the request meanwhile, another action
    /// follows: actions are performed one at a time.
    private func setTimer() {
        let (date, stopPrevious) = host.withLock { ($0.machine.nextWake, $0.stopTimer) }
        stopPrevious?()
        let stop = date.map { wake(at: $0) }
        host.withLock { $0.stopTimer = stop }
    }

    private func wake(at date: Date) -> @Sendable () -> Void {
        clock.startTimer { [weak self] in
            self?.perform { $0.nextWake == date ? $0.timerFired(at: $1) : [] }
        } after: { [clock] in
            try await clock.sleep(until: date)
        }
    }

    /// Saves the latest texts in a separate task, because reports arrive on any thread.
    private func save() {
        guard let cache else { return }
        _ = work.task(priority: .utility) { [self] in
            do {
                let texts = { @Sendable [host] in host.withLock { $0.machine.texts } }
                guard let date = try await cache.save(texts, await trust, at: clock.now) else { return }
                let hasAnswered = host.withLock { state in
                    state.lastSave = ((state.lastSave?.number ?? 0) + 1, date)
                    return state.machine.hasAnswered
                }
                // A loop over the entitlements receives nothing before the first answer, which notifies, too.
                if hasAnswered { notify() }
            } catch {
                log(StoreLogEvent(.warning, "The entitlement cache can't be written: \(error.nameForLog)"))
            }
        }
    }

    /// Erases the cache, and the kept purchase of the app if asked to. The current answer stays in memory.
    func eraseCaches(includingApp: Bool) async throws(StoreError) {
        do {
            try await cache?.erase()
            if includingApp { try paidAppUpgrade?.paidAppUpgrade.cache?.erase() }
        } catch {
            throw error as? StoreError
                ?? StoreError(.systemError, "A file can't be erased: \(error.nameForLog).", underlying: error)
        }
    }
}
