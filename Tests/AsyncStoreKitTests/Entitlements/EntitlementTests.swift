import AppReceipt
import AppStoreSimulator
import AsyncStoreKitTesting
import Foundation
import Support
import TestHarness
import Testing

@testable import AsyncStoreKit

/// A store's entitlements over the simulated App Store.
@Suite(.bounded) struct EntitlementTests {
    private let world = StoreWorld()

    @Test func `a purchase gives access as soon as the call has returned`() async throws {
        _ = await world.store.entitlements.current
        try await world.buy("pro")
        #expect(world.store.entitlements.latest.contains(AccessLevel(products: ["other", "pro"])))
        let pro = try #require(await world.store.entitlements.refresh()["pro"])
        #expect(pro.productKind == .nonConsumable && pro.state == .subscribed && pro.isEntitled)
        #expect(pro.accessEndDate == nil && pro.renewal == nil && !pro.isFamilyShared)
        expectEqual(pro.jws?.split(separator: ".").count, 3)
    }

    @Test func `a loop receives the end of a subscription without another event`() async throws {
        try await world.buy("basic")
        try world.appStore.disableAutoRenew(of: "basic")
        var iterator = world.store.entitlements.makeAsyncIterator()
        while try #require(await iterator.next())["basic"]?.renewal?.willRenew != false {}
        world.appStore.advance(by: 40 * 86_400)
        while try #require(await iterator.next())["basic"]?.state != .expired {}
    }

    @Test func `a report of StoreKit 1 has the group and the period of its product`() async throws {
        let world = StoreWorld(engine: .storeKit1)
        world.appStore.behavior.receiptLag = .seconds(3_600)
        _ = await world.refreshed()
        try await world.buy("premium")
        let premium = try #require(world.store.entitlements.latest["premium"])
        expectEqual(premium.subscriptionGroupID, "club")
        let month = premium.accessEndDate.map { $0.timeIntervalSince(premium.purchaseDate) / 86_400 }
        #expect(month.map { (28...31).contains($0) } ?? false)
    }

