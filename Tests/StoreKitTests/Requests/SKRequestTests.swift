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

    /// `run` returns the calls of the delegate since the last `run`.
    static let scripts = [
        Script("a failed request reports the error", "productsFail, request, start, run → failed, error → 0"),
        Script(
            "a running request isn't sent again, an ended request is",
            "request, start, start, run → response + finished, start, run → response + finished"),
        Script("a canceled request reports nothing", "request, start, cancel, cancel, run → none"),
        Script(
            "a canceled request still responds if the switch is set",
            "repliesAfterCancel, request, start, cancel, run → response + finished"),
        Script("a canceled request can be sent again", "request, start, cancel, start, run → response + finished"),
        Script("a released request reports nothing", "request, start, release, run → none"),
        Script(
            "the receipt exists when its request has finished",
            "hasReceipt → no, refresh, start, run → finished, hasReceipt → yes"),
        Script("the base class sends no request", "base, start, cancel, run → none"),
    ]

    @Test(arguments: scripts) func `the delegate is called once for each end`(script: Script) {
        var request: SKRequest?
        var seen = 0
        script.play { step in
            switch step.verb {
            case "productsFail": store.behavior.productRequestError = .unknown
            case "repliesAfterCancel": store.behavior.repliesAfterCancel = true
            case "request": request = self.request(["coins"])
            case "refresh": request = SKReceiptRefreshRequest(launch: launch)
            case "base": request = SKRequest()
            case "start":
                request?.delegate = delegate
                request?.start()
            case "cancel": request?.cancel()
            case "release": request = nil
            case "run":
                store.runUntilIdle()
                defer { seen = delegate.events.count }
                return Script.list(delegate.events.dropFirst(seen))
            case "error": return (delegate.error as? SKError).map { "\($0.errorCode)" } ?? "none"
            case "hasReceipt": return Script.answer(launch.receipt != nil)
            default: return step.unknown
            }
            return nil
        }
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

    @Test func `a receipt request keeps its properties`() {
        let request = SKReceiptRefreshRequest(receiptProperties: [SKReceiptPropertyIsExpired: true], launch: launch)
        #expect(request.receiptProperties?[SKReceiptPropertyIsExpired] as? Bool == true)
        #expect(SKReceiptRefreshRequest(launch: launch).receiptProperties == nil)
    }
}
