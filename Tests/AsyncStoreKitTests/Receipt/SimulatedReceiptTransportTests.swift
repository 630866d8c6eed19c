import AppReceipt
import AppStoreServer
import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation
import TestHarness
import Testing

@Suite(.bounded) struct SimulatedReceiptTransportTests {
    private let appStore = SimulatedAppStore(products: [
        .autoRenewable("monthly", price: 5, period: .month(1), group: "club"), .nonConsumable("pro", price: 10),
    ])

    private let configuration = StoreConfiguration(clock: SimulatedClock())

    private func verifier(sharedSecret: String? = nil, maximumResponseSize: Int = 16 << 20)
        -> AppleServerReceiptVerifier
    {
        AppleServerReceiptVerifier(
            bundleID: "com.example.app", environment: nil, sharedSecret: sharedSecret,
            maximumResponseSize: maximumResponseSize,
            retryPolicy: VerifyReceiptRetryPolicy(maximumRetries: 0), transport: appStore.verifyReceiptTransport)
    }

    private func receipt(buying productID: String) async throws -> Data {
        let store = appStore.relaunch(configuration)
        try await store.purchase(productID) { _ in }
        return try await store.receipt.data(refreshing: .ifMissing)
    }

    @Test func `verifying a receipt from before a grace period finds the grace period`() async throws {
        let receipt = try await receipt(buying: "monthly")
        appStore.behavior.billingGracePeriodIsEnabled = true
        appStore.behavior.shouldEnterBillingRetryOnRenewal = true
        appStore.advance(by: .days(40))
        let status = try await verifier().verify(receipt).subscriptionStatus(of: "monthly", at: .date(appStore.now))
        #expect(status.isEntitled)
        expectEqual(status.accessEndDate, appStore.allRenewals().first?.gracePeriodExpirationDate)
        appStore.advance(by: .days(10))
        let later = try await verifier().verify(receipt).subscriptionStatus(of: "monthly", at: .date(appStore.now))
        #expect(!later.isEntitled)
    }

    @Test func `groups and renewals are included`() async throws {
        let verified = try await verifier().verify(try await receipt(buying: "monthly"))
        expectEqual(verified.contents.renewals.map(\.productID), ["monthly"])
        expectEqual(verified.transactions.map(\.subscriptionGroupID), ["club"])
    }

    @Test func `a wrong secret, a response that is too large, and a missing connection throw`() async throws {
        appStore.behavior.sharedSecret = "secret"
        let receipt = try await receipt(buying: "monthly")
        await #expect(throws: VerifyReceiptError.self) { try await verifier(sharedSecret: "wrong").verify(receipt) }
        expectEqual(try await verifier(sharedSecret: "secret").verify(receipt).transactions.count, 1)
        await expectError(\VerifyReceiptError.code, .responseTooLarge) {
            try await verifier(sharedSecret: "secret", maximumResponseSize: 100).verify(receipt)
        }
        appStore.behavior.isOffline = true
        await #expect(throws: VerifyReceiptError.self) { try await verifier(sharedSecret: "secret").verify(receipt) }
    }

    @Test func `calls of the store before a relaunch fail, and its unfinished purchases are offered to the next store`()
        async throws
    {
        let store = appStore.relaunch(configuration)
        _ = try await store.purchase("pro")
        appStore.setNextPurchaseOutcome(.neverAnswered(afterPurchasing: true))
        let waiting = Task { try await store.purchase("monthly") }
        _ = try await store.diagnostics()
        let next = appStore.relaunch(configuration)
        await expectError(\StoreError.code, .backendUnavailable) { try await waiting.value }
        let offered = StreamListener(next.transactions)
        expectEqual(try await offered.next()?.productID, "pro")
    }
}
