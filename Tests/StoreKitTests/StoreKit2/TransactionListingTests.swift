import AppStoreSimulator
import Foundation
import StoreKit
import TestHarness
import Testing

@Suite(.bounded) struct TransactionListingTests {
    private let world = StoreKit2World()

    @Test func `lists are sorted newest first`() async throws {
        for id in ["pro", "season", "coins"] { try await world.buy(id) }
        expectEqual(await world.all, ["coins", "season", "pro"])
        expectEqual(await world.unfinished, ["coins", "season", "pro"])
        expectEqual(await world.entitlements, ["season", "pro"])
        expectEqual(await world.ids(Transaction.all(for: "pro", launch: world.launch)), ["pro"])
        expectEqual(await world.ids(Transaction.currentEntitlements(for: "season", launch: world.launch)), ["season"])
        expectEqual(Transaction.latest(for: "magazine", launch: world.launch), nil)
    }

    @Test(arguments: [false, true]) func `a finished consumable leaves the history, unless the app keeps it`(
        stays: Bool
    ) async throws {
        world.appStore.behavior.historyListsFinishedConsumables = stays
        let transaction = try await world.buy("coins")
        expectEqual(await world.all, ["coins"])
        await transaction.finish()
        expectEqual(await world.all, (stays ? ["coins"] : []))
        expectEqual((Transaction.latest(for: "coins", launch: world.launch) != nil), stays)
        expectEqual(await world.entitlements, [])
    }

    @Test func `the listing of a purchase can be delayed`() async throws {
        world.appStore.behavior.listingLag = 1
        try await world.buy("pro")
        expectEqual(await world.entitlements, [])
        expectEqual(await world.all, [])
        expectEqual(Transaction.latest(for: "pro", launch: world.launch), nil)
        expectEqual(await world.unfinished, ["pro"])
        world.appStore.advance(by: 1)
        expectEqual(await world.entitlements, ["pro"])
    }

    @Test(arguments: [true, false]) func `a canceled task reads empty lists, unless the switch is off`(isOn: Bool)
        async throws
    {
        world.appStore.behavior.cancelledTasksReadNothing = isOn
        try await world.buy("basic")
        let (started, start) = AsyncStream<Never>.makeStream()
        let task = Task {
            for await _ in started {}
            return (
                try await Product.products(for: ["pro"], launch: world.launch).count, await world.entitlements.count,
                await world.unfinished.count,
                try Product.SubscriptionInfo.status(for: "club", launch: world.launch).count,
                Transaction.latest(for: "basic", launch: world.launch) == nil ? 0 : 1
            )
        }
        task.cancel()
        start.finish()
        let counts = try await task.value
        #expect(counts == (isOn ? (0, 0, 0, 0, 0) : (1, 1, 1, 1, 1)))
    }

    @Test func `a task that is canceled while it waits gets no products`() async throws {
        let world = StoreKit2World(pacing: .manual)
        world.appStore.behavior.cancelledTasksReadNothing = true
        let task = Task.immediate { try await Product.products(for: ["pro"], launch: world.launch) }
        task.cancel()
        expectEqual(try await task.value, [])
        world.appStore.runUntilIdle()
    }

    @Test func `entitlements can be empty without a reason`() async throws {
        try await world.buy("pro")
        world.appStore.behavior.entitlementsAreEmpty = true
        expectEqual(await world.entitlements, [])
        expectEqual(await world.all, ["pro"])
    }

    @Test func `only the history may list another account's purchases, with an app transaction of their own`()
        async throws
    {
        world.appStore.behavior.historyListsAnotherAccount = true
        world.appStore.behavior.historyListsFinishedConsumables = true
        let own = try await world.buy("pro")
        let products = StoreKit2World.products.map(\.productID)
        expectEqual(await world.all.sorted(), (products + ["pro"]).sorted())
        expectEqual(await world.ids(Transaction.all(for: "basic", launch: world.launch)), ["basic"])
        expectEqual(await world.entitlements, ["pro"])
        expectEqual(await world.unfinished, ["pro"])
        expectEqual(try Product.SubscriptionInfo.status(for: "club", launch: world.launch), [])
        expectEqual(Transaction.latest(for: "basic", launch: world.launch), nil)
        var others: Set<String> = []
        for await result in Transaction.all(of: world.launch) {
            let transaction = try result.payloadValue
            if transaction.id != own.id { others.insert(transaction.appTransactionID) }
        }
        #expect(others.count == 1 && !others.contains(own.appTransactionID))
        world.appStore.behavior.historyListsFinishedConsumables = false
        #expect(await !world.all.contains("coins"))
    }

    @Test func `a refunded product is listed, with its date and reason, and not owned`() async throws {
        let transaction = try await world.own("pro")
        var updates = world.updates()
        world.appStore.advance(by: 60)
        try world.appStore.refund("pro", reason: .developerIssue)
        let revoked = try #require(try await updates.next()?.payloadValue)
        expectEqual(revoked.id, transaction.id)
        expectEqual(revoked.revocationDate, world.appStore.now)
        expectEqual(revoked.revocationReason, .developerIssue)
        expectEqual(await world.entitlements, [])
        expectEqual(await world.all, ["pro"])
        let again = try await world.buy("pro")
        #expect(again.id != transaction.id)
    }

    @Test func `an ended launch has empty lists`() async throws {
        try await world.buy("pro")
        let next = world.relaunched()
        expectEqual(await world.all, [])
        expectEqual(await next.all, ["pro"])
    }

    @Test func `ten thousand transactions are listed and delivered without being signed`() async throws {
        for _ in 0..<10_000 { try world.appStore.buyProduct(productID: "coins") }
        let next = world.relaunched()
        let clock = ContinuousClock()
        var count = 0
        let duration = await clock.measure {
            var updates = next.updates()
            for _ in 0..<10_000 where await updates.next() != nil { count += 1 }
            for await _ in Transaction.unfinished(of: next.launch) { count += 1 }
        }
        expectEqual(count, 20_000)
        // Far above the expected time, and far below that of a quadratic algorithm or of 10,000 signatures.
        #expect(duration < .seconds(10))
    }
}
