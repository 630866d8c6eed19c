import AppStoreSimulator
import AsyncStoreKitTesting
import Foundation
import Support
import TestHarness
import Testing

@testable import AsyncStoreKit

/// A purchase whose delivery was canceled before it ended stays unfinished, and is offered again.
@Suite(.bounded) struct CancelledDeliveryTests {
    private static let engines: [StoreEngine] = [.storeKit1, .storeKit2]

    @Test(arguments: CancelledDelivery.Style.allCases, engines)
    func `nothing is lost when an app is cancelled at any step`(
        style: CancelledDelivery.Style, engine: StoreEngine
    ) async throws {
        for failure in CancelledDelivery.Failure.allCases {
            let steps = try await CancelledDelivery.playEveryStep(style, failure) { launch, _ in
                SimulatedBackend(launch: launch, engine: engine)
            }
            #expect(steps >= 6)
        }
    }

    @Test(arguments: CancelledDelivery.Style.allCases, CancelledDelivery.slices.indices)
    func `nothing is lost when an app is cancelled at random moments`(
        style: CancelledDelivery.Style, slice: Int
    ) async throws {
        for engine in Self.engines {
            try await CancelledDelivery.play(slice, style, over: "simulated \(engine)") { launch, _ in
                SimulatedBackend(launch: launch, engine: engine)
            }
        }
    }

    @Test func `a closure isn't called in a task that is cancelled already`() async throws {
        let store = StoreWorld { SimulatedBackend(launch: $0) }.launch()
        let response = try await store.core.purchase(.product(StoreWorld.pro), PurchaseOptions(), .closure)
        let called = Recorder<String>()
        let call = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            _ = try await store.delivering(response) { called.record($0.productID) }
        }
        await expectError(\StoreError.code, .taskCancelled) { try await call.value }
        #expect(called.elements.isEmpty)
    }

    @Test(arguments: engines)
    func `a purchase whose task was cancelled in the closure is offered with the same key`(
        engine: StoreEngine
    ) async throws {
        let world = StoreWorld { SimulatedBackend(launch: $0, engine: engine) }
        let store = world.launch()
        let keys = Recorder<String>()
        let call = Task {
            try await store.purchase(StoreWorld.coins) { purchase in
                keys.record(purchase.deliveryKey)
                withUnsafeCurrentTask { $0?.cancel() }
            }
        }
        let error = await #expect(throws: StoreError.self) { try await call.value }
        expectEqual(error?.code, .taskCancelled)
        expectEqual(error?.underlying is CancellationError, true)
        let offered = try await world.next(of: StreamListener(store.transactions))
        expectEqual([offered.deliveryKey], keys.elements)
        #expect(offered.isRedelivery && !offered.isHandledElsewhere)
        #expect(!world.appStore.allTransactions().contains { $0.isFinished })
    }

    @Test func `a purchase in a task that outlives the view is delivered`() async throws {
        let appStore = SimulatedAppStore(catalog: .shop)
        let store = PurchaseStore(simulating: appStore)
        let server = Server()
        let view = Task {
            let purchase = Task {
                try await store.purchase("coins") { purchase in
                    try await server.deliver(purchase)
                }
            }
            let outcome = try await purchase.value
            return outcome
        }
        try await server.door.arrivals(1)
        view.cancel()
        server.door.open()
        _ = try await view.value
        expectEqual(server.delivered.elements, ["coins"])
        expectEqual(appStore.allTransactions().map(\.isFinished), [true])
    }

    @Test func `a loop in a cancelled task receives no buffered purchase`() async throws {
        let world = StoreWorld { SimulatedBackend(launch: $0) }
        let store = world.launch()
        let stream = store.transactions
        try world.appStore.buyProduct(productID: StoreWorld.coins)
        try await world.settle(store)
        let loop = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await stream.first { _ in true }
        }
        #expect(await loop.value == nil)
        expectEqual(try await world.next(of: StreamListener(store.transactions)).productID, StoreWorld.coins)
    }

    @Test func `an unread stream with a purchase in its buffer doesn't keep the store alive`() async throws {
        let world = StoreWorld { SimulatedBackend(launch: $0) }
        var store: PurchaseStore? = world.launch()
        let stream = try #require(store?.transactions)
        try world.appStore.buyProduct(productID: StoreWorld.coins)
        try await world.settle(#require(store))
        weak let core = store?.core
        store = nil
        #expect(await isReleased { core })
        // The purchase needs its store, so it isn't an element any more.
        #expect(await stream.first { _ in true } == nil)
    }

    @Test func `a delivery that was cancelled before it returned isn't in the ledger`() async throws {
        let appStore = SimulatedAppStore(catalog: .shop)
        let clock = SimulatedClock(appStore)
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let ledger = DeliveryLedger(url: folder.appendingPathComponent("ledger"))
        let backend = SimulatedBackend(appStore)
        let (begun, hasEnded) = (Gate(), Gate())
        do {
            let store = PurchaseStore(
                over: backend, configuration: StoreConfiguration(deliveryLedger: ledger, clock: clock))
            store.setDelivery { _ in
                await begun.pass()
                hasEnded.open()
                return .accepted
            }
            try appStore.buyProduct(productID: StoreWorld.coins)
            try await begun.arrivals(1)
            backend.terminate()
            await hasEnded.pass()
            _ = try? await store.settled()
        }
        let next = PurchaseStore(
            over: SimulatedBackend(appStore), configuration: StoreConfiguration(deliveryLedger: ledger, clock: clock))
        let offered = try await StreamListener(next.transactions).next()
        expectEqual(offered?.productID, StoreWorld.coins)
        await offered?.finish()
    }
}

private struct Server {
    let door = Gate()
    let delivered = Recorder<String>()

    func deliver(_ purchase: StorePurchase) async throws {
        await door.pass()
        try Task.checkCancellation()
        delivered.record(purchase.productID)
    }
}
