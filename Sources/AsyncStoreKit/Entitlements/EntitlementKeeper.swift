import AppReceipt
import Foundation

/// Keeps what a customer owns up to date: reads the device, one read at a time and where nobody can cancel it, and tells whoever listens.
///
/// What counts is decided by ``EntitlementStateMachine``; this shell reads when that says so, or when something has happened. It does
/// nothing until somebody asks for the first time, but that it remembers what the payment queue reports.
package final class EntitlementKeeper: Sendable {
    private struct State: Sendable {
        var machine: EntitlementStateMachine
        var isStarted = false
        var isClosed = false
        var hasLoaded = false
        /// The read under way.
        var reading: CallID?
        /// Whether something has happened that the read under way may not know of.
        var isStale = false
        /// Who waits for the read under way, and who for the one after it.
        var waiters: [Promise<Void>] = []
        var laterWaiters: [Promise<Void>] = []
        var subscribers: [CallID: Subscriber<Void>] = [:]
        var timer: (date: Date, task: Task<Void, Never>)?
        var hasSpoken = false
        var told = StoreEntitlements.unknown
        /// What was reported before anybody asked, the newest of it: what is older the first read has.
        var early: [(transaction: StoreTransaction, isPaidHere: Bool)] = []

        mutating func remember(_ transactions: [StoreTransaction], isPaidHere: Bool) {
            early += transactions.map { ($0, isPaidHere) }
            if early.count > 512 { early.removeFirst(early.count - 256) }
        }
    }

    private let backend: any StoreBackend
    /// What has been asked for, by identifier.
    private let product: @Sendable (String) -> StoreProduct?
    private let clock: any StoreClock
    private let cache: EntitlementStorage?
    private let log: @Sendable (StoreLogEvent) -> Void
    private let state: Locked<State>

    /// How long `current` waits, in seconds, and how long a read may take before it counts as failed.
    private static let (answerPatience, readPatience): (TimeInterval, TimeInterval) = (1, 30)

    /// - Parameter product: What is known of a product without asking for it.
    package init(
        backend: any StoreBackend, configuration: StoreConfiguration, clock: any StoreClock,
        product: @escaping @Sendable (String) -> StoreProduct?
    ) {
        self.backend = backend
        self.product = product
        self.clock = clock
        log = configuration.log
        cache = configuration.entitlementCache.map(EntitlementStorage.init)
        state = Locked(State(machine: EntitlementStateMachine(durations: configuration.nonRenewingDurations)))
        for (product, duration) in configuration.nonRenewingDurations where !(duration > 0 && duration.isFinite) {
            log(StoreLogEvent(.warning, "\"\(product)\" cannot last for \(duration) seconds: it counts as owned for good."))
        }
    }

    /// Ends every loop, and reads no more.
    package func close() {
        let (subscribers, waiters, timer) = state.withLock { state in
            state.isClosed = true
            defer {
                state.subscribers = [:]
                state.waiters = []
                state.laterWaiters = []
                state.timer = nil
            }
            return (Array(state.subscribers.values), state.waiters + state.laterWaiters, state.timer?.task)
        }
        timer?.cancel()
        subscribers.forEach { $0.finish() }
        waiters.forEach { $0.fulfill(()) }
    }
}

// Asking.
extension EntitlementKeeper {
    /// What is known.
    package var latest: StoreEntitlements {
        let (latest, isStarted) = state.withLock { ($0.told, $0.isStarted) }
        guard !isStarted else { return latest }
        read()
        return state.withLock { $0.told }
    }

    /// What is known when the device has been read, or after a second.
    package func current() async -> StoreEntitlements {
        let promise = Promise<Void>()
        let isKnown = state.withLock { state in
            guard !state.isClosed, !state.machine.hasRead || state.reading != nil else { return true }
            state.waiters.append(promise)
            return false
        }
        guard !isKnown else { return latest }
        read(onlyIfIdle: true)
        let limit = Task { [clock] in
            try? await clock.sleep(for: Self.answerPatience)
            promise.fulfill(())
        }
        await promise.value()
        limit.cancel()
        return state.withLock { $0.told }
    }

    /// What is known after a read that begins now.
    package func refresh() async -> StoreEntitlements {
        let promise = Promise<Void>()
        let isClosed = state.withLock { state in
            if !state.isClosed { state.laterWaiters.append(promise) }
            return state.isClosed
        }
        if !isClosed {
            read()
            await promise.value()
        }
        return state.withLock { $0.told }
    }

