import AppStoreSimulator
import AsyncStoreKitTesting
import Foundation
import Support
import TestHarness
import Testing

@testable import AsyncStoreKit

/// The calls of the backend to StoreKit 2, and their times.
@Suite(.bounded) struct StoreKit2BackendTests {
    private let world = StoreWorld(signs: true)
    private let france = AppStorefront(countryCode: "FRA", id: "143442")
    private let japan = AppStorefront(countryCode: "JPN", id: "143462")

    /// An environment over a launch whose events come when a test says so.
    private final class Stage: RelayEnvironment {
        let receive = Locked<(@Sendable (StoreKit2Event) -> Void)?>(nil)
        let ended = Recorder<Void>()
        let finishing = Gate()
        let next: any StoreKit2Environment
        let clock: any StoreClock

        init(_ next: any StoreKit2Environment, clock: any StoreClock = SimulatedClock()) {
            (self.next, self.clock) = (next, clock)
        }

        convenience init(_ launch: SimulatedLaunch) {
            self.init(SimulatedStoreKit2(launch))
        }

        func listen(_ receive: @escaping @Sendable (StoreKit2Event) -> Void) -> StoreKit2Listening {
            self.receive.withLock { $0 = receive }
            return { [self] in ended.record(()) }
        }

        func storefront() async -> AppStorefront? { nil }

        func send(_ event: StoreKit2Event) {
            receive.withLock { $0 }?(event)
        }
    }

    /// An environment with one list of unfinished transactions.
    private struct OneList: RelayEnvironment {
        let next: any StoreKit2Environment
        let list: [StoreKit2SignedTransaction]

        init(next: any StoreKit2Environment, unfinished: [StoreKit2SignedTransaction]) {
            (self.next, list) = (next, unfinished)
        }

        func unfinished() async -> [StoreKit2SignedTransaction] { list }
    }

    /// An environment with one product.
    private struct OneProduct: RelayEnvironment {
        let next: any StoreKit2Environment
        let product: StoreKit2Product

        func products(_ ids: Set<String>) async throws(StoreError) -> [StoreKit2Product] { [product] }
    }

    /// Activates a backend, and records its events, except for the one that only says that its first read has ended.
    private func activate(_ backend: StoreKit2Backend) -> Recorder<QueueEvent> {
        let events = Recorder<QueueEvent>()
        backend.activate { event in
            if case .initialTransactionsReported = event { return }
            events.record(event)
        }
        return events
    }

    private func begun(_ stage: Stage) -> (StoreKit2Backend, Recorder<QueueEvent>) {
        let backend = StoreKit2Backend(environment: stage)
        let events = activate(backend)
        return (backend, events)
    }

    @Test(arguments: [("coins", 2), ("pro", 1)])
    func `a consumable isn't kept in memory when it's finished, because no later list has it`(
        product: String, expected: Int
    ) async throws {
        let original = try await world.pay(product)
        let decodings = Locked(0)
        let signedTransaction = StoreKit2SignedTransaction(
            version: original.version, productID: product, purchaseDate: original.purchaseDate,
            payload: {
                decodings.withLock { $0 += 1 }
                return original.payload()
            }, jws: original.jws, finish: original.finish)
        let environment = OneList(next: Stage(world.device), unfinished: [signedTransaction])
        let backend = StoreKit2Backend(environment: environment)
        let events = activate(backend)
        guard case .unsolicitedTransactions(let batch)? = try await events.first(1).first else {
            throw StoreWorld.Unexpected(result: "\(events.elements)")
        }
        _ = backend.decodedTransactions.info(of: signedTransaction)
        expectEqual(decodings.withLock { $0 }, 1)
        let finished = Recorder<Void>()
        backend.finish(batch[0].token) { finished.record(()) }
        _ = try await finished.first(1)
        _ = backend.decodedTransactions.info(of: signedTransaction)
        expectEqual(decodings.withLock { $0 }, expected)
    }

    @Test
    func `unfinished transactions are reported at launch, oldest first, and new ones when the app becomes active`()
        async throws
    {
        try await world.pay("pro")
        world.appStore.advance(by: 10)
        try await world.pay("season")
        let stage = Stage(world.device)
        let (backend, events) = begun(stage)
        expectEqual(try await events.first(1).map(\.productIDs), [["pro", "season"]])
        try await world.pay("coins")
        backend.refreshPendingState()
        expectEqual(try await events.first(2).map(\.productIDs), [["pro", "season"], ["coins"]])
        withExtendedLifetime(backend) {}
    }

