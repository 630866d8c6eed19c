import AppStoreSimulator
import AsyncStoreKitTesting
import Foundation
import Support
import TestHarness
import Testing

@testable import AsyncStoreKit

/// The effect of a ledger, in this launch and in later ones.
@Suite(.bounded) struct DeliveryLedgerTests {
    /// A change of engine, or none.
    private struct Engines: Sendable, CustomTestStringConvertible {
        let first: StoreEngine
        let second: StoreEngine
        var testDescription: String { "\(first), then \(second)" }

        static let all = [StoreEngine.storeKit1, .storeKit2].flatMap { first in
            [StoreEngine.storeKit1, .storeKit2].map { Engines(first: first, second: $0) }
        }
    }

    private let appStore = SimulatedAppStore(catalog: .shop)
    private let folder = TemporaryFolder()
    private let log = Recorder<StoreLogEvent>()
    private let delivered = Recorder<StorePurchase>()

    private func launch(_ engine: StoreEngine, keepsLedger: Bool = true, installsDelivery: Bool = true) -> PurchaseStore
    {
        let log = log
        var configuration = StoreConfiguration(log: { log.record($0) })
        if keepsLedger { configuration.deliveryLedger = DeliveryLedger(url: url) }
        let store = PurchaseStore(simulating: appStore, engine: engine, configuration: configuration)
        guard installsDelivery else { return store }
        store.setDelivery { [delivered] request in
            for purchase in request.purchases { delivered.record(purchase) }
            return .accepted
        }
        return store
    }

    private var url: URL { folder.file("Deliveries") }

    private var unfinished: Int { appStore.allTransactions().count { !$0.isFinished } }

    @Test(arguments: Engines.all) private func `a purchase that arrives again in a later launch is only finished`(
        _ engines: Engines
    )
        async throws
    {
        appStore.behavior.finishingFails = true
        let store = launch(engines.first)
        try appStore.buyProduct(productID: StoreWorld.coins)
        try appStore.buyProduct(productID: StoreWorld.pro)
        try await store.settled()
        expectEqual(delivered.elements.map(\.productID).sorted(), ["coins", "pro"])
        expectEqual(unfinished, 2)
        appStore.behavior.finishingFails = false
        let second = launch(engines.second)
        try await second.settled()
        expectEqual(delivered.elements.count, 2, "it isn't delivered again")
        expectEqual(unfinished, 0)
        #expect(log.elements.allSatisfy { $0.level != .error })
    }

    @Test func `without a ledger, the same purchase is delivered in both launches`() async throws {
        appStore.behavior.finishingFails = true
        for count in 1...2 {
            let store = launch(.storeKit2, keepsLedger: false)
            if count == 1 { try appStore.buyProduct(productID: StoreWorld.coins) }
            try await store.settled()
            expectEqual(delivered.elements.count, count)
        }
    }

    @Test(arguments: [StoreEngine.storeKit1, .storeKit2])
    func `a purchase that a closure or a loop delivered is recorded, and one that failed isn't`(engine: StoreEngine)
        async throws
    {
        appStore.behavior.finishingFails = true
        let store = launch(engine, installsDelivery: false)
        try await store.purchase(StoreWorld.coins) { _ in }
        struct Failure: Error {}
        await #expect(throws: StoreError.self) { try await store.purchase(StoreWorld.news) { _ in throw Failure() } }
        let loop = Task {
            for await purchase in store.transactions where purchase.productID == StoreWorld.pro {
                await purchase.finish()
            }
        }
        try appStore.buyProduct(productID: StoreWorld.pro)
        try await store.settled()
        loop.cancel()
        let second = launch(engine)
        try await second.settled()
        expectEqual(delivered.elements.map(\.productID), ["news"])
    }

