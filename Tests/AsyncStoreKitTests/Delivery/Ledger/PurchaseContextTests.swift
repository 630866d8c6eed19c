import AppReceipt
import AppStoreSimulator
import AsyncStoreKitTesting
import Foundation
import Support
import TestHarness
import Testing

@testable import AsyncStoreKit

/// The context of a purchase, wherever the purchase arrives.
@Suite(.bounded) struct PurchaseContextTests {
    private struct Gift: Codable, Sendable, Hashable {
        var friend: String
        var screen = 3
    }

    private let appStore = SimulatedAppStore(catalog: .shop)
    private let folder = TemporaryFolder()
    private let delivered = Recorder<StorePurchase>()
    private let gift = Gift(friend: "Ada")
    private static let engines = [StoreEngine.storeKit1, .storeKit2]

    private func launch(
        _ engine: StoreEngine, keepsLedger: Bool = true,
        _ decide: (@Sendable (StorePurchase) -> DeliveryDecision)? = { _ in .accepted }
    ) -> PurchaseStore {
        var configuration = StoreConfiguration()
        if keepsLedger { configuration.deliveryLedger = DeliveryLedger(url: url) }
        let store = PurchaseStore(simulating: appStore, engine: engine, configuration: configuration)
        if let decide {
            store.setDelivery { [delivered] request in
                for purchase in request.purchases { delivered.record(purchase) }
                return decide(request.purchases[0])
            }
        }
        return store
    }

    private var url: URL { folder.file("Deliveries") }

    private func approve() throws {
        for record in appStore.allTransactions() where record.state == .deferred {
            try appStore.approveAskToBuyTransaction(id: record.id)
        }
    }

    /// How many contexts the file keeps.
    private func keptContexts() -> Int {
        let file = LedgerFile(DeliveryLedger(url: url))
        file.load()
        return file.contents.contexts.count
    }

