import AppStoreSimulator
import Foundation
import StoreKit
import TestHarness
import Testing

// Tests of purchases whose task is canceled, and of unanswered purchases.
extension TransactionUpdatesTests {
    @Test(arguments: SimulatorBehavior.CancelledPurchase.allCases)
    func `a task that is canceled during the sheet`(cancelled: SimulatorBehavior.CancelledPurchase) async throws {
        let world = StoreKit2World(pacing: .manual)
        world.appStore.behavior.cancelledPurchase = cancelled
        let product = Product(StoreKit2World.products[1], launch: world.launch)
        var listener = world.updates()
        // The purchase has begun and is waiting for its answer.
        let task = Task.immediate { try await product.purchase(with: []) }
        task.cancel()
        world.appStore.runUntilIdle()
        switch cancelled {
        case .isAwaited:
            expectEqual(try await task.value.summary, "success pro")
        case .comesAsUpdate:
            await #expect(throws: CancellationError.self) { try await task.value }
            expectEqual(await listener.next()?.unsafePayloadValue.productID, "pro")
        case .isWithdrawn:
            expectEqual(try await task.value.summary, "cancelled")
            #expect(world.appStore.allTransactions().isEmpty)
        }
    }

    @Test func `a purchase that is never answered ends with the launch`() async throws {
        world.appStore.setNextPurchaseOutcome(.neverAnswered(afterPurchasing: true), for: "pro")
        let product = try await world.product("pro")
        let task = Task { try await product.purchase(with: []) }
        // The next purchase doesn't wait.
        try await world.buy("coins")
        _ = world.relaunched()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func `calls of a launch that has ended end at once`() async throws {
        let product = try await world.product("pro")
        let transaction = try await world.buy("coins")
        let next = world.relaunched()
        await #expect(throws: CancellationError.self) { try await product.purchase(with: []) }
        await #expect(throws: CancellationError.self) { try await world.product("pro") }
        await #expect(throws: CancellationError.self) { try await AppStore.sync(of: world.launch) }
        await transaction.finish()
        expectEqual(await next.unfinished, ["coins"])
    }

    @Test func `a request for products that is never answered ends with the launch, or when its task is canceled`()
        async throws
    {
        world.appStore.behavior.productRequestsAreNeverAnswered = true
        world.appStore.behavior.cancelledTasksReadNothing = true
        let task = Task { try await Product.products(for: ["pro"], launch: world.launch) }
        task.cancel()
        expectEqual(try await task.value, [])
        let request = world.launch.products(for: ["pro"]) { _ in }
        request.cancel()
        let (answers, answer) = AsyncStream<Bool>.makeStream()
        _ = world.launch.products(for: ["pro"]) { answer.yield($0 == nil) }
        _ = world.relaunched()
        var iterator = answers.makeAsyncIterator()
        expectEqual(await iterator.next(), true)
    }
}
