import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation
import StoreKit
import Support
import SwiftyStoreKit
import TestHarness
import Testing

/// Tests the behavior of the block API that is specific to StoreKit 2.
@Suite(.bounded) struct StoreKit2FlowTests {
    private let world = LegacyWorld(.storeKit2)

    @Test func `a payment discount is a promotional offer`() async throws {
        world.appStore.catalog = LegacyWorld.catalogWithOffer
        let legacy = world.launch()
        let product = try await world.product("monthly", of: legacy)
        #expect(try await legacy.buying("monthly").next().success != nil)
        try world.appStore.expireSubscription(productID: "monthly")
        try await world.settle(legacy)
        let answers = legacy.buying(product, paymentDiscount: PaymentDiscount(discount: LegacyWorld.discount))
        let purchase = try #require(await answers.next().success)
        #expect(purchase.product === product && purchase.transaction.transactionState == .purchased)
        expectEqual(world.appStore.allTransactions().map(\.promotionalOfferID), [nil, "half"])
    }

    @Test func `a discount that the product doesn't have is a readable error without a purchase`() async throws {
        let legacy = world.launch()
        let product = try await world.product(LegacyWorld.weekly, of: legacy)
        let answers = legacy.buying(product, paymentDiscount: PaymentDiscount(discount: LegacyWorld.discount))
        let error = try #require(await answers.next().error)
        expectEqual(error.code, .invalidOfferIdentifier)
        #expect(error.debugText.hasSuffix("the product has no such offer."))
        #expect(!error.debugText.contains("invalidOfferIdentifier"))
        #expect(world.appStore.allTransactions().isEmpty)
    }

    @Test func `a user name that is a UUID is the account token of the transaction`() async throws {
        let legacy = world.launch()
        let user = UUID()
        #expect(
            try await legacy.buying(LegacyWorld.pro, atomically: false, applicationUsername: user.uuidString).next()
                .success != nil)
        expectEqual(try await world.queue(of: legacy).map(\.account), [.token(user)])
        expectEqual(world.appStore.allTransactions().map(\.appAccountToken), [user])
    }

    @Test func `another user name is rejected before the purchase with the reason`() async throws {
        let legacy = world.launch()
        let error = try #require(await legacy.buying(LegacyWorld.pro, applicationUsername: "ada").next().error)
        #expect(error.code == .paymentInvalid && error.debugText.contains("UUID"))
        #expect(!error.debugText.contains("ada"), "messages don't contain accounts")
        #expect(world.appStore.allTransactions().isEmpty)
        #expect(try await legacy.buying(LegacyWorld.pro).next().success != nil, "the next purchase isn't blocked")
    }

    @Test(arguments: ["joe", UUID().uuidString, ""])
    func `a restore for any user returns all purchases, as over StoreKit 1`(name: String) async throws {
        let legacy = world.launch()
        let user = UUID()
        for (product, name) in [(LegacyWorld.pro, user.uuidString), (LegacyWorld.news, "")] {
            #expect(try await legacy.buying(product, applicationUsername: name).next().success != nil)
        }
        try await world.settle(legacy)
        let answers = legacy.restoring(applicationUsername: name)
        let results = try await answers.next()
        expectEqual(Set(results.restoredPurchases.map(\.productId)), [LegacyWorld.pro, LegacyWorld.news])
        #expect(results.restoreFailedPurchases.isEmpty)
    }

    @Test func `hosted content isn't available: there are no downloads and no reports`() async throws {
        let legacy = world.launch()
        let told = Answers<[SKDownload]>()
        legacy.updatedDownloadsHandler = told.completion()
        let purchase = try #require(await legacy.buying(LegacyWorld.maps, atomically: false).next().success)
        #expect(purchase.transaction.downloads.isEmpty)
        legacy.start(purchase.transaction.downloads)
        legacy.finishTransaction(purchase.transaction)
        #expect(try await world.queue(of: legacy).isEmpty)
        expectEqual(told.count, 0)
    }

    @Test func `without a receipt file, fetching and verifying fail with the alternative`() async throws {
        // A successful refresh doesn't create a file.
        let receipts = LegacyReceipts(
            store: PurchaseStore(over: ReceiptBackend()), advice: LegacyReceipts.noReceiptNeeded)
        let fetched = Answers<FetchReceiptResult>()
        let verified = Answers<VerifyReceiptResult>()
        _ = receipts.fetchReceipt(forceRefresh: false, completion: fetched.completion())
        _ = receipts.verifyReceipt(
            using: ClosureValidator { _, _ in Issue.record("there is nothing to verify") }, forceRefresh: false,
            completion: verified.completion())
        guard case .error(.networkError(let fetchError as StoreError)) = try await fetched.next(),
            case .error(.networkError(let verifyError as StoreError)) = try await verified.next()
        else {
            Issue.record("another error")
            return
        }
        for error in [fetchError, verifyError] {
            expectEqual(error.code, .receiptUnavailable)
            #expect(error.message.contains("SwiftyStoreKit.verifySubscription(ofType:productId:completion:)"))
        }
        expectEqual(receipts.localReceiptData, nil)
    }

    @Test func `an existing StoreKit 1 receipt is fetched as before`() async throws {
        try world.appStore.buyProduct(productID: LegacyWorld.pro)
        let legacy = world.launch()
        let refreshed = ReceiptCall()
        _ = legacy.receipts.fetchReceipt(forceRefresh: true) { refreshed.record($0) }
        let data = try #require(await refreshed.result().isEmpty ? nil : legacy.receipts.localReceiptData)
        let there = ReceiptCall()
        let request = legacy.receipts.fetchReceipt(forceRefresh: false) { there.record($0) }
        #expect(request == nil)
        expectEqual(there.completions.elements, [.init(word: "receipt \(data.count)", isOnMainQueue: false)])
    }
}

