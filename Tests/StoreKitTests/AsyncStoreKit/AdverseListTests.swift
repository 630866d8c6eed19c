import AppStoreSimulator
import AsyncStoreKitTesting
import Foundation
import Support
import TestHarness
import Testing

@testable import AsyncStoreKit

/// A store over StoreKit 2 whose lists are empty, incomplete, or late.
@Suite(.bounded) struct AdverseListTests {
    private let gate = Gate()
    private let device = Device()
    private let deliveries = Recorder<String>()

    private var store: PurchaseStore { device.store }

    private func record(_ purchase: StorePurchase, by deliverer: String) {
        deliveries.record("\(deliverer) \(purchase.productID)\(purchase.isRedelivery ? " again" : "")")
    }

    @Test func `a purchase that lists lack while it is delivered is finished, and isn't delivered again`() async throws
    {
        try await store.purchase("coins") { purchase in
            record(purchase, by: "closure")
            try await device.read([])
            device.clock.advance(by: 60)
            try await device.read([])
        }
        expectEqual(device.world.unfinished, [])
        let purchases = StreamListener(store.transactions)
        try await device.read()
        expectEqual(purchases.waiting.count, 0)
        expectEqual(deliveries.elements, ["closure coins"])
    }

    @Test func `a transaction that two lists lack is removed, can be finished, and returns if it's listed again`()
        async throws
    {
        let first = StreamListener(store.transactions)
        try device.world.appStore.buyProduct(productID: "pro")
        let purchase = try #require(try await first.next())
        try await device.read([])
        expectEqual(await store.unfinishedTransactions.map(\.productID), ["pro"])
        device.clock.advance(by: 10)
        try await device.read([])
        expectEqual(await store.unfinishedTransactions, [])
        try await device.read()
        let again = try #require(try await first.next())
        #expect(again.isRedelivery && !purchase.isRedelivery)
        expectEqual(again.deliveryKey, purchase.deliveryKey)
        await purchase.finish()
        expectEqual(device.world.unfinished, [])
        try await device.settle()
        expectEqual(await store.unfinishedTransactions, [])
    }

    @Test(arguments: [true, false])
    func `a restore waits for a closure that has the same purchase, and delivers what the closure doesn't`(
        delivers: Bool
    ) async throws {
        let purchase = Task.immediate {
            try await store.purchase("pro") { purchase in
                record(purchase, by: "closure")
                await gate.pass()
                if !delivers { throw CancellationError() }
            }
        }
        try await gate.arrivals(1)
        let restore = Task.immediate { try await store.restore { record($0, by: "restore") } }
        _ = try await store.core.diagnostics() { !$0.isRestoring }
        gate.open()
        let restored = try await restore.value.purchases
        expectEqual(restored.map(\.productID), ["pro"])
        expectEqual(restored.map(\.isHandledElsewhere), [delivers])
        expectEqual((try? await purchase.value) != nil, delivers)
        expectEqual(deliveries.elements, delivers ? ["closure pro"] : ["closure pro", "restore pro again"])
        expectEqual(device.world.unfinished, [])
    }

    @Test func `a second restore waits for the closure of the first`() async throws {
        try await device.world.own("pro")
        let first = Task.immediate {
            try await store.restore { purchase in
                record(purchase, by: "first")
                await gate.pass()
            }
        }
        try await gate.arrivals(1)
        let second = Task.immediate { try await store.restore { record($0, by: "second") } }
        _ = try await store.core.diagnostics() { !$0.isRestoring }
        gate.open()
        expectEqual(try await first.value.purchases.map(\.isHandledElsewhere), [false])
        expectEqual(try await second.value.purchases.map(\.isHandledElsewhere), [true])
        expectEqual(deliveries.elements, ["first pro"])
        try await store.restore { record($0, by: "third") }
        expectEqual(deliveries.elements, ["first pro", "third pro again"], "the customer asked for it")
    }

    @Test func `a waiting restore ends when it's canceled and when it times out`() async throws {
        let purchase = Task.immediate { try await store.purchase("pro") { _ in await gate.pass() } }
        try await gate.arrivals(1)
        let cancelled = Task.immediate { try await store.restore { record($0, by: "restore") } }
        _ = try await store.core.diagnostics() { !$0.isRestoring }
        cancelled.cancel()
        await expectError(\StoreError.code, .taskCancelled) { try await cancelled.value }
        let patient = Task.immediate { try await store.restore { record($0, by: "restore") } }
        _ = try await store.core.diagnostics() { !$0.isRestoring }
        try await device.clock.waitForSleepers(1, duration: 300)
        device.clock.advance(by: 300)
        expectEqual(try await patient.value.purchases.map(\.isHandledElsewhere), [true])
        gate.open()
        _ = try await purchase.value
        expectEqual(deliveries.elements, [])
    }

