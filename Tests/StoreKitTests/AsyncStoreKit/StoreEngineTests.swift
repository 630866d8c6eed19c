import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation
import Support
import SwiftyStoreKit
import TestHarness
import Testing

/// Tests the selection of the engine, and the change of the engine with a release of an app.
@Suite(.bounded) struct StoreEngineTests {
    private let appStore = SimulatedAppStore(catalog: .shop)

    /// Launches the app over an engine.
    private func launched(over engine: StoreEngine) -> PurchaseStore {
        let launch = appStore.launch()
        let clock = SimulatedClock(appStore)
        let configuration = StoreConfiguration(clock: clock)
        guard engine == .storeKit2 else {
            return PurchaseStore(
                over: StoreKit1Backend(environment: StoreKit1Environment(launch: launch)), configuration: configuration)
        }
        return PurchaseStore(
            over: StoreKit2Backend(environment: SystemStoreKit2(launch: launch, clock: clock)),
            configuration: configuration)
    }

    private func success(_ outcome: PurchaseOutcome) throws -> StorePurchase {
        guard case .success(let purchase) = outcome else { throw StoreError(.unknown, "\(outcome)") }
        return purchase
    }

    @Test(arguments: [(StoreEngine.storeKit1, StoreEngine.storeKit2), (.storeKit2, .storeKit1)])
    func `a release over another engine loses nothing`(_ before: StoreEngine, _ after: StoreEngine) async throws {
        let account = PurchaseAccount.token(UUID())
        let named = before == .storeKit1 ? PurchaseAccount.username("jane") : nil
        var keys: Set<String> = []
        do {
            let store = launched(over: before)
            keys.insert(
                try success(try await store.purchase(StoreWorld.coins, options: .init(account: account))).deliveryKey
            )
            keys.insert(
                try success(try await store.purchase(StoreWorld.pro, options: .init(account: named))).deliveryKey)
            let options = PurchaseOptions(account: account, simulatesAskToBuy: true)
            guard case .pending = try await store.purchase(StoreWorld.news, options: options) else {
                Issue.record("the handler wasn't called")
                return
            }
        }
        do {
            let store = launched(over: after)
            let listener = StreamListener(store.transactions)
            let offered = [try #require(try await listener.next()), try #require(try await listener.next())]
            expectEqual(Set(offered.map(\.deliveryKey)), keys, "unfinished transactions are offered with the same keys")
            let coins = try #require(offered.first { $0.productID == StoreWorld.coins })
            expectEqual(coins.account, account)
            for purchase in offered { await purchase.finish() }
            try appStore.approvePurchase(of: StoreWorld.news)
            let approved = try #require(try await listener.next())
            expectEqual(approved.productID, StoreWorld.news)
            expectEqual(approved.account, account)
            await approved.finish()
        }
        // The list doesn't contain the approved transaction yet.
        appStore.advance(by: 10)
        let store = launched(over: before)
        expectEqual(
            try await store.restore().purchases.map(\.productID).sorted(), [StoreWorld.news, StoreWorld.pro])
        #expect(appStore.allTransactions().allSatisfy { $0.isFinished })
    }

    @Test func `offers that StoreKit 1 doesn't support are rejected without a purchase`() async throws {
        let store = launched(over: .storeKit1)
        for options in [
            PurchaseOptions(offer: .winBack(id: "back")),
            PurchaseOptions(offer: .promotional(id: "half", jws: "a.b.c")),
            PurchaseOptions(introductoryOfferEligibilityJWS: "a.b.c"),
        ] {
            let error = await #expect(throws: StoreError.self) {
                _ = try await store.purchase(StoreWorld.weekly, options: options)
            }
            expectEqual(error?.code, options.offer == nil ? .unsupported : .offerUnavailable)
        }
        #expect(appStore.allTransactions().isEmpty)
    }

