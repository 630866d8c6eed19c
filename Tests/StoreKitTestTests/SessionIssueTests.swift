import AppStoreSimulator
import Foundation
import StoreKitTest
import TestHarness
import Testing

@Suite(.bounded, .ownAppStore) struct SessionIssueTests {
    private let session: SKTestSession

    init() throws {
        session = try SKTestSession(contentsOf: TestedSession.file)
    }

    @Test func `an error of product requests is thrown until it's removed`() async throws {
        let error = SKTestFailures.LoadProducts.generic(.networkError(URLError(.notConnectedToInternet)))
        try await session.setSimulatedError(error, forAPI: .loadProducts)
        #expect(await session.simulatedError(forAPI: .loadProducts) == error)
        let thrown = await #expect(throws: StoreKitError.self) { try await Product.products(for: ["pro"]) }
        guard case .networkError(let cause)? = thrown else { throw SKTestMissing("\(String(describing: thrown))") }
        expectEqual(cause.code, .notConnectedToInternet)
        try await session.setSimulatedError(nil, forAPI: .loadProducts)
        #expect(await session.simulatedError(forAPI: .loadProducts) == nil)
        expectEqual(try await Product.products(for: ["pro"]).count, 1)
    }

    @Test(arguments: [
        Product.PurchaseError.productUnavailable, .purchaseNotAllowed, .invalidQuantity, .ineligibleForOffer,
        .invalidOfferIdentifier, .invalidOfferPrice, .invalidOfferSignature, .missingOfferParameters,
    ])
    func `an error of purchases is thrown inside and outside the app`(error: Product.PurchaseError) async throws {
        try await session.setSimulatedError(.purchase(error), forAPI: .purchase)
        #expect(await session.simulatedError(forAPI: .purchase) == .purchase(error))
        await #expect(throws: error) { try await TestedSession.purchase("pro") }
        await #expect(throws: error) { try await session.buyProduct(identifier: "pro") }
        expectEqual(session.allTransactions(), [])
        session.resetToDefaultState()
        expectEqual(try await TestedSession.bought("pro").productID, "pro")
    }

    @Test func `a purchase with the error of a canceled sheet is canceled`() async throws {
        try await session.setSimulatedError(.generic(.userCancelled), forAPI: .purchase)
        guard case .userCancelled = try await TestedSession.purchase("pro") else {
            throw SKTestMissing("userCancelled")
        }
        expectEqual(session.allTransactions(), [])
    }

    @Test func `an invalid signature affects purchases inside and outside the app`() async throws {
        var updates = Transaction.updates.makeAsyncIterator()
        try await session.setSimulatedError(.verification(.invalidSignature), forAPI: .verification)
        guard case .success(.unverified) = try await TestedSession.purchase("pro") else {
            throw SKTestMissing("unverified")
        }
        try await session.buyProduct(identifier: "coins")
        guard case .unverified(let coins, .invalidSignature)? = await updates.next() else {
            throw SKTestMissing("unverified update")
        }
        expectEqual(coins.productID, "coins")
        expectEqual(await TestedSession.owned(), [])
        expectEqual(await TestedSession.unfinished(), [])
        try await session.setSimulatedError(nil, forAPI: .verification)
        expectEqual(await TestedSession.unfinished(), ["coins", "pro"])
    }

    @Test func `errors of synchronizing, statuses and the app transaction are thrown`() async throws {
        try await AppStore.sync()
        let offline = StoreKitError.networkError(URLError(.timedOut))
        try await session.setSimulatedError(.generic(offline), forAPI: .appStoreSync)
        try await session.setSimulatedError(.generic(.notEntitled), forAPI: .subscriptionStatus)
        try await session.setSimulatedError(.generic(.unsupported), forAPI: .appTransaction)
        let sync = await #expect(throws: StoreKitError.self) { try await AppStore.sync() }
        guard case .networkError(let cause)? = sync else { throw SKTestMissing("networkError") }
        expectEqual(cause.code, .timedOut)
        await #expect(throws: StoreKitError.self) { try await Product.SubscriptionInfo.status(for: "club") }
        await #expect(throws: StoreKitError.self) { try await AppTransaction.shared }
        session.resetToDefaultState()
        try await AppStore.sync()
        expectEqual(try await AppTransaction.shared.payloadValue.environment, .xcode)
    }

