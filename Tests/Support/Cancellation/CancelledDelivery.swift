package import AppStoreSimulator
package import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation

/// One run of an app that is canceled while it makes and delivers a purchase. Afterwards the app delivers everything
/// that the store still offers.
///
/// Nothing may be finished that wasn't delivered, and everything that was paid for must be delivered in the end.
package final class CancelledDelivery: Sendable {
    /// How the app delivers, and the call that is canceled.
    package enum Style: String, Sendable, CaseIterable {
        /// `purchase` with a closure, for a product that isn't loaded.
        case purchase
        /// `purchase` with a closure, for a loaded product.
        case loadedProduct
        /// `purchase` of an intent with a closure.
        case intent
        /// `restore` with a closure.
        case restore
        /// `purchase` without a closure, and `finish()` after the delivery.
        case returned
        /// A loop over `transactions`, with `finish()` after each delivery.
        case loop
        /// An installed delivery. Its store is released.
        case releasedStore
        /// An installed delivery. Its store is terminated.
        case terminatedStore

        /// Whether the store calls a function that delivers.
        var hasClosure: Bool { self != .returned && self != .loop }

        /// Whether the store itself cancels the delivery, because it's closed.
        var closesStore: Bool { self == .releasedStore || self == .terminatedStore }
    }

    /// What the app does with the error of a canceled request to its server.
    package enum Failure: String, Sendable, CaseIterable {
        case thrown, ignored
    }

    /// When the app is canceled.
    package enum Moment: Sendable {
        /// At a step of the app or of the backend, 1-based.
        case step(Int)
        /// After another task has run a number of times, 0 or more.
        case turns(Int)
    }

    /// The result of a run.
    package struct Result: Sendable {
        /// The violation; `nil` if there is none.
        package var violation: String?
        /// Whether the app was canceled before it had ended.
        package var wasCancelled = false
        /// Whether the canceled app had begun to deliver.
        package var hadBegun = false
        /// Whether the canceled app had delivered something.
        package var hadDelivered = false
    }

    private struct State: Sendable {
        var store: PurchaseStore?
        /// Ends the queue of the store.
        var terminate: (@Sendable () -> Void)?
        var app: Task<Void, any Error>?
        var steps = 0
        var isCancelled = false
        /// Whether the app has ended, and can't be canceled any more.
        var isOver = false
        /// The transactions that were finished before the app made its call.
        var finishedBefore: Set<String> = []
        var begun: Set<String> = []
        var delivered: Set<String> = []
        var violations: [String] = []
    }

    private let style: Style
    private let failure: Failure
    private let moment: Moment
    private let appStore = SimulatedAppStore(catalog: .shop)
    private let clock: SimulatedClock
    private let makeBackend: @Sendable (SimulatedLaunch, any StoreClock) -> any StoreBackend
    private let state = Locked(State())
    /// Opened when the loop has had its purchases, when the installed delivery has ended, and when the app is
    /// canceled.
    private let ended = Gate()
    /// The finished transactions after each call that finishes one.
    private let finished = Recorder<Set<String>>()

    package init(
        _ style: Style, _ failure: Failure, _ moment: Moment,
        makeBackend: @escaping @Sendable (SimulatedLaunch, any StoreClock) -> any StoreBackend
    ) {
        self.style = style
        self.failure = failure
        self.moment = moment
        self.makeBackend = makeBackend
        clock = SimulatedClock(appStore)
    }

    package func run() async throws -> Result {
        try prepare()
        let store: PurchaseStore
        if style.closesStore {
            try await deliverUntilClosed()
            state.withLock { $0.isOver = true }
            store = launch()
        } else {
            store = launch()
            try await call(store)
        }
        var result = state.withLock { state in
            state.isOver = true
            return Result(
                wasCancelled: state.isCancelled, hadBegun: !state.begun.isEmpty, hadDelivered: !state.delivered.isEmpty)
        }
        try await store.settled()
        let settled = state.withLock { $0.delivered.union($0.finishedBefore) }
        for record in paid where record.isFinished && !settled.contains(record.transactionID ?? "") {
            self.record("\(record.productID) was finished, and not delivered.")
        }
        try await deliverTheRest(store)
        result.violation = state.withLock { $0.violations.isEmpty ? nil : $0.violations.joined(separator: " ") }
        return result
    }

    /// Makes a call in a task, and waits for its end.
    private func call(_ store: PurchaseStore) async throws {
        if style == .intent { try appStore.promotePurchase(of: StoreWorld.coins) }
        if style == .loadedProduct { _ = try await store.products(for: [StoreWorld.coins]) }
        let app = start(over: store)
        let isCancelled = state.withLock { state in
            state.app = app
            return state.isCancelled
        }
        if isCancelled { app.cancel() }
        cancelAfterTurns()
        if style == .loop {
            await ended.pass()
            app.cancel()
        }
        switch await app.result {
        case .success: break
        case .failure(let error as StoreError) where error.code == .taskCancelled: break
        case .failure(is CancellationError) where !style.hasClosure: break
        case .failure(let error): record("The call threw \(error).")
        }
    }

    /// Lets an installed delivery deliver a purchase, until it has ended or the store is closed.
    private func deliverUntilClosed() async throws {
        install(launch())
        try appStore.buyProduct(productID: StoreWorld.pro)
        cancelAfterTurns()
        await ended.pass()
        // Released here, not under the lock.
        _ = state.withLock { $0.store.take() }
    }

    private func install(_ store: PurchaseStore) {
        state.withLock { $0.store = store }
        store.setDelivery { [weak self] request in await self?.decide(request) ?? .retryLater }
    }

    /// Buys what a restore brings: a purchase that was finished on another device, and one that is unfinished.
    private func prepare() throws {
        guard style == .restore else { return }
        try appStore.buyProduct(productID: StoreWorld.pro)
        for record in appStore.allTransactions() { appStore.finishFromAnotherObserver(record.id) }
        let ids = finishedIDs
        state.withLock { $0.finishedBefore = ids }
        try appStore.buyProduct(productID: StoreWorld.news)
    }

    private func launch() -> PurchaseStore {
        let next = makeBackend(appStore.launch(), clock)
        let backend = SteppingBackend(next: next) { [weak self] in
            self?.step()
        } didFinish: { [weak self] in
            if let self { finished.record(finishedIDs) }
        }
        state.withLock { $0.terminate = { backend.receiver.withLock { $0 }?(.terminated(.ended)) } }
        return PurchaseStore(over: backend, configuration: StoreConfiguration(clock: clock))
    }

    /// Delivers everything that the store offers, and checks that nothing is missing.
    private func deliverTheRest(_ store: PurchaseStore) async throws {
        let stream = store.transactions
        let loop = Task {
            for await purchase in stream {
                noteDelivery(purchase)
                await purchase.finish()
            }
        }
        try await store.settled()
        // StoreKit's own tasks aren't part of the store's work.
        let expected = Set(paid.compactMap(\.transactionID))
        if !expected.isSubset(of: finishedIDs) { _ = try? await finished.first { expected.isSubset(of: $0) } }
        loop.cancel()
        // A finished transaction comes only with a restore. Once its delivery has begun, it has to be delivered.
        let settled = state.withLock { $0.delivered.union($0.finishedBefore.subtracting($0.begun)) }
        for record in paid {
            if !settled.contains(record.transactionID ?? "") { self.record("\(record.productID) is lost.") }
            if !record.isFinished { self.record("\(record.productID) stays unfinished.") }
        }
    }

    private var finishedIDs: Set<String> { Set(paid.filter(\.isFinished).compactMap(\.transactionID)) }

    private var paid: [SimulatedHistoryRecord] { appStore.allTransactions().filter { $0.state == .purchased } }

    private func record(_ violation: String) {
        state.withLock { $0.violations.append(violation) }
    }
}

