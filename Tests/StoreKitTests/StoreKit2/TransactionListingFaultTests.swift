import AppStoreSimulator
import StoreKit
import TestHarness
import Testing

@Suite(.bounded) struct TransactionListingFaultTests {
    private let world = StoreKit2World()

    @Test func `the list of unfinished transactions may be empty, outdated or partial`() async throws {
        let coins = try await world.own("coins")
        try await world.buy("pro")
        world.appStore.setNextListingFault(.empty, for: .unfinished)
        world.appStore.setNextListingFault(.partial, for: .unfinished)
        world.appStore.setNextListingFault(.stale(changes: 2), for: .unfinished)
        expectEqual(await world.unfinished, [])
        expectEqual(await world.unfinished, [])
        var stale: [UInt64] = []
        for await result in Transaction.unfinished(of: world.launch) { stale.append(try result.payloadValue.id) }
        expectEqual(stale, [coins.id])
        expectEqual(await world.unfinished, ["pro"])
    }

    @Test(arguments: [false, true]) func `a late list arrives when it is released, unless the task was canceled`(
        isCancelled: Bool
    ) async throws {
        world.appStore.behavior.cancelledTasksReadNothing = true
        try await world.buy("pro")
        world.appStore.setNextListingFault(.late(events: .max), for: .unfinished)
        let reader = Task.immediate { await world.unfinished }
        try world.appStore.buyProduct(productID: "coins")
        await world.appStore.waitUntilIdle()
        if isCancelled { reader.cancel() }
        expectEqual(world.appStore.releaseListings(), 1)
        expectEqual(await reader.value, isCancelled ? [] : ["pro"])
        expectEqual(await world.unfinished, ["coins", "pro"])
    }
}