    /// Has a handler called whenever there may be something new, and at once when there is something.
    package func subscribe(_ id: CallID, _ subscriber: Subscriber<Void>) {
        let (isClosed, hasSpoken, isStarted) = state.withLock { state in
            if !state.isClosed { state.subscribers[id] = subscriber }
            return (state.isClosed, state.hasSpoken, state.isStarted)
        }
        if isClosed { return subscriber.finish() }
        if hasSpoken { subscriber.send(()) }
        if !isStarted { read() }
    }

    package func unsubscribe(_ id: CallID) {
        state.withLock { $0.subscribers[id] = nil }
    }

    /// One value after the other, each different from the one before, and of several in between only the latest.
    package func stream() -> AsyncStream<Void> {
        let id = CallID()
        return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            continuation.onTermination = { [weak self] _ in self?.unsubscribe(id) }
            subscribe(id, Subscriber(send: { continuation.yield() }, finish: { continuation.finish() }))
        }
    }

    /// Reads every purchase that the device knows, in a read of its own, which no caller cancels.
    /// - Throws: Why the device could not be read, not even in part.
    func history() async throws(StoreError) -> EntitlementHistory {
        let reading = Task { [backend] () async -> Result<EntitlementHistory, StoreError> in
            do throws(StoreError) {
                let history = try await backend.completePurchaseHistory()
                return .success(try await .verified(history, backend.historyTrust))
            } catch {
                return .failure(error)
            }
        }
        return try await reading.value.get()
    }
}

// What happens.
extension EntitlementKeeper {
    /// The payment queue has told something. What it says is paid counts from here on.
    package func receive(_ event: QueueEvent) {
        switch event {
        case .updatedTransactions(let batch), .unsolicitedTransactions(let batch), .restoredTransactions(let batch): take(batch)
        case .answeredPayment(_, let transaction, _): take([transaction], isPaidHere: true)
        case .restoreFinished, .revokedEntitlements, .entitlementsMayHaveChanged, .storefrontChanged: readAgain()
        default: break
        }
    }

    /// - Parameter isPaidHere: Whether the batch answers a payment, and so identifies the customer.
    private func take(_ batch: [StoreTransaction], isPaidHere: Bool = false) {
        // A restored transaction may be of a period that ended long ago: the read tells.
        let paid = batch.filter(\.holdsContent)
        guard !paid.isEmpty else { return }
        let isStarted = state.withLock { state in
            if !state.isStarted { state.remember(paid, isPaidHere: isPaidHere) }
            return state.isStarted
        }
        guard isStarted else { return }
        takeReports(of: paid, isPaidHere: isPaidHere)
        read()
    }

    private func takeReports(of transactions: [StoreTransaction], isPaidHere: Bool = false) {
        let now = clock.now
        let reports = transactions.compactMap { transaction -> SignedStatement<ReceiptTransaction>? in
            if let text = transaction.signedText, let info = transaction.signedInfo {
                // StoreKit has verified it, and it says itself until when it counts.
                return SignedStatement(ReceiptTransaction(info), text: { text.jws })
            }
            guard transaction.state == .purchased, var row = ReceiptTransaction(transaction) else { return nil }
            row.productKind = product(row.productID).flatMap { ReceiptProductKind($0) }
            return SignedStatement(row, text: nil)
        }
        change { $0.machine.take(reports: reports, isPaidHere: isPaidHere, at: now) }
    }

    private func readAgain() {
        if state.withLock({ $0.isStarted }) { read() }
    }
}

// Reading.
extension EntitlementKeeper {
    /// Reads the device, once the read under way has ended.
    /// - Parameter onlyIfIdle: Whether the read under way will do.
    private func read(onlyIfIdle: Bool = false) {
        let id = CallID()
        let early = state.withLock { state in
            defer { state.early = [] }
            state.isStarted = true
            return state.early
        }
        for isPaidHere in [false, true] {
            let reports = early.filter { $0.isPaidHere == isPaidHere }.map(\.transaction)
            if !reports.isEmpty { takeReports(of: reports, isPaidHere: isPaidHere) }
        }
        let begins = state.withLock { state in
            guard !state.isClosed else { return false }
            guard state.reading == nil else {
                if !onlyIfIdle { state.isStale = true }
                return false
            }
            state.reading = id
            state.isStale = false
            state.waiters += state.laterWaiters
            state.laterWaiters = []
            return true
        }
        guard begins else { return }
        // A task of its own: no caller can cancel it.
        Task { await perform(id) }
    }