// The app.
extension CancelledDelivery {
    private func start(over store: PurchaseStore) -> Task<Void, any Error> {
        let stream = style == .loop ? store.transactions : nil
        return Task { [self] in
            step()
            switch style {
            case .purchase, .loadedProduct:
                try await store.purchase(StoreWorld.coins) { purchase in try await deliver(purchase) }
            case .intent:
                var intents = store.purchaseIntents.makeAsyncIterator()
                try await intents.next()?.purchase { purchase in try await deliver(purchase) }
            case .restore:
                try await store.restore { purchase in try await deliver(purchase) }
            case .returned:
                guard case .success(let purchase) = try await store.purchase(StoreWorld.coins) else { return }
                if try await deliver(purchase) { await purchase.finish() }
            case .loop:
                try appStore.buyProduct(productID: StoreWorld.pro)
                try appStore.buyProduct(productID: StoreWorld.news)
                var count = 0
                for await purchase in stream ?? store.transactions {
                    if try await deliver(purchase) { await purchase.finish() }
                    count += 1
                    if count == 2 { ended.open() }
                }
            case .releasedStore, .terminatedStore:
                break
            }
            step()
        }
    }

    private func decide(_ request: DeliveryRequest) async -> DeliveryDecision {
        defer { ended.open() }
        for purchase in request.purchases where await (try? deliver(purchase)) == nil { return .retryLater }
        return .accepted
    }