    @Test func `every failure returns as it was set`() async throws {
        let errors: [StoreKitError] = [
            .unknown, .userCancelled, .notAvailableInStorefront, .notEntitled, .unsupported,
            .invalidPresentationContext, .networkError(URLError(.timedOut)),
        ]
        for error in errors {
            try await session.setSimulatedError(.generic(error), forAPI: .offerCodeRedeem)
            try await session.setSimulatedError(.generic(error), forAPI: .manageSubscriptions)
            #expect(await session.simulatedError(forAPI: .offerCodeRedeem) == .generic(error))
            #expect(await session.simulatedError(forAPI: .manageSubscriptions) == .generic(error))
        }
        for error in [Transaction.RefundRequestError.failed, .duplicateRequest] {
            try await session.setSimulatedError(.refundRequest(error), forAPI: .refundRequest)
            #expect(await session.simulatedError(forAPI: .refundRequest) == .refundRequest(error))
        }
        try await session.setSimulatedError(nil, forAPI: .refundRequest)
        #expect(await session.simulatedError(forAPI: .refundRequest) == nil)
    }

    @Test func `an approved purchase keeps its identifier`() async throws {
        var updates = Transaction.updates.makeAsyncIterator()
        session.askToBuyEnabled = true
        guard case .pending = try await TestedSession.purchase("pro") else { throw SKTestMissing("pending") }
        let waiting = try session.transaction(of: "pro")
        #expect(waiting.pendingAskToBuyConfirmation && waiting.state == .deferred && waiting.identifier != 0)
        expectEqual(await TestedSession.owned(), [])
        _ = try await session.buyProduct(identifier: "coins")
        try session.approveAskToBuyTransaction(identifier: waiting.identifier)
        expectEqual(try await updates.next()?.payloadValue.id, UInt64(waiting.identifier))
        let approved = try session.transaction(of: "pro")
        expectEqual(approved.identifier, waiting.identifier)
        #expect(!approved.pendingAskToBuyConfirmation && approved.state == .purchased)
        expectEqual(await TestedSession.owned(), ["pro"])
        expectEqual(await Transaction.latest(for: "pro")?.unsafePayloadValue.id, UInt64(waiting.identifier))
    }

    @Test func `a declined purchase waits no more, and nothing arrives`() async throws {
        var updates = Transaction.updates.makeAsyncIterator()
        session.askToBuyEnabled = true
        _ = try await TestedSession.purchase("pro")
        let identifier = try session.transaction(of: "pro").identifier
        try session.declineAskToBuyTransaction(identifier: identifier)
        #expect(!session.allTransactions().contains { $0.pendingAskToBuyConfirmation })
        expectError(\SKTestError.code, .noTransactionFound) {
            try session.approveAskToBuyTransaction(identifier: identifier)
        }
        session.askToBuyEnabled = false
        let next = try await session.buyProduct(identifier: "coins")
        expectEqual(try await updates.next()?.payloadValue.id, next.id)
    }

    @Test(arguments: [SimulatorBehavior.InterruptedPurchase.isPending, .throwsUnknown])
    func `an interrupted purchase is paid with the same identifier`(
        behavior: SimulatorBehavior.InterruptedPurchase
    ) async throws {
        var updates = Transaction.updates.makeAsyncIterator()
        session.appStore.behavior.interruptedPurchase = behavior
        session.interruptedPurchasesEnabled = true
        let result = try? await TestedSession.purchase("pro")
        switch (result, behavior) {
        case (.pending, .isPending), (nil, .throwsUnknown): break
        default: throw SKTestMissing("an answer that fits \(behavior)")
        }
        let interrupted = try session.transaction(of: "pro")
        #expect(interrupted.hasPurchaseIssue)
        expectEqual(await TestedSession.owned(), [])
        try session.resolveIssueForTransaction(identifier: interrupted.identifier)
        expectEqual(try await updates.next()?.payloadValue.id, UInt64(interrupted.identifier))
        let resolved = try session.transaction(of: "pro")
        #expect(!resolved.hasPurchaseIssue && resolved.identifier == interrupted.identifier)
        expectEqual(await TestedSession.owned(), ["pro"])
        try session.resolveIssueForTransaction(identifier: interrupted.identifier)
        expectEqual(session.allTransactions().count, 1)
    }

    @Test func `a purchase outside the app is interrupted, too, and returned`() async throws {
        session.interruptedPurchasesEnabled = true
        let interrupted = try await session.buyProduct(identifier: "club.monthly")
        #expect(try session.transaction(of: "club.monthly").hasPurchaseIssue)
        expectEqual(await TestedSession.owned(), [])
        try session.resolveIssueForTransaction(identifier: UInt(interrupted.id))
        expectEqual(try session.transaction(of: "club.monthly").identifier, UInt(interrupted.id))
        expectEqual(await TestedSession.owned(), ["club.monthly"])
    }
}
