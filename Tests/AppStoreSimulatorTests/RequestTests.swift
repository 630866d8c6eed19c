import AppStoreSimulator
import Foundation
import TestHarness
import Testing

@Suite(.bounded) struct RequestTests {
    private let store = SimulatedAppStore.stepped()
    private let log = OrderLog<SimulatedRequestEvent>()

    private func handler() -> @Sendable (SimulatedRequestEvent) -> Void {
        { [log] in log.append($0) }
    }

    private func identifiers(_ event: SimulatedRequestEvent?) -> [String] {
        guard case .products(let products, _) = event else { return [] }
        return products.map(\.productID)
    }

    @Test func `the products arrive before the end, and unknown identifiers are listed`() {
        let request = store.launch().productsRequest(["pro", "nothing", "coins", ""], handler: handler())
        store.runUntilIdle()
        #expect(log.values.isEmpty)
        request.start()
        store.step()
        expectEqual(identifiers(log.values.first), ["coins", "pro"])
        store.step()
        #expect(!store.step())
        guard case .products(_, let invalid) = log.values.first else { return }
        expectEqual(invalid, ["", "nothing"])
        expectEqual(log.values.last, .finished)
        expectEqual(log.values.count, 2)
    }

    @Test func `an empty request has an empty response`() {
        store.launch().productsRequest([], handler: handler()).start()
        store.runUntilIdle()
        expectEqual(log.values, [.products([], invalid: []), .finished])
    }

    @Test func `starting twice sends one request`() {
        let request = store.launch().productsRequest(["coins"], handler: handler())
        request.start()
        request.start()
        store.runUntilIdle()
        request.start()
        store.runUntilIdle()
        expectEqual(log.values.count, 2)
    }

    @Test func `a canceled request receives no response`() {
        let launch = store.launch()
        let early = launch.productsRequest(["coins"], handler: handler())
        early.cancel()
        early.start()
        let waiting = launch.productsRequest(["coins"], handler: handler())
        waiting.start()
        waiting.cancel()
        waiting.cancel()
        store.runUntilIdle()
        #expect(log.values.isEmpty)
        let halfway = launch.productsRequest(["coins"], handler: handler())
        halfway.start()
        store.step()
        halfway.cancel()
        expectEqual(store.pendingEventCount, 0)
        store.runUntilIdle()
        expectEqual(log.values.count, 1)
    }

    @Test func `a canceled request can still receive its response`() {
        let store = SimulatedAppStore.stepped { $0.repliesAfterCancel = true }
        let request = store.launch().productsRequest(["coins"], handler: handler())
        request.start()
        request.cancel()
        store.runUntilIdle()
        expectEqual(identifiers(log.values.first), ["coins"])
        expectEqual(log.values.last, .finished)
    }

    @Test func `product requests can be unanswered, fail, or fail after their response`() {
        let store = SimulatedAppStore.stepped { $0.productRequestsAreNeverAnswered = true }
        let launch = store.launch()
        launch.productsRequest(["coins"], handler: handler()).start()
        store.runUntilIdle()
        #expect(log.values.isEmpty)
        store.behavior.productRequestsAreNeverAnswered = false
        store.behavior.productRequestError = .notConnectedToInternet
        launch.productsRequest(["coins"], handler: handler()).start()
        store.runUntilIdle()
        expectEqual(log.values, [.failed(.notConnectedToInternet)])
        store.behavior.productRequestError = nil
        store.behavior.productRequestsFailAfterReply = true
        launch.productsRequest(["coins"], handler: handler()).start()
        store.runUntilIdle()
        expectEqual(log.values.count, 3)
        expectEqual(identifiers(log.values[1]), ["coins"])
        expectEqual(log.values.last, .failed(.notConnectedToInternet))
    }

    @Test func `a request of an ended launch receives no response`() {
        let launch = store.launch()
        launch.productsRequest(["coins"], handler: handler()).start()
        _ = store.launch()
        store.runUntilIdle()
        #expect(log.values.isEmpty)
    }

    @Test func `another catalog leads to other responses`() {
        let launch = store.launch()
        store.catalog = SimulatedCatalog(products: [SimulatedProduct(productID: "new", kind: .consumable, price: 1)])
        launch.productsRequest(["new", "coins"], handler: handler()).start()
        store.runUntilIdle()
        expectEqual(log.values, [.products(store.catalog.products, invalid: ["coins"]), .finished])
    }

    @Test func `a receipt refresh ends, fails, or is never answered`() {
        let launch = store.launch()
        expectEqual(launch.receipt, nil)
        store.behavior.receiptRefreshesAreNeverAnswered = true
        launch.receiptRefreshRequest(handler: handler()).start()
        store.runUntilIdle()
        #expect(log.values.isEmpty)
        store.behavior.receiptRefreshesAreNeverAnswered = false
        store.behavior.receiptRefreshError = .notConnectedToInternet
        launch.receiptRefreshRequest(handler: handler()).start()
        store.runUntilIdle()
        expectEqual(log.values, [.failed(.notConnectedToInternet)])
        expectEqual(launch.receipt, nil)
        store.behavior.receiptRefreshError = nil
        launch.receiptRefreshRequest(handler: handler()).start()
        store.runUntilIdle()
        expectEqual(log.values, [.failed(.notConnectedToInternet), .finished])
        #expect(launch.receipt != nil)
    }
}