    @Test(arguments: Engines.all) private func `a restore delivers everything except consumables again`(
        _ engines: Engines
    )
        async throws
    {
        appStore.behavior.finishingFails = true
        let store = launch(engines.first)
        for product in [StoreWorld.coins, StoreWorld.pro, StoreWorld.weekly] {
            _ = try await store.purchase(product)
        }
        expectEqual(delivered.elements.count, 3)
        // StoreKit 1 restores only finished purchases.
        if engines.second == .storeKit1 { appStore.behavior.finishingFails = false }
        let second = launch(engines.second)
        try await second.settled()
        expectEqual(delivered.elements.count, 3)
        let outcome = try await second.restore()
        try await second.settled()
        let again = delivered.elements.dropFirst(3)
        expectEqual(again.map(\.productID).sorted(), ["pro", "weekly"])
        expectEqual(again.filter { !$0.isRedelivery || $0.cause != .restored }, [])
        expectEqual(outcome.purchases.filter { $0.productID == StoreWorld.coins && !$0.isHandledElsewhere }, [])
    }

    @Test func `a call that StoreKit answers with a delivered purchase reports that, and doesn't call its closure`()
        async throws
    {
        appStore.behavior.finishingFails = true
        _ = try await launch(.storeKit2).purchase(StoreWorld.pro)
        let outcome = try await launch(.storeKit2).purchase(StoreWorld.pro) { _ in Issue.record("The closure ran.") }
        guard case .success(let purchase) = outcome else { throw StoreError(.unknown, "\(outcome)") }
        #expect(purchase.isHandledElsewhere && purchase.isRedelivery && purchase.isPreexisting)
        expectEqual(delivered.elements.count, 1)
    }

    @Test func `each renewal is a purchase of its own`() async throws {
        let store = launch(.storeKit2)
        _ = try await store.purchase(StoreWorld.weekly)
        try await store.advance(by: .days(15))
        #expect(delivered.elements.count == 3)
        let second = launch(.storeKit2)
        try await second.advance(by: .days(7))
        expectEqual(delivered.elements.count, 4)
        expectEqual(Set(delivered.elements.map(\.deliveryKey)).count, 4)
    }

    @Test func `a ledger that can't be written is reported, and blocks no purchase`() async throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        let store = launch(.storeKit2)
        _ = try await store.purchase(StoreWorld.coins)
        _ = try await store.purchase(StoreWorld.coins)
        try await store.settled()
        expectEqual(unfinished, 0)
        let error = try await store.diagnostics().deliveryLedgerError
        #expect(error?.code == .systemError && error?.message.hasSuffix(".") == true)
        let errors = log.elements.filter { $0.level == .error }
        #expect(errors.contains { $0.message.contains("may be delivered again") })
        #expect(errors.count <= 3, "the same failure is logged once: \(errors)")
        try FileManager.default.removeItem(at: url)
        _ = try await store.purchase(StoreWorld.coins)
        expectEqual(try await store.diagnostics().deliveryLedgerError, nil)
        let file = LedgerFile(DeliveryLedger(url: url))
        file.load()
        expectEqual(file.contents.deliveries.count, 3, "the records are written as soon as the file can be written")
    }

    @Test func `identifiers that Xcode uses again are other purchases`() throws {
        func transaction(_ environment: String, boughtAt seconds: Int) -> StoreTransaction {
            let payload = """
                {"transactionId":"1","originalTransactionId":"1","bundleId":"a","productId":"coins","purchaseDate":\(seconds)000,\
                "signedDate":\(seconds)000,"quantity":1,"environment":"\(environment)","type":"Consumable"}
                """
            return StoreTransaction(
                token: TransactionToken(source: 1, serial: 1), state: .purchased, productID: "coins", id: "1",
                purchaseDate: Date(timeIntervalSince1970: Double(seconds)),
                signedText: SignedText(id: "\(seconds)", jws: { "" }, payload: { Data(payload.utf8) }))
        }
        for (environment, isSame) in [("Xcode", false), ("Sandbox", true), ("Production", true)] {
            var earlier = EarlierDeliveries()
            earlier.add([:])
            let delivery = try #require(earlier.newDelivery(of: transaction(environment, boughtAt: 1_000)))
            earlier.add([delivery.key: delivery])
            expectEqual(earlier.contains(transaction(environment, boughtAt: 1_000)), true)
            expectEqual(earlier.contains(transaction(environment, boughtAt: 9_000)), isSame, "\(environment)")
        }
    }
}
