import AsyncStoreKit
import AsyncStoreKitTesting
import TestHarness
import Testing

/// The ends of a loop over hosted content.
@Suite(.bounded) struct HostedContentTests {
    private let world = BehaviorWorld { SimulatedBackend(launch: $0, engine: .storeKit1) }

    @Test func `a loop ends with its store, and returns nil after its error`() async throws {
        let backend = SimulatedBackend(world.appStore, engine: .storeKit1)
        let store = PurchaseStore(backend: backend)
        let purchase = try world.success(try await store.purchase(BehaviorWorld.maps))
        var content = store.hostedContent.content(of: purchase).makeAsyncIterator()
        // Waiting, or active if the downloads have begun before the first state was read.
        let first = try #require(try await content.next())
        #expect([.waiting, .active].contains(first.state))
        backend.terminate()
        do {
            while try await content.next() != nil {}
            Issue.record("The loop has ended as if all content had arrived.")
        } catch {
            expectEqual(error as? StoreError, .storeClosed)
        }
        expectEqual(try await content.next(), nil)
    }

    @Test func `a loop whose task is canceled between two states cancels the downloads, and returns nil afterwards`()
        async throws
    {
        let store = world.launch()
        let purchase = try world.success(try await store.purchase(BehaviorWorld.maps))
        let loop = Task {
            var content = store.hostedContent.content(of: purchase).makeAsyncIterator()
            _ = try await content.next()
            withUnsafeCurrentTask { $0?.cancel() }
            do {
                _ = try await content.next()
                Issue.record("The loop continues.")
            } catch {
                expectEqual((error as? StoreError)?.code, .taskCancelled)
            }
            expectEqual(try await content.next(), nil)
        }
        try await loop.value
        try await world.settle(store)
        expectEqual(await store.unfinishedTransactions.flatMap(\.downloads).map(\.state), [.cancelled, .cancelled])
        await purchase.finish()
        try await world.expectFinished(store)
    }
}