    @Test func `a revocation is reported at every launch until the app has received it`() async throws {
        do {
            let store = launched(over: .storeKit2)
            try await store.purchase(StoreWorld.pro) { _ in }
        }
        try appStore.refund(StoreWorld.pro)
        for _ in 0..<2 {
            let store = launched(over: .storeKit2)
            try await store.purchase(StoreWorld.coins) { _ in }
        }
        let store = launched(over: .storeKit2)
        let revocation = try #require(try await StreamListener(store.revocations).next())
        expectEqual(revocation.productIDs, [StoreWorld.pro])
        #expect(
            revocation.transactions.map(\.productID) == [StoreWorld.pro] && revocation.transactions.first?.jws != nil
        )
        try await store.settled()
        let later = launched(over: .storeKit2)
        let listener = StreamListener(later.revocations)
        try await later.purchase(StoreWorld.coins) { _ in }
        try appStore.refund(StoreWorld.coins)
        expectEqual(try await listener.next()?.productIDs, [StoreWorld.coins], "the first has been acknowledged")
    }

    @Test func `an observing store acknowledges no revocation`() async throws {
        try await launched(over: .storeKit2).purchase(StoreWorld.pro) { _ in }
        try appStore.refund(StoreWorld.pro)
        let backend = StoreKit2Backend(environment: SystemStoreKit2(launch: appStore.launch()))
        let store = PurchaseStore(
            over: backend, configuration: StoreConfiguration(mode: .observing, clock: SimulatedClock(appStore)))
        expectEqual(try await StreamListener(store.revocations).next()?.productIDs, [StoreWorld.pro])
        _ = try await store.diagnostics()
        let next = launched(over: .storeKit2)
        let revocation = try await StreamListener(next.revocations).next()
        expectEqual(revocation?.productIDs, [StoreWorld.pro])
    }

    @Test func `messages arrive after the first subscription, and are shown in the app's scene`() async throws {
        let launch = appStore.launch()
        let store = PurchaseStore(over: StoreKit2Backend(environment: SystemStoreKit2(launch: launch)))
        appStore.showMessage(.billingIssue)
        let message = try #require(try await StreamListener(store.messages).next())
        expectEqual(message.reason, .billingIssue)
        try await store.present(.message(message))
        expectEqual(launch.presentedSheets, [.message(reason: "billingIssue")])
    }

    @Test func `each engine presents its own sheets`() async throws {
        let launch = appStore.launch()
        let store = PurchaseStore(over: StoreKit2Backend(environment: SystemStoreKit2(launch: launch)))
        let purchase = try success(try await store.purchase(StoreWorld.pro))
        try await store.present(.codeRedemption)
        try await store.present(.subscriptionManagement(groupID: "magazine"))
        let id = try #require(purchase.transaction.id)
        try await store.requestRefund(for: id)
        expectEqual(
            launch.presentedSheets,
            [.codeRedemption, .subscriptionManagement(groupID: "magazine"), .refundRequest(transactionID: id)])
        await expectError(\StoreError.code, .unsupported) { try await store.present(.priceConsent) }
        let first = launched(over: .storeKit1)
        try await first.present(.priceConsent)
        await expectError(\StoreError.code, .unsupported) { try await first.requestRefund(for: id) }
    }

    @Test(
        arguments: [
            (SimulatorBehavior.RefundRequestEnding.userCancelled, StoreError.Code.userCancelled),
            (.duplicateRequest, .refundDuplicate), (.failed, .refundFailed),
        ], [true, false])
    func `an unsent refund request throws the reason`(
        ending: (ending: SimulatorBehavior.RefundRequestEnding, code: StoreError.Code), isSimulated: Bool
    ) async throws {
        let launch = appStore.launch()
        appStore.behavior.refundRequestEnding = ending.ending
        let backend: any StoreBackend =
            isSimulated
            ? SimulatedBackend(launch: launch) : StoreKit2Backend(environment: SystemStoreKit2(launch: launch))
        let store = PurchaseStore(over: backend)
        let transaction = try success(try await store.purchase(StoreWorld.pro)).transaction
        let sheet = StoreSheet.refundRequest(transactionID: try #require(transaction.id))
        await expectError(\StoreError.code, ending.code) { try await store.present(sheet) }
        expectEqual(launch.presentedSheets, [.refundRequest(transactionID: try #require(transaction.id))])
        appStore.behavior.refundRequestEnding = .sent
        try await store.present(sheet)
    }

    @Test
    func `the first store of a process selects the engine, and a store with another engine joins it and logs an error`()
        async throws
    {
        let made = Recorder<StoreEngine>()
        let launch = appStore.launch()
        let sharing = SharedStoreCore { engine in
            made.record(engine)
            return StoreKit1Backend(environment: StoreKit1Environment(launch: launch))
        }
        let (log, firstLog) = (Recorder<StoreLogEvent>(), Recorder<StoreLogEvent>())
        let record: @Sendable (StoreLogEvent) -> Void = { log.record($0) }
        let first = PurchaseStore(
            sharing: sharing, configuration: StoreConfiguration(engine: .storeKit1, log: { firstLog.record($0) }))
        let second = PurchaseStore(sharing: sharing, configuration: StoreConfiguration(engine: .automatic, log: record))
        #expect(log.elements.isEmpty)
        let third = PurchaseStore(sharing: sharing, configuration: StoreConfiguration(engine: .storeKit2, log: record))
        #expect(first.core === second.core && second.core === third.core)
        expectEqual(made.elements, [.storeKit1])
        expectEqual(log.elements.map(\.level), [.error])
        expectEqual(firstLog.elements.last, log.elements.last, "both stores have the error")
        #expect(log.elements.allSatisfy { $0.message.contains("storeKit1") && $0.message.contains("storeKit2") })
    }

    @Test func `linking the block API changes nothing for a PurchaseStore, which the block API joins with an error`()
        async
    {
        await #expect(processExitsWith: .success) {
            let log = Recorder<StoreLogEvent>()
            let store = PurchaseStore(configuration: StoreConfiguration(log: { log.record($0) }))
            #expect(store.core.backend is StoreKit2Backend)
            #expect(SwiftyStoreKit.engine == .storeKit2)
            #expect(SwiftyStoreKit.store.core === store.core)
            let errors = log.elements.filter { $0.level == .error }.map(\.message)
            #expect(errors.count == 1)
            #expect(errors.first?.contains("storeKit1 runs over storeKit2") == true)
        }
    }

    @Test func `the block API joins a PurchaseStore for StoreKit 1, and a later engine is ignored`() async {
        await #expect(processExitsWith: .success) {
            let log = Recorder<StoreLogEvent>()
            let store = PurchaseStore(configuration: StoreConfiguration(engine: .storeKit1, log: { log.record($0) }))
            SwiftyStoreKit.engine = .storeKit2
            #expect(SwiftyStoreKit.engine == .storeKit1)
            #expect(store.core.backend is StoreKit1Backend)
            #expect(SwiftyStoreKit.store.core === store.core)
            let warnings = log.elements.filter { $0.level == .warning && $0.message.contains("SwiftyStoreKit stays") }
            #expect(warnings.count == 1)
            #expect(!log.elements.contains { $0.level == .error })
        }
    }

    @Test func `the block API that is used first keeps StoreKit 1 if a PurchaseStore requests StoreKit 2`() async {
        await #expect(processExitsWith: .success) {
            let blockAPI = SwiftyStoreKit.store
            let stores = [StoreEngine.storeKit2, .automatic].map {
                PurchaseStore(configuration: StoreConfiguration(engine: $0))
            }
            #expect(SwiftyStoreKit.engine == .storeKit1)
            for store in stores { #expect(store.core === blockAPI.core) }
        }
    }

    @Test func `StoreKit 2 that the block API sets at launch is the engine of both`() async {
        await #expect(processExitsWith: .success) {
            SwiftyStoreKit.engine = .storeKit2
            let store = PurchaseStore()
            #expect(SwiftyStoreKit.engine == .storeKit2 && store.core.backend is StoreKit2Backend)
            #expect(store.core === SwiftyStoreKit.store.core)
        }
    }
}