    private func perform(_ id: CallID) async {
        if let cache, state.withLock({ !$0.hasLoaded }) {
            let trust = await backend.historyTrust
            let (history, doubts) = cache.load(trust)
            let now = clock.now
            change { state in
                state.hasLoaded = true
                state.machine.take(cache: history, doubts: doubts, at: now)
            }
            for case .cacheRefused(let reason) in doubts { log(StoreLogEvent(.warning, "The cache of entitlements: \(reason)")) }
        }
        let begun = clock.now
        let limit = Task { [weak self, clock] in
            do {
                try await clock.sleep(for: Self.readPatience)
                self?.end(id, .failure(StoreError(.timedOut, "The device did not say what the customer owns.")), begun)
            } catch {
                // It has ended.
            }
        }
        let result: Result<EntitlementHistory, StoreError>
        do throws(StoreError) {
            let history = try await backend.purchaseHistory()
            result = .success(try await .verified(history, backend.historyTrust))
        } catch {
            result = .failure(error)
        }
        limit.cancel()
        save(end(id, result, begun))
    }

    /// Takes over what a read has brought, also when it comes late.
    /// - Returns: What is to be kept in the cache, if anything.
    @discardableResult
    private func end(_ id: CallID, _ result: Result<EntitlementHistory, StoreError>, _ begun: Date) -> EntitlementHistory? {
        let now = clock.now
        if case .failure(let error) = result { log(StoreLogEvent(.debug, "What the customer owns cannot be read: \(error.message)")) }
        var waiters: [Promise<Void>] = []
        var isStale = false
        var history: EntitlementHistory?
        change { state in
            switch result {
            case .success(let history): state.machine.take(history, begun: begun, at: now)
            case .failure(let error): state.machine.take(error, begun: begun, at: now)
            }
            state.hasSpoken = true
            if case .success = result { history = state.machine.evidence }
            guard state.reading == id else { return }
            state.reading = nil
            waiters = state.waiters
            state.waiters = []
            isStale = state.isStale || !state.laterWaiters.isEmpty
        }
        waiters.forEach { $0.fulfill(()) }
        if isStale { read() }
        return history
    }

    private func save(_ history: EntitlementHistory?) {
        guard let cache, let history else { return }
        do {
            try cache.save(history)
        } catch {
            log(StoreLogEvent(.warning, "The cache of entitlements cannot be written: \(error)"))
        }
    }

    /// Changes the state, and tells what that makes different.
    private func change(_ body: (inout State) -> Void) {
        let now = clock.now
        let (subscribers, isDue) = state.withLock { state in
            let hadSpoken = state.hasSpoken
            body(&state)
            let isNew = state.told != state.machine.entitlements
            state.told = state.machine.entitlements
            if isNew, state.told.basis != .unknown { state.hasSpoken = true }
            let isDue = state.isStarted && !state.isClosed && setTimer(&state, now)
            let mustTell = state.hasSpoken && (isNew || !hadSpoken)
            return (mustTell ? Array(state.subscribers.values) : [], isDue)
        }
        subscribers.forEach { $0.send(()) }
        if isDue { read() }
    }

    /// Sees to it that the device is read when the machine wants it. True when that is now.
    private func setTimer(_ state: inout State, _ now: Date) -> Bool {
        guard state.timer?.date != state.machine.nextRead else { return false }
        state.timer?.task.cancel()
        state.timer = nil
        guard let date = state.machine.nextRead else { return false }
        guard date > now else { return state.reading == nil }
        let task = Task { [weak self, clock] in
            do {
                try await clock.sleep(until: date)
                self?.read()
            } catch {
                // Something else is to be waited for.
            }
        }
        state.timer = (date, task)
        return false
    }
}

extension ReceiptProductKind {
    /// `nil` where the App Store does not say: StoreKit 1 tells a subscription by its period only.
    fileprivate init?(_ product: StoreProduct) {
        switch product.kind {
        case .consumable?: self = .consumable
        case .nonConsumable?: self = .nonConsumable
        case .nonRenewing?: self = .nonRenewingSubscription
        case .autoRenewable?: self = .autoRenewableSubscription
        case nil where product.subscriptionPeriod != nil: self = .autoRenewableSubscription
        default: return nil
        }
    }
}

extension ReceiptTransaction {
    /// What the payment queue says of a transaction; `nil` when that is too little.
    fileprivate init?(_ transaction: StoreTransaction) {
        guard let id = transaction.id, let date = transaction.purchaseDate else { return nil }
        self.init(
            productID: transaction.productID, transactionID: id, purchaseDate: date, quantity: transaction.quantity,
            originalTransactionID: transaction.originalID, originalPurchaseDate: transaction.originalPurchaseDate)
        appAccountToken = transaction.account?.token
    }
}