    @Test func `a loop receives the current value, then each change, and no value twice`() async throws {
        var iterator = world.store.entitlements.makeAsyncIterator()
        expectEqual(await iterator.next()?.productIDs, [])
        try await world.buy("pro")
        expectEqual(await iterator.next()?.productIDs, ["pro"])
        let before = await world.store.entitlements.refresh()
        expectEqual(await world.store.entitlements.refresh(), before)
        try world.appStore.refund("pro")
        var states: [SubscriptionState?] = []
        while states.last != .revoked { states.append(try #require(await iterator.next())["pro"]?.state) }
        #expect(
            states == [.revoked] || states == [.subscribed, .revoked],
            "in between, at most the signed text replaces the report")
    }

    @Test func `a loop doesn't receive the same value again after an issue has come and gone`() async throws {
        try await world.buy("pro")
        let backend = ReadingDevice(SimulatedBackend(world.appStore))
        var store: PurchaseStore? = PurchaseStore(over: backend)
        let entitlements = try #require(store).entitlements
        let known = await entitlements.refresh()
        var iterator = entitlements.makeAsyncIterator()
        expectEqual(await iterator.next(), known)
        backend.fails(.networkError)
        expectEqual(await entitlements.refresh().issues, [.incomplete(.networkError)])
        backend.fails(nil)
        expectEqual(await entitlements.refresh(), known)
        store = nil
        expectEqual(await iterator.next(), nil)
    }

    @Test func `a loop ends when the store is released, and the last value stays`() async throws {
        try await world.buy("pro")
        var store: PurchaseStore? = PurchaseStore(backend: SimulatedBackend(world.appStore))
        let entitlements = try #require(store).entitlements
        var iterator = entitlements.makeAsyncIterator()
        expectEqual(await iterator.next()?.basis, .confirmed)
        store = nil
        expectEqual(await iterator.next(), nil)
        expectEqual(await entitlements.current.basis, .confirmed)
        expectEqual(await entitlements.refresh().basis, .confirmed)
        var late = entitlements.makeAsyncIterator()
        expectEqual(await late.next(), nil)
    }

    @Test @MainActor func `a handler receives the current value, then each change, until it is canceled`() async throws
    {
        let told = Recorder<StoreEntitlements>()
        let call = world.store.callbacks.onEntitlements { told.record($0) }
        expectEqual(try await told.first(1)[0].productIDs, [])
        try await world.buy("pro")
        _ = try await told.first { $0.contains("pro") }
        try world.appStore.refund("pro")
        _ = try await told.first { $0["pro"]?.state == .revoked }
        for (one, next) in zip(told.elements, told.elements.dropFirst()) { #expect(one != next) }
        call.cancel()
        let count = told.elements.count
        try await world.buy("filters")
        let late = Recorder<StoreEntitlements>()
        let other = world.store.callbacks.onEntitlements { late.record($0) }
        _ = try await late.first { $0.contains("filters") }
        expectEqual(told.elements.count, count, "a pending value doesn't arrive after the cancellation")
        other.cancel()
    }

    @Test func `callers wait for a read at most a second, and a later result is still used`() async throws {
        let gate = Gate()
        let clock = SimulatedClock()
        let world = StoreWorld(configuration: StoreConfiguration(clock: clock)) {
            ReadingDevice($0, gate: gate)
        }
        let store = world.store
        try await world.buy("pro")
        async let current = store.entitlements.current
        try await gate.arrivals(1)
        try await clock.waitForSleepers(1, duration: 1)
        clock.advance(by: 1)
        expectEqual(await current.basis, .unknown)
        async let refreshed = store.entitlements.refresh()
        gate.open()
        expectEqual(await refreshed.basis, .confirmed)
    }

    @Test func `a purchase during a read causes another read`() async throws {
        let gate = Gate()
        let reads = Recorder<Void>()
        let world = StoreWorld { ReadingDevice($0, gate: gate, reads: reads) }
        let store = world.store
        async let refreshed = store.entitlements.refresh()
        try await gate.arrivals(1)
        try await world.buy("pro")
        gate.open()
        #expect(await refreshed.contains("pro"))
        try await gate.arrivals(2)
        for _ in 0..<20 { _ = await store.entitlements.refresh() }
        // StoreKit 2's full history is read once, in the background, and the entitlements again after it.
        #expect((22...23).contains(reads.elements.count), "and then only on request: \(reads.elements.count)")
    }

    @Test func `a restore has the device read, even if it brings nothing`() async throws {
        let reads = Recorder<Void>()
        let world = StoreWorld { ReadingDevice($0, reads: reads) }
        _ = await world.confirmed()
        try await world.store.settled()
        let count = reads.elements.count
        try await world.store.restore { _ in }
        try await world.store.settled()
        #expect(reads.elements.count > count)
    }

    @Test func `an endless read is treated as failed after a while, and another can begin`() async throws {
        let gate = Gate()
        let clock = SimulatedClock()
        let world = StoreWorld(configuration: StoreConfiguration(clock: clock)) {
            ReadingDevice($0, gate: gate)
        }
        let store = world.store
        try await world.buy("pro")
        async let refreshed = store.entitlements.refresh()
        try await clock.waitForSleepers(1, duration: 60)
        clock.advance(by: 60)
        expectEqual(await refreshed.issues, [.incomplete(.timedOut)])
        gate.open()
        expectEqual(await store.entitlements.refresh().basis, .confirmed)
    }

    @Test func `an abandoned read is canceled, its late answer is ignored, and reads don't pile up`() async throws {
        let device = HangingDevice()
        let clock = SimulatedClock()
        let world = StoreWorld(configuration: StoreConfiguration(clock: clock)) { _ in device }
        let store = world.store
        _ = store.entitlements.latest
        _ = try await device.reads.first(1)
        for _ in 0..<5 { store.refreshPendingState() }
        try await clock.waitForSleepers(1, duration: 60)
        expectEqual(device.reads.elements.count, 1, "one read at a time")
        clock.advance(by: 60)
        _ = try await device.reads.first(2)
        _ = try await device.canceled.first(1)
        device.answer(1, with: "filters")
        expectEqual(await store.entitlements.refresh().productIDs, ["filters"])
        device.answer(0, with: "pro")
        _ = try await device.ended.first(2)
        expectEqual(store.entitlements.latest.productIDs, ["filters"])
        expectEqual(await store.entitlements.refresh().productIDs, ["filters"])
    }

    @Test func `the latest answer doesn't wait while another one is evaluated`() async throws {
        let entered = Recorder<Void>()
        let release = DispatchSemaphore(value: 0)
        let world = StoreWorld()
        let monitor = EntitlementMonitor(
            backend: SimulatedBackend(world.appStore), configuration: StoreConfiguration(),
            clock: SimulatedClock(world.appStore)
        ) { _ in
            entered.record(())
            _ = release.wait(timeout: .now() + WaitExpired.limit)
            return nil
        }
        _ = await monitor.refresh()
        let report = StoreTransaction(
            token: TransactionToken(source: 1, serial: 1), state: .purchased, productID: "pro", id: "1",
            purchaseDate: world.appStore.now)
        Thread.detachNewThread { monitor.process(.unsolicitedTransactions([report])) }
        _ = try await entered.first(1)
        // The evaluation is blocked until the semaphore is signaled.
        #expect(!monitor.latest.contains("pro"))
        for _ in 0..<100 { release.signal() }
        monitor.close()
    }

    @Test func `an answered caller leaves no timer behind`() async throws {
        let (clock, gate) = (WatchedClock(), Gate())
        let world = StoreWorld(configuration: StoreConfiguration(clock: clock)) {
            ReadingDevice($0, gate: gate)
        }
        let limit = clock.now.addingTimeInterval(1)
        let store = world.store
        try await world.buy("pro")
        async let current = store.entitlements.current
        try await clock.next.waitForSleepers(1, duration: 1)
        gate.open()
        expectEqual(await current.basis, .confirmed)
        _ = try await clock.abandoned.first { $0 == limit }
    }

    @Test func `a scheduled read is skipped if the device was read in the meantime`() async throws {
        let clock = WatchedClock()
        let device = Locked<ReadingDevice?>(nil)
        let world = StoreWorld(configuration: StoreConfiguration(clock: clock)) { backend in
            let reading = ReadingDevice(backend)
            device.withLock { $0 = reading }
            return reading
        }
        let store = world.store
        try await world.buy("pro")
        // The first answer of a launch is repeated.
        for _ in 0..<2 {
            _ = await store.entitlements.refresh()
            clock.next.advance(by: 1)
        }
        _ = await store.entitlements.refresh()
        let reading = try #require(device.withLock { $0 })
        reading.fails(.networkError)
        let due = clock.now.addingTimeInterval(1)
        expectEqual(await store.entitlements.refresh().issues, [.incomplete(.networkError)])
        try await clock.next.waitForSleepers(1, duration: 1)
        reading.fails(nil)
        _ = await store.entitlements.refresh()
        _ = try await clock.abandoned.first { $0 == due }
    }

    @Test func `nothing is read before the first question, and one read answers all callers during it`() async throws {
        let gate = Gate()
        let reads = Recorder<Void>()
        let world = StoreWorld { ReadingDevice($0, gate: gate, reads: reads) }
        try await world.buy("pro")
        #expect(reads.elements.isEmpty)
        gate.open()
        let store = world.store
        await withTaskGroup(of: StoreEntitlements.self) { group in
            for _ in 0..<20 { group.addTask { await store.entitlements.current } }
            for await entitlements in group { #expect(entitlements.contains("pro")) }
        }
        #expect(reads.elements.count <= 20)
        try await store.settled()
        let count = reads.elements.count
        _ = await store.entitlements.current
        expectEqual(reads.elements.count, count, "a known answer isn't read again")
    }
}

/// A device whose reads return when a test answers them, and not when they are canceled.
private final class HangingDevice: RelayBackend {
    let next: any StoreBackend = UnreachableBackend()
    let reads = Recorder<Int>()
    let canceled = Recorder<Int>()
    let ended = Recorder<Int>()
    private let answers = Locked<[Promise<String>]>([])
    private let last = Locked<String?>(nil)

    /// Answers a read. The first answer is that of all later reads, too.
    func answer(_ read: Int, with productID: String) {
        last.withLock { $0 = $0 ?? productID }
        answers.withLock { $0[read] }.fulfill(productID)
    }

    func purchaseHistory(groups: Set<String>) async throws(StoreError) -> PurchaseHistory {
        let promise = Promise<String>()
        let number = answers.withLock { answers in
            answers.append(promise)
            return answers.count - 1
        }
        reads.record(number)
        if number > 1, let last = last.withLock({ $0 }) { promise.fulfill(last) }
        let productID = await withTaskCancellationHandler {
            await promise.value()
        } onCancel: {
            canceled.record(number)
        }
        ended.record(number)
        let row = PurchaseFacts(
            productID: productID, transactionID: productID, purchaseDate: Date(timeIntervalSince1970: 1_767_225_600),
            productKind: .nonConsumable)
        return .signed(PurchaseListing(transactions: [VerifiedTransaction(row, text: { "text" })]))
    }
}

/// A clock that records which sleeps were canceled.
private struct WatchedClock: StoreClock {
    let next = SimulatedClock()
    let abandoned = Recorder<Date>()

    var now: Date { next.now }

    func sleep(until deadline: Date) async throws {
        do {
            try await next.sleep(until: deadline)
        } catch {
            abandoned.record(deadline)
            throw error
        }
    }
}