    @Test(arguments: engines)
    func `a call's own purchase has its context in the closure, the outcome, the stream and the payload`(
        engine: StoreEngine
    ) async throws {
        let store = launch(engine, nil)
        let inClosure = Recorder<Gift?>()
        try await store.purchase(StoreWorld.coins, options: [.context(gift)]) {
            inClosure.record($0.context(as: Gift.self))
        }
        expectEqual(inClosure.elements, [gift])
        let outcome = try await store.purchase(StoreWorld.coins, options: [.context(7)])
        guard case .success(let purchase) = outcome else { throw StoreError(.unknown, "\(outcome)") }
        expectEqual(purchase.context(as: Int.self), 7)
        expectEqual(purchase.context(as: Gift.self), nil, "it is another type")
        #expect(
            purchase.account == nil && purchase.appAccountToken == nil,
            "the identifier that the store passes isn't an account")
        expectEqual(keptContexts(), 1, "the second isn't delivered yet")
        // The next launch offers it again.
        let next = launch(engine)
        try await next.settled()
        expectEqual(delivered.elements.map { $0.context(as: Int.self) }, [7])
        expectEqual(keptContexts(), 0)
    }

    @Test(arguments: engines, [true, false])
    func `an approval has the context over StoreKit 2, and is listed with its candidate over StoreKit 1`(
        engine: StoreEngine, isLater: Bool
    ) async throws {
        var store = launch(engine)
        appStore.setNextPurchaseOutcome(.deferred)
        _ = try await store.purchase(StoreWorld.coins, options: [.context(gift)])
        try await store.settled()
        if isLater {
            store = launch(engine)
            try await store.settled()
        }
        try approve()
        try await store.settled()
        let purchase = try #require(delivered.elements.first)
        if engine == .storeKit2 {
            expectEqual(purchase.context(as: Gift.self), gift)
            expectEqual(purchase.contextCandidates, [])
            expectEqual(keptContexts(), 0)
        } else {
            expectEqual(purchase.context(as: Gift.self), nil)
            expectEqual(purchase.contextCandidates.map { $0.value(as: Gift.self) }, [gift])
            expectEqual(keptContexts(), 1)
        }
    }

    @Test func `an interrupted purchase has its context when it is completed, in a later launch, too`() async throws {
        let store = launch(.storeKit2)
        appStore.setNextPurchaseOutcome(.interrupted)
        await #expect(throws: StoreError.self) {
            try await store.purchase(StoreWorld.coins, options: [.context(gift)])
        }
        let next = launch(.storeKit2)
        try await next.settled()
        for record in appStore.allTransactions() where record.state == .interrupted {
            try appStore.resolveIssueForTransaction(id: record.id)
        }
        try await next.settled()
        expectEqual(delivered.elements.map { $0.context(as: Gift.self) }, [gift])
    }

    @Test func `with an account of the app, an approval has candidates, and another account has none`() async throws {
        let store = launch(.storeKit2)
        let account = UUID()
        appStore.setNextPurchaseOutcome(.deferred)
        _ = try await store.purchase(StoreWorld.coins, options: [.context(gift), .appAccountToken(account)])
        try appStore.buyProduct(productID: StoreWorld.coins)
        try appStore.buyProduct(productID: StoreWorld.news)
        try approve()
        try await store.settled()
        let coins = delivered.elements.filter { $0.productID == StoreWorld.coins }
        expectEqual(coins.count, 2)
        expectEqual(
            coins.filter { $0.appAccountToken == account }.map { $0.contextCandidates.map(\.productID) },
            [[StoreWorld.coins]])
        for purchase in delivered.elements where purchase.appAccountToken != account {
            expectEqual(purchase.contextCandidates, [])
        }
        #expect(delivered.elements.allSatisfy { $0.context(as: Gift.self) == nil })
    }

    @Test func `a purchase that the customer cancels, and a declined one, leave no context for the next purchase`()
        async throws
    {
        let store = launch(.storeKit2)
        for outcome in [SimulatedOutcome.userCancelled, .failed(.unknown), .deferred] {
            appStore.setNextPurchaseOutcome(outcome)
            _ = try? await store.purchase(StoreWorld.coins, options: [.context(gift)])
            for record in appStore.allTransactions() where record.state == .deferred {
                try appStore.declineAskToBuyTransaction(id: record.id)
            }
            try appStore.buyProduct(productID: StoreWorld.coins)
            _ = try await store.purchase(StoreWorld.coins)
            try await store.settled()
        }
        expectEqual(delivered.elements.count, 6)
        for purchase in delivered.elements {
            #expect(purchase.context(as: Gift.self) == nil && purchase.contextCandidates.isEmpty)
        }
    }

    @Test func `a renewal and a restored purchase have no context once the purchase is delivered`() async throws {
        let store = launch(.storeKit2)
        _ = try await store.purchase(StoreWorld.weekly, options: [.context(gift)])
        try await store.advance(by: .days(8))
        _ = try await store.restore()
        try await store.settled()
        expectEqual(delivered.elements.map { $0.context(as: Gift.self) }.prefix(2).map { $0 }, [gift, nil])
        #expect(delivered.elements.dropFirst().allSatisfy { $0.context(as: Gift.self) == nil && $0.account == nil })
        #expect(try await store.transactionHistory().allSatisfy { $0.appAccountToken == nil })
    }

    @Test func `a context ends after 30 days, and without a ledger with the launch`() async throws {
        for (days, isKept, keepsLedger) in [(29, true, true), (31, false, true), (1, false, false)] {
            let store = launch(.storeKit2, keepsLedger: keepsLedger)
            appStore.setNextPurchaseOutcome(.deferred)
            _ = try await store.purchase(StoreWorld.coins, options: [.context(days)])
            appStore.advance(by: Double(days) * 86_400)
            let next = launch(.storeKit2, keepsLedger: keepsLedger)
            try approve()
            try await next.settled()
            expectEqual(delivered.elements.last?.context(as: Int.self), isKept ? days : nil, "\(days) days")
        }
    }

    @Test func `a context that is too large or can't be encoded buys nothing`() async throws {
        struct Unencodable: Codable, Sendable {
            func encode(to encoder: any Encoder) throws { throw CancellationError() }
        }
        let store = launch(.storeKit2)
        let fitting = String(repeating: "a", count: PurchaseContext.largestSize - 4)
        for options: PurchaseOptions in [[.context(fitting + "a")], [.context(Unencodable())], [.context(Double.nan)]] {
            do {
                _ = try await store.purchase(StoreWorld.coins, options: options)
                Issue.record("It was bought.")
            } catch {
                expectEqual(error.code, .invalidContext)
                #expect(error.message.hasSuffix("."))
            }
        }
        expectEqual(appStore.allTransactions().count, 0)
        _ = try await store.purchase(StoreWorld.coins, options: [.context(fitting)])
        expectEqual(delivered.elements.first?.context(as: String.self), fitting)
    }

    @Test(arguments: engines)
    func `a purchase that a closure didn't deliver is offered with its context`(engine: StoreEngine) async throws {
        struct NotDelivered: Error {}
        let store = launch(engine, nil)
        let updates = StreamListener(store.transactions)
        await #expect(throws: StoreError.self) {
            try await store.purchase(StoreWorld.coins, options: [.context(gift)]) { _ in throw NotDelivered() }
        }
        expectEqual(try await updates.next()?.context(as: Gift.self), gift)
    }

    @Test func `the context of a payment that failed is forgotten, unless the customer may still complete it`() {
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        let errors: [(StoreError.Code, isKept: Bool)] = [
            (.userCancelled, false), (.purchaseNotAllowed, false), (.purchaseInterrupted, true), (.unknown, true),
        ]
        for (code, isKept) in errors {
            var contexts = PurchaseContexts()
            let call = CallID()
            let context = PurchaseContext(
                id: ContextIdentifier.make(), productID: "coins", requestDate: now, json: [], applicationUsername: nil)
            contexts.request(context, by: call, now: now)
            var failed = StoreTransaction.entry(1, .failed)
            failed.report.error = StoreError(code, "")
            _ = contexts.answer(call, with: failed)
            expectEqual(contexts.contexts.count, isKept ? 1 : 0, "\(code)")
        }
    }

    @Test func `a context is on the disk before its payment starts, also behind a payment that fails`() async throws {
        let kept = Recorder<Int>()
        let backend = WatchedBackend(next: SimulatedBackend(appStore)) { [self] in kept.record(keptContexts()) }
        let store = PurchaseStore(
            over: backend, configuration: StoreConfiguration(deliveryLedger: DeliveryLedger(url: url)))
        appStore.setNextPurchaseOutcome(.neverAnswered(afterPurchasing: true), for: StoreWorld.pro)
        _ = try await store.products(for: [StoreWorld.pro, StoreWorld.coins])
        let silent = store.callbacks.purchase(StoreWorld.pro) { _ in }
        var failing = PurchaseOptions()
        failing.billingPlan = .monthly
        store.callbacks.purchase(StoreWorld.pro, options: failing) { _ in }
        store.callbacks.purchase(StoreWorld.coins, options: [.context(gift)]) { _ in }
        _ = try await store.core.diagnostics { $0.waitingPayments == 2 }
        silent.cancel()
        expectEqual(try await kept.first(3), [0, 0, 1])
    }

    /// Calls a closure before each payment.
    private struct WatchedBackend: RelayBackend {
        let next: any StoreBackend
        let willSubmit: @Sendable () -> Void

        func submit(_ payment: PaymentRequest, as id: CallID) throws(StoreError) {
            willSubmit()
            try next.submit(payment, as: id)
        }
    }

    @Test func `changes of contexts are only kept for a delivery ledger`() {
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        for hasLedger in [false, true] {
            var contexts = PurchaseContexts()
            if hasLedger { contexts.load([:], now: now) }
            let context = PurchaseContext(
                id: ContextIdentifier.make(), productID: "coins", requestDate: now, json: [], applicationUsername: nil)
            contexts.request(context, by: CallID(), now: now)
            expectEqual(contexts.changes.count, hasLedger ? 1 : 0)
        }
    }

    @Test func `a context is the same after it was stored, and at most 200 are kept`() throws {
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        var contexts = PurchaseContexts()
        for number in 0..<210 {
            let context = PurchaseContext(
                id: ContextIdentifier.make(), productID: "coins", requestDate: now + Double(number),
                json: Array("[\(number)]".utf8),
                applicationUsername: number.isMultiple(of: 2) ? nil : "user \(number)",
                deliveryKey: number == 7 ? "key 7" : nil)
            contexts.request(context, by: CallID(), now: now)
            var stored = LedgerContents()
            stored.apply(.requested(context))
            let data = try JSONEncoder().encode(stored)
            expectEqual(try JSONDecoder().decode(LedgerContents.self, from: data), stored)
        }
        expectEqual(contexts.contexts.count, 200)
        expectEqual(contexts.contexts.values.map(\.requestDate).min(), now + 10)
    }
}