    @Test func `a list from before a revocation doesn't offer the transaction again`() async throws {
        store.setDelivery { [deliveries] request in
            for purchase in request.purchases { deliveries.record(purchase.productID) }
            await gate.pass()
            return .accepted
        }
        let revocations = StreamListener(store.revocations)
        try device.world.appStore.buyProduct(productID: "pro")
        _ = try await deliveries.first(1)
        let late = try await device.beginLateRead()
        try device.world.appStore.refund("pro")
        expectEqual(try await revocations.next()?.productIDs, ["pro"])
        late.open()
        try await device.settle()
        gate.open()
        try await device.settle()
        expectEqual(deliveries.elements, ["pro"])
    }

    @Test func `a list that is processed while a transaction is finished doesn't offer it again`() async throws {
        let purchases = StreamListener(store.transactions)
        try device.world.appStore.buyProduct(productID: "pro")
        let purchase = try #require(try await purchases.next())
        let late = try await device.beginLateRead()
        device.finishing.close()
        let finishing = Task.immediate { await purchase.finish() }
        try await device.finishing.arrivals(1)
        late.open()
        try await device.settle()
        device.finishing.open()
        await finishing.value
        try await device.read()
        expectEqual(purchases.waiting.count, 0)
        expectEqual(device.world.unfinished, [])
    }

    @Test func `a transaction that is listed after it was finished is finished again`() async throws {
        let outcome = try await store.purchase("coins") { record($0, by: "closure") }
        guard case .success(let purchase) = outcome else { return }
        let stale = try #require(device.bought.elements.last)
        let purchases = StreamListener(store.transactions)
        try await device.read([stale])
        try await device.finishing.arrivals(2)
        expectEqual(purchases.waiting.count, 0)
        expectEqual(deliveries.elements, ["closure coins"])
        #expect(!purchase.isRedelivery)
    }

    @Test func `a purchase that a loop receives after a failed closure is marked as offered before`() async throws {
        let purchases = StreamListener(store.transactions)
        try device.world.appStore.buyProduct(productID: "pro")
        let offered = try #require(try await purchases.next())
        device.world.appStore.setNextPurchaseOutcome(.returnsUnfinishedTransaction, for: "pro")
        await #expect(throws: StoreError.self) {
            try await store.purchase("pro") { purchase in
                record(purchase, by: "closure")
                throw CancellationError()
            }
        }
        let again = try #require(try await purchases.next())
        expectEqual([offered.isRedelivery, again.isRedelivery], [false, true])
        expectEqual(deliveries.elements, ["closure pro again"])
    }

    @Test func `an unverified transaction fails once in a launch`() async throws {
        let failures = StreamListener(store.purchaseFailures)
        device.world.appStore.behavior.transactionsAreUnverified = true
        try device.world.appStore.buyProduct(productID: "pro")
        expectEqual(try await failures.next()?.error.code, .unverified)
        for _ in 0..<3 { try await device.read() }
        expectEqual(failures.waiting.count, 0)
        expectEqual(device.world.unfinished, ["pro"])
    }
}

// The waits of a purchase and a restore.
extension AdverseListTests {
    @Test(arguments: [true, false]) func `the sheet appears after two seconds without StoreKit's answer`(
        isFinishing: Bool
    )
        async throws
    {
        if isFinishing {
            let outcome = try await store.purchase("coins")
            guard case .success(let purchase) = outcome else { return }
            device.finishing.close()
            Task.immediate { await purchase.finish() }
            try await device.finishing.arrivals(1)
        } else {
            device.hidesLatest.withLock { $0 = true }
        }
        let purchase = Task.immediate { try await store.purchase("pro") }
        try await device.clock.waitForSleepers(1, duration: 2)
        device.clock.advance(by: 2)
        guard case .success(let purchased) = try await purchase.value else { return }
        expectEqual(purchased.productID, "pro")
        #expect(!purchased.isPreexisting)
        device.finishing.open()
    }

    @Test func `a restore reads again after a second if StoreKit lists nothing`() async throws {
        try await device.world.own("pro")
        device.world.appStore.setNextListingFault(.empty, for: .currentEntitlements)
        let restore = Task.immediate { try await store.restore() }
        try await device.clock.waitForSleepers(1, duration: 1)
        device.clock.advance(by: 1)
        expectEqual(try await restore.value.productIDs, ["pro"])
    }
}

