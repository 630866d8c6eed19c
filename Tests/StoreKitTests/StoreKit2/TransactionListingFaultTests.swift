import AppStoreSimulator
import StoreKit
import TestHarness
import Testing

@Suite(.bounded) struct TransactionListingFaultTests {
    private let world = StoreKit2World()

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