    @Test func `a storefront is reported once`() async throws {
        let stage = Stage(world.device)
        let (backend, events) = begun(stage)
        for storefront in [france, france, japan, france] { stage.send(.storefront(storefront)) }
        let changes = events.elements.filter { if case .storefrontChanged = $0 { true } else { false } }
        expectEqual(changes.count, 3)
        expectEqual(backend.storefront, france)
    }

    @Test func `a product that wasn't loaded can't be bought`() {
        let (backend, _) = begun(Stage(world.device))
        expectError(\StoreError.code, .productUnavailable) {
            try backend.submit(PaymentRequest(productID: "pro"), as: CallID())
        }
        #expect(world.appStore.allTransactions().isEmpty)
    }

    @Test func `a purchase waits for transactions that are being finished`() async throws {
        let (backend, events) = begun(Stage(world.device))
        _ = try await backend.products(for: ["coins"])
        for number in 1...2 {
            let id = CallID()
            try backend.submit(PaymentRequest(productID: "coins"), as: id)
            let answers = try await events.first(2 * number - 1)
            guard case .answeredPayment(id, let transaction, let isEarlier)? = answers.last else {
                throw StoreWorld.Unexpected(result: "\(answers)")
            }
            #expect(transaction.state == .purchased && !isEarlier)
            let told = Recorder<Void>()
            backend.finish(transaction.token) { told.record(()) }
            _ = try await told.first(1)
        }
        #expect(world.unfinished.isEmpty)
    }

    @Test func `a transaction beside a payment without an answer is reported after thirty seconds`() async throws {
        let bought = try await world.pay("coins")
        let clock = SimulatedClock()
        let stage = Stage(SimulatedStoreKit2(world.device), clock: clock)
        let backend = StoreKit2Backend(environment: OneList(next: stage, unfinished: []))
        let events = activate(backend)
        _ = try await backend.products(for: ["coins"])
        world.appStore.setNextPurchaseOutcome(.neverAnswered(afterPurchasing: true))
        try backend.submit(PaymentRequest(productID: "coins"), as: CallID())
        stage.send(.transaction(bought))
        try await clock.waitForSleepers(1, duration: 30)
        expectEqual(events.elements.count, 0)
        clock.advance(by: 30)
        expectEqual(try await events.first(1).map(\.productIDs), [["coins"]])
        withExtendedLifetime(backend) {}
    }

    @Test func `a canceled request for products ends without an answer`() async throws {
        let appStore = world.appStore
        appStore.pacing = .manual
        let (environment, earlier) = (world.environment, appStore.pendingEventCount)
        let request = Task { try await environment.products(["coins"]) }
        try await withDeadline("the request") {
            while appStore.pendingEventCount == earlier { await Task.yield() }
        }
        request.cancel()
        let error = await #expect(throws: StoreError.self) { try await request.value }
        expectEqual(error, StoreError(.taskCancelled, "The request for products was canceled."))
    }