/// The environment of a device, whose lists a test sets.
private struct DeviceEnvironment: RelayEnvironment {
    let next: any StoreKit2Environment
    let clock: any StoreClock
    let list = Locked<[StoreKit2SignedTransaction]?>(nil)
    let delay = Locked<Gate?>(nil)
    let reads = Recorder<Void>()
    let hidesLatest = Locked(false)
    let finishing = Gate(isOpen: true)
    let bought = Recorder<StoreKit2SignedTransaction>()
    private let never = Gate()

    init(next: any StoreKit2Environment, clock: any StoreClock) {
        (self.next, self.clock) = (next, clock)
    }

    /// Bought transactions are recorded, and their finishing waits while the gate is closed.
    func products(_ ids: Set<String>) async throws(StoreError) -> [StoreKit2Product] {
        try await next.products(ids).map { product in
            StoreKit2Product(value: product.value) { (payment, policy) throws(StoreError) in
                let purchase = try product.prepare(payment, policy).get()
                return StoreFunction { (anchor) async throws(StoreError) in
                    let result = try await purchase(anchor)
                    guard case .success(let signedTransaction) = result else { return result }
                    let held = waiting(signedTransaction)
                    bought.record(held)
                    return .success(held)
                }
            }
        }
    }

    func unfinished() async -> [StoreKit2SignedTransaction] {
        let gate = delay.withLock { gate in
            defer { gate = nil }
            return gate
        }
        reads.record(())
        if let list = list.withLock({ $0 }) { return list }
        let unfinished = await next.unfinished()
        await gate?.pass()
        return unfinished.map(waiting)
    }

    func listen(_ receive: @escaping @Sendable (StoreKit2Event) -> Void) -> StoreKit2Listening {
        next.listen { event in
            guard case .transaction(let signedTransaction) = event else { return receive(event) }
            receive(.transaction(waiting(signedTransaction)))
        }
    }

    func latest(_ productID: String) async -> StoreKit2SignedTransaction? {
        if hidesLatest.withLock({ $0 }) { await never.pass() }
        return await next.latest(productID)
    }

    private func waiting(_ signedTransaction: StoreKit2SignedTransaction) -> StoreKit2SignedTransaction {
        signedTransaction.finished { [finishing] in await finishing.pass() }
    }
}

/// A store over StoreKit 2, whose lists of unfinished transactions a test sets.
private final class Device: Sendable {
    let world = StoreWorld(signs: true)
    let clock = SimulatedClock()
    let store: PurchaseStore
    /// The gate that delays finishing while a test has closed it.
    let finishing: Gate
    let bought: Recorder<StoreKit2SignedTransaction>
    /// Whether StoreKit never returns the latest transaction of a product.
    let hidesLatest: Locked<Bool>
    private let backend: StoreKit2Backend
    /// The list that replaces StoreKit's list.
    private let list: Locked<[StoreKit2SignedTransaction]?>
    /// Delays the next list.
    private let delay: Locked<Gate?>
    private let reads: Recorder<Void>

    init() {
        let environment = DeviceEnvironment(next: SimulatedStoreKit2(world.device), clock: clock)
        (list, delay, reads) = (environment.list, environment.delay, environment.reads)
        (hidesLatest, finishing, bought) = (environment.hidesLatest, environment.finishing, environment.bought)
        backend = StoreKit2Backend(environment: environment)
        store = PurchaseStore(over: backend)
    }

    /// Reads StoreKit's list or another list, and waits until the store has processed the list.
    func read(_ list: [StoreKit2SignedTransaction]? = nil) async throws {
        // A running read may have taken the earlier list.
        try await settle()
        self.list.withLock { $0 = list }
        try await settle()
    }

    /// Begins a read, and returns the gate that delays the current list.
    func beginLateRead() async throws -> Gate {
        try await settle()
        let gate = Gate()
        delay.withLock { $0 = gate }
        backend.refreshPendingState()
        try await gate.arrivals(1)
        return gate
    }

    /// Waits until the store has processed the running reads.
    func settle() async throws {
        // A read begins when the previous read has ended.
        try await beginRead()
        try await beginRead()
        _ = try await store.diagnostics()
    }

    private func beginRead() async throws {
        _ = try await reads.first(1)
        let count = reads.elements.count
        backend.refreshPendingState()
        _ = try await reads.first(count + 1)
    }
}

extension StoreKit2SignedTransaction {
    /// Returns the transaction with a `finish` that waits for an operation after StoreKit's `finish`.
    fileprivate func finished(_ operation: @escaping @Sendable () async -> Void) -> StoreKit2SignedTransaction {
        StoreKit2SignedTransaction(
            version: version, productID: productID, purchaseDate: purchaseDate, verificationError: verificationError,
            payload: payload, jws: jws,
            finish: { [finish] in
                await finish()
                await operation()
            })
    }
}
