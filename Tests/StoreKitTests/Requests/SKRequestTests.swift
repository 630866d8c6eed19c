import AppStoreSimulator
import Foundation
import StoreKit
import TestHarness
import Testing

@Suite(.bounded) struct SKRequestTests {
    private let store = SimulatedAppStore(catalog: .samples, pacing: .manual)
    private let launch: SimulatedLaunch
    private let delegate = RecordingRequestDelegate()

    init() {
        launch = store.launch()
    }

    private func request(_ identifiers: Set<String>) -> SKProductsRequest {
        let request = SKProductsRequest(productIdentifiers: identifiers, launch: launch)
        request.delegate = delegate
        return request
    }

    @Test func `products arrive before the end, and unknown identifiers are listed`() throws {
        let request = request(["coins", "pro", "nothing", "none"])
        request.start()
        store.runUntilIdle()
        expectEqual(delegate.events, ["response", "finished"])
        let response = try #require(delegate.response)
        expectEqual(Set(response.products.map(\.productIdentifier)), ["coins", "pro"])
        expectEqual(Set(response.invalidProductIdentifiers), ["nothing", "none"])
    }

    @Test func `products have the locale that the store has at the response`() throws {
        let request = request(["coins"])
        request.start()
        store.localeIdentifier = "de_DE"
        store.runUntilIdle()
        let product = try #require(delegate.response?.products.first)
        expectEqual(product.localizedTitle, "Münzen")
        expectEqual(product.priceLocale.currencyCode, "EUR")
    }

    @Test func `a failed request reports the error`() {
        store.behavior.productRequestError = .unknown
        let request = request(["coins"])
        request.start()
        store.runUntilIdle()
        expectEqual(delegate.events, ["failed"])
        expectEqual((delegate.error as? SKError)?.code, .unknown)
    }

    @Test func `a running request isn't sent again, an ended request is`() {
        let request = request(["coins"])
        request.start()
        request.start()
        store.runUntilIdle()
        expectEqual(delegate.events, ["response", "finished"])
        request.start()
        store.runUntilIdle()
        expectEqual(delegate.events, ["response", "finished", "response", "finished"])
    }

    @Test func `a canceled request reports nothing`() {
        let request = request(["coins"])
        request.start()
        request.cancel()
        request.cancel()
        store.runUntilIdle()
        #expect(delegate.events.isEmpty)
    }

    @Test func `a canceled request still responds if the switch is set`() {
        store.behavior.repliesAfterCancel = true
        let request = request(["coins"])
        request.start()
        request.cancel()
        store.runUntilIdle()
        expectEqual(delegate.events, ["response", "finished"])
    }

    @Test func `a canceled request can be sent again`() {
        let request = request(["coins"])
        request.start()
        request.cancel()
        request.start()
        store.runUntilIdle()
        expectEqual(delegate.events, ["response", "finished"])
    }

    @Test func `a released request reports nothing`() {
        do {
            let request = request(["coins"])
            request.start()
        }
        store.runUntilIdle()
        #expect(delegate.events.isEmpty)
    }

    @Test func `the delegate is held weakly`() {
        let request = SKProductsRequest(productIdentifiers: ["coins"], launch: launch)
        do {
            let delegate = RecordingRequestDelegate()
            request.delegate = delegate
            #expect(request.delegate === delegate)
        }
        #expect(request.delegate == nil)
        request.start()
        store.runUntilIdle()
        expectEqual(store.pendingEventCount, 0)
    }

    @Test func `the delegate is the same through the base class`() {
        let request = SKProductsRequest(productIdentifiers: [], launch: launch)
        let base: SKRequest = request
        request.delegate = delegate
        #expect(base.delegate === delegate)
        final class Finisher: NSObject, SKRequestDelegate {}
        let finisher = Finisher()
        base.delegate = finisher
        #expect(request.delegate == nil)
        #expect(base.delegate === finisher)
    }

    @Test func `the receipt exists when its request has finished`() {
        expectEqual(launch.receipt, nil)
        let request = SKReceiptRefreshRequest(launch: launch)
        request.delegate = delegate
        request.start()
        store.runUntilIdle()
        expectEqual(delegate.events, ["finished"])
        #expect(launch.receipt != nil)
    }

    @Test func `a receipt request keeps its properties`() {
        let request = SKReceiptRefreshRequest(receiptProperties: [SKReceiptPropertyIsExpired: true], launch: launch)
        #expect(request.receiptProperties?[SKReceiptPropertyIsExpired] as? Bool == true)
        #expect(SKReceiptRefreshRequest(launch: launch).receiptProperties == nil)
    }

    @Test func `the base class sends no request`() {
        let request = SKRequest()
        request.delegate = delegate
        request.start()
        request.cancel()
        store.runUntilIdle()
        #expect(delegate.events.isEmpty)
    }
}