extension StoreKit2FlowTests {
    @Test(arguments: Engine.allCases) func `a renewal has no original transaction`(engine: Engine) async throws {
        let (world, legacy) = LegacyWorld.launched(engine)
        let answers = legacy.listening(atomically: false)
        #expect(try await legacy.buying(LegacyWorld.weekly).next().success != nil)
        try world.appStore.forceRenewalOfSubscription(productID: LegacyWorld.weekly)
        let renewal = try #require(await answers.next().first)
        #expect(renewal.productId == LegacyWorld.weekly && renewal.originalTransaction == nil)
        expectEqual(renewal.originalPurchaseDate, renewal.transaction.transactionDate)
    }

    @Test func `an approved purchase is reported although a newer payment for the product is unanswered`() async throws
    {
        let legacy = world.launch(world.appStore.launch(), backendClock: world.clock)
        let told = legacy.listening()
        world.appStore.setNextPurchaseOutcome(.deferred)
        #expect(try await legacy.buying(LegacyWorld.pro).next().deferred != nil)
        world.appStore.setNextPurchaseOutcome(.neverAnswered(afterPurchasing: true))
        let silent = legacy.buying(LegacyWorld.pro)
        _ = try await legacy.store.core.diagnostics() { $0.inFlight?.productID == LegacyWorld.pro }
        try await world.settle(legacy)
        try world.appStore.approveAskToBuyTransaction(id: try world.entry(.deferred))
        // The transaction could be the answer to the payment.
        try await world.clock.waitForSleepers(1, duration: 30)
        expectEqual(told.count, 0)
        world.clock.advance(by: 30)
        expectEqual(try await told.next().map(\.productId), [LegacyWorld.pro])
        #expect(try await world.queue(of: legacy).isEmpty)
        expectEqual(silent.count, 0)
        try await world.untilFinished()
    }

    @Test(arguments: Engine.allCases, SimulatorBehavior.DeliveryThread.allCases)
    func `a payment that the app itself adds to the payment queue is reported and finished`(
        engine: Engine, thread: SimulatorBehavior.DeliveryThread
    ) async throws {
        let world = LegacyWorld(engine, thread: thread)
        let launch = world.appStore.launch()
        let legacy = world.launch(launch)
        let told = legacy.listening()
        let product = try await world.product(LegacyWorld.coins, of: legacy)
        let (queue, watcher) = (SKPaymentQueue(launch: launch), QueueWatcher())
        queue.add(watcher)
        queue.add(SKPayment(product: product))
        expectEqual(try await told.next().map(\.productId), [LegacyWorld.coins])
        _ = try await watcher.removed.first(1)
        #expect(try await world.queue(of: legacy).isEmpty)
        expectEqual(world.appStore.allTransactions().map(\.isFinished), [true])
        expectEqual(told.count, 1)
    }

    @Test func `the text of an error for an invalid signature is readable`() async throws {
        let legacy = world.launch()
        world.appStore.setNextPurchaseOutcome(.unverified)
        let text = try #require(await legacy.buying(LegacyWorld.coins).next().error?.debugText)
        #expect(text.contains("the signature doesn't match") && !text.contains("invalidSignature"))
    }
}