    /// Delivers a purchase by a request to a server. Returns whether the purchase was delivered.
    @discardableResult
    private func deliver(_ purchase: StorePurchase) async throws -> Bool {
        state.withLock { _ = $0.begun.insert(purchase.deliveryKey) }
        switch failure {
        case .thrown: try await requestServer()
        case .ignored: if (try? await requestServer()) == nil { return false }
        }
        noteDelivery(purchase)
        step()
        return true
    }

    private func requestServer() async throws {
        for _ in 1...3 {
            step()
            await Task.yield()
            try Task.checkCancellation()
        }
    }

    private func noteDelivery(_ purchase: StorePurchase) {
        let isFirst = state.withLock { $0.delivered.insert(purchase.deliveryKey).inserted }
        if !isFirst, !purchase.isRedelivery, !style.closesStore {
            record("\(purchase.productID) was delivered again without saying so.")
        }
    }
}

// The cancellation.
extension CancelledDelivery {
    /// Counts a step, and cancels the app at the chosen one.
    private func step() {
        let step = state.withLock { state in
            state.steps += 1
            return state.steps
        }
        if case .step(step) = moment { cancel() }
    }

    private func cancelAfterTurns() {
        guard case .turns(let turns) = moment else { return }
        Task.detached { [self] in
            for _ in 0..<turns { await Task.yield() }
            cancel()
        }
    }

    private func cancel() {
        let (app, store, terminate) = state.withLock {
            state -> (Task<Void, any Error>?, PurchaseStore?, (() -> Void)?) in
            guard !state.isOver else { return (nil, nil, nil) }
            state.isCancelled = true
            return (state.app, state.store.take(), state.terminate)
        }
        app?.cancel()
        if style == .terminatedStore { terminate?() }
        ended.open()
        withExtendedLifetime(store) {}
    }
}

extension StoreError {
    fileprivate static var ended: StoreError { StoreError(.backendUnavailable, "The queue has ended.") }
}

/// A backend that reports each of its calls and events as two steps.
private struct SteppingBackend: RelayBackend {
    let next: any StoreBackend
    let step: @Sendable () -> Void
    let didFinish: @Sendable () -> Void
    let receiver = Locked<(@Sendable (QueueEvent) -> Void)?>(nil)

    func activate(_ receive: @escaping @Sendable (QueueEvent) -> Void) {
        receiver.withLock { $0 = receive }
        next.activate { event in
            step()
            receive(event)
            step()
        }
    }

    func submit(_ payment: PaymentRequest, as id: CallID) throws(StoreError) {
        step()
        try next.submit(payment, as: id)
        step()
    }

    func restoreCompletedTransactions(applicationUsername: String?) throws(StoreError) {
        step()
        try next.restoreCompletedTransactions(applicationUsername: applicationUsername)
        step()
    }

    func finish(_ token: TransactionToken, completion: @escaping @Sendable () -> Void) {
        step()
        next.finish(token) {
            step()
            completion()
            didFinish()
        }
    }

    func products(for productIDs: Set<String>) async throws(StoreError) -> ProductsResponse {
        step()
        let response = try await next.products(for: productIDs)
        step()
        return response
    }
}