    @Test func `an empty answer to a canceled request for products isn't used`() async throws {
        let request = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return (try? uncancelledAnswer(["coins"]), try? uncancelledAnswer([String]()))
        }
        let (full, empty) = await request.value
        expectEqual(full, ["coins"])
        expectEqual(empty, nil)
        expectEqual(try uncancelledAnswer([String]()), [])
    }

    @Test func `a subscription of a lower level is answered with the current one, as a preexisting transaction`()
        async throws
    {
        try await world.own("premium")
        let (backend, events) = begun(Stage(world.device))
        _ = try await backend.products(for: ["basic"])
        let id = CallID()
        try backend.submit(PaymentRequest(productID: "basic"), as: id)
        guard case .answeredPayment(id, let transaction, isPreexisting: true)? = try await events.first(1).first else {
            throw StoreWorld.Unexpected(result: "\(events.elements)")
        }
        expectEqual(transaction.productID, "premium")
    }

    @Test func `a purchase from the App Store is reported, and continues only if the policy allows it`() async throws {
        let stage = Stage(world.device)
        let (backend, events) = begun(stage)
        stage.send(.intent(try await world.product("pro"), offer: nil))
        guard case .promotedPayment(let held)? = try await events.first(1).last else { return }
        expectEqual(held.decision, .hold)
        expectEqual(held.product.id, "pro")
        backend.apply(PaymentQueuePolicies(promotedPurchase: .continue))
        stage.send(.intent(try await world.product("coins"), offer: nil))
        guard case .promotedPayment(let continued)? = try await events.first(2).last else { return }
        expectEqual(continued.decision, .continue)
        #expect(!continued.isContinuedByQueue, "the store submits the payment")
        try backend.submit(continued.request(), as: CallID())
        guard case .answeredPayment(_, let transaction, _)? = try await events.first(3).last else { return }
        expectEqual(transaction.productID, "coins")
        expectEqual(world.appStore.allTransactions().map(\.productID), ["coins"])
    }

    @Test func `a restore that fails throws the reason`() async throws {
        world.appStore.behavior.restoreEnding = .fails(.notConnectedToInternet, afterRows: 0)
        let (backend, events) = begun(Stage(world.device))
        try backend.restoreCompletedTransactions(applicationUsername: nil)
        guard case .restoreFailed(let error)? = try await events.first(1).last else {
            throw StoreWorld.Unexpected(result: "\(events.elements)")
        }
        expectEqual(error.code, .networkError)
    }

    @Test func `the policy decides whether a purchase continues in another storefront`() async throws {
        let product = try await world.product("pro")
        let policies = Recorder<StoreKit2Product.StorefrontPolicy?>()
        let recorded = StoreKit2Product(value: product.value) { (payment, policy) throws(StoreError) in
            policies.record(policy)
            return try product.prepare(payment, policy).get()
        }
        let backend = StoreKit2Backend(environment: OneProduct(next: Stage(world.device), product: recorded))
        _ = try await backend.products(for: ["pro"])
        try backend.submit(PaymentRequest(productID: "pro"), as: CallID())
        let asked = Recorder<String>()
        backend.apply(
            PaymentQueuePolicies(shouldContinueTransaction: { transaction, storefront in
                asked.record("\(transaction.productID) \(transaction.state) \(storefront.countryCode)")
                return false
            }))
        try backend.submit(PaymentRequest(productID: "pro"), as: CallID())
        let (without, with) = (try await policies.first(2)[0], try await policies.first(2)[1])
        #expect(without == nil, "there is no policy to ask")
        expectEqual(with?(france), false)
        expectEqual(asked.elements, ["pro purchasing FRA"])
    }

    @Test func `a payment with bad options throws before anything is submitted`() async throws {
        let (backend, events) = begun(Stage(world.device))
        _ = try await backend.products(for: ["basic"])
        let offer = PurchaseOffer.promotional(id: "half", keyID: "key", nonce: UUID(), signature: "%", timestamp: 7)
        let refused: [(PaymentRequest, StoreError.Code)] = [
            (PaymentRequest(productID: "basic", applicationUsername: "jane"), .invalidAccount),
            (PaymentRequest(productID: "basic", offer: offer), .invalidOfferSignature),
            (PaymentRequest(productID: "basic", offer: .winBack(id: "none")), .invalidOfferIdentifier),
        ]
        for (payment, code) in refused {
            expectError(\StoreError.code, code) { try backend.submit(payment, as: CallID()) }
        }
        await world.appStore.waitUntilIdle()
        #expect(world.appStore.allTransactions().isEmpty && events.elements.isEmpty)
    }

    @Test func `nothing is reported after deactivation, and the observation ends`() async throws {
        let stage = Stage(world.device)
        let (backend, events) = begun(stage)
        stage.send(.storefront(france))
        expectEqual(events.elements.count, 1)
        backend.deactivate()
        _ = try await stage.ended.first(1)
        stage.send(.storefront(japan))
        expectEqual(events.elements.count, 1)
        backend.deactivate()
        expectEqual(stage.ended.elements.count, 1)
    }
}

extension QueueEvent {
    fileprivate var productIDs: [String] {
        if case .unsolicitedTransactions(let batch) = self { batch.map(\.productID) } else { [] }
    }
}
