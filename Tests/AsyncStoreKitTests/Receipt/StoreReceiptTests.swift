import AppReceipt
import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation
import Support
import Testing

@Suite("Receipts of a store")
struct StoreReceiptTests {
    private let world = BehaviorWorld(signsReceipts: true) { SimulatedBackend(launch: $0) }

    private func local(bundleID: ExpectedBundleID = "com.example.app") throws -> LocalReceiptVerifier {
        try .local(bundleID: bundleID, trustAnchors: [try .certificate(ReceiptIssuer.rootCertificate)])
    }

    @Test("a receipt is fetched once when it is missing, and verified on the device")
    func verified() async throws {
        let store = world.launch()
        let empty = try await store.verifyReceipt(using: local())
        #expect(empty.bundleID == "com.example.app")
        let purchase = try world.success(try await store.purchase(BehaviorWorld.weekly))
        let receipt = try await store.verifyReceipt(using: local())
        let id = try #require(purchase.transaction.transactionID)
        #expect(receipt.transaction(id: id) != nil)
        #expect(receipt.owns(BehaviorWorld.weekly, at: .date(world.appStore.now)))
        #expect(receipt.subscriptionStatus(of: BehaviorWorld.weekly, at: .date(world.appStore.now)).isEntitled)
        #expect(!receipt.subscriptionStatus(of: BehaviorWorld.weekly, at: .now).isEntitled, "the simulator's clock is behind")
    }

    @Test("a receipt that cannot be believed is an error with the check underneath")
    func notBelieved() async throws {
        let store = world.launch()
        try await store.refreshReceipt()
        for verifier in [local(bundleID: "com.example.other"), .local(bundleID: "com.example.app")] {
            await #expect {
                _ = try await store.verifyReceipt(using: verifier)
            } throws: { error in
                let error = error as? StoreError
                return error?.code == .receiptInvalid && error?.underlying is ReceiptVerificationError
            }
        }
    }

    @Test("an app's own verifier is asked, and what it throws is underneath")
    func ownVerifier() async throws {
        struct Refusal: Error {}
        struct Own: ReceiptVerifier {
            func verify(_ receiptData: Data) async throws -> Receipt { throw Refusal() }
        }
        await #expect {
            _ = try await world.launch().verifyReceipt(using: Own())
        } throws: { error in
            (error as? StoreError)?.underlying is Refusal
        }
    }

    @Test("a receipt that lags is refreshed until it contains the transaction")
    func lagging() async throws {
        world.appStore.behavior.receiptLag = .refreshes(3)
        let store = world.launch()
        let purchase = try world.success(try await store.purchase(BehaviorWorld.pro))
        let id = try #require(purchase.transaction.transactionID)
        let fetching = Task { try await store.receiptData(refreshing: .untilContains(purchase.transaction)) }
        for pause in [1.0, 2.0] {
            await world.clock.sleepers(1, of: pause)
            world.clock.advance(by: pause)
        }
        let receipt = try Receipt(pkcs7: try await fetching.value)
        #expect(receipt.transaction(id: id) != nil)
    }

    @Test("a receipt that never catches up ends in a typed error, after five refreshes")
    func neverContains() async throws {
        world.appStore.behavior.receiptLag = .refreshes(100)
        let store = world.launch()
        let purchase = try world.success(try await store.purchase(BehaviorWorld.pro))
        let fetching = Task { try await store.receiptData(refreshing: .untilContains(purchase.transaction)) }
        for pause in [1.0, 2, 4, 8] {
            await world.clock.sleepers(1, of: pause)
            world.clock.advance(by: pause)
        }
        try await world.expectError(.receiptIncomplete) { _ = try await fetching.value }
    }

    @Test("a refresh that is never answered times out")
    func refreshTimeout() async throws {
        world.appStore.behavior.receiptRefreshesAreNeverAnswered = true
        let store = world.launch()
        let waiting = Task { try await store.refreshReceipt() }
        await world.clock.sleepers(1)
        world.clock.advance(by: 60)
        try await world.expectError(.timedOut) { try await waiting.value }
    }
}
