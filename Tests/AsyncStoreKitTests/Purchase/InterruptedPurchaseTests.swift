import AppStoreSimulator
import AsyncStoreKitTesting
import Foundation
import Support
import TestHarness
import Testing

@testable import AsyncStoreKit

@Suite(.bounded) struct InterruptedPurchaseTests {
    private let appStore = SimulatedAppStore(catalog: SimulatedCatalog(products: [.nonConsumable("pro", price: 10)]))

    @Test(arguments: [StoreEngine.storeKit1, .storeKit2])
    func `an interrupted purchase has its own code, and its transaction arrives when the customer has completed it`(
        engine: StoreEngine
    ) async throws {
        appStore.behavior.interruptedPurchase = .throwsUnknown
        let store = PurchaseStore(over: SimulatedBackend(appStore, engine: engine))
        let purchases = StreamListener(store.transactions)
        appStore.setNextPurchaseOutcome(.interrupted)
        let error = try #require(await #expect(throws: StoreError.self) { try await store.purchase("pro") })
        expectEqual(error.code, .purchaseInterrupted)
        #expect(error.message.contains("\"pro\"") && !error.isUserInitiated && !error.isRetryable)
        #expect(error.localizedDescription.hasSuffix("."))
        expectEqual(error.storeKitCode, 0)
        try appStore.resolvePurchase(of: "pro")
        expectEqual(try await purchases.next()?.productID, "pro")
    }

    @Test func `an error with a cause from StoreKit keeps its code`() {
        func code(_ domain: String, _ code: Int, underlying: NSError? = nil) -> StoreError.Code {
            let info = underlying.map { [NSUnderlyingErrorKey: $0] } ?? [:]
            return StoreError(paymentError: NSError(domain: domain, code: code, userInfo: info), for: "pro").code
        }
        expectEqual(code("SKErrorDomain", 0), .purchaseInterrupted)
        expectEqual(code("SKErrorDomain", 0, underlying: NSError(domain: "ASDErrorDomain", code: 5)), .unknown)
        expectEqual(code("SKErrorDomain", 4), .purchaseNotAllowed)
        expectEqual(code("ASDErrorDomain", 0), .unknown)
        expectEqual(code(NSURLErrorDomain, NSURLErrorNotConnectedToInternet), .networkError)
    }
}
