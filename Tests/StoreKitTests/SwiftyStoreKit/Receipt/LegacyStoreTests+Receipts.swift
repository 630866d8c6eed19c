import AppStoreSimulator
import AsyncStoreKit
import Foundation
import Support
import SwiftyStoreKit
import TestHarness
import Testing

extension LegacyStoreTests {
    @Test func `the class functions fetch and validate receipts with the legacy store`() async throws {
        let kit: any OldReceipts.Type = SwiftyStoreKit.self
        let (fetch, verification) = (ReceiptCall(), ReceiptCall())
        let before = SwiftyStoreKit.legacy
        SwiftyStoreKit.legacy = LegacyStore(
            store: PurchaseStore(over: ReceiptBackend(receipt: Data([1, 2, 3]))), backend: nil)
        let data = kit.localReceiptData
        let validator = ClosureValidator { data, finish in
            finish(.success(receipt: ["environment": "\(data.count)" as AnyObject]))
        }
        let requests = [
            kit.fetchReceipt(forceRefresh: false) { fetch.record($0) },
            kit.verifyReceipt(using: validator, forceRefresh: false) { verification.record($0) },
        ]
        SwiftyStoreKit.legacy = before
        expectEqual(data, Data([1, 2, 3]))
        expectEqual(requests.map { $0 == nil }, [true, false])
        expectEqual(try await fetch.result(), .onceElsewhere("receipt 3"))
        expectEqual(try await verification.result(), .once("valid 3"))
    }

    @Test(arguments: Engine.allCases)
    func `the class functions read purchases from the device without a receipt`(engine: Engine) async throws {
        let world = LegacyWorld(engine)
        world.appStore.behavior.signsReceipts = true
        let legacy = world.launch()
        #expect(try await legacy.buying(LegacyWorld.weekly).next().success != nil)
        try await world.settle(legacy)
        let (one, group) = (
            Answers<Result<VerifySubscriptionResult, StoreError>>(),
            Answers<Result<VerifySubscriptionResult, StoreError>>()
        )
        let (purchase, ids) = (
            Answers<Result<VerifyPurchaseResult, StoreError>>(), Answers<Result<Set<String>, StoreError>>()
        )
        let before = SwiftyStoreKit.legacy
        SwiftyStoreKit.legacy = legacy
        let now = world.appStore.now
        SwiftyStoreKit.verifySubscription(
            ofType: .autoRenewable, productId: LegacyWorld.weekly, validUntil: now, completion: one.completion())
        SwiftyStoreKit.verifySubscriptions(
            productIds: [LegacyWorld.weekly, "another"], validUntil: now, completion: group.completion())
        SwiftyStoreKit.verifyPurchase(productId: LegacyWorld.weekly, completion: purchase.completion())
        SwiftyStoreKit.getDistinctPurchaseIds(completion: ids.completion())
        SwiftyStoreKit.legacy = before
        for answers in [one, group] {
            guard case .success(.purchased(let end, let items)) = try await answers.next() else {
                Issue.record("not purchased")
                continue
            }
            #expect(items.map(\.productId) == [LegacyWorld.weekly] && end > now && answers.cameOnMain)
        }
        guard case .success(.purchased(let item)) = try await purchase.next() else {
            Issue.record("not purchased")
            return
        }
        expectEqual(item.productId, LegacyWorld.weekly)
        expectEqual(try await ids.next().get(), [LegacyWorld.weekly])
    }
}

/// The class functions with the signatures that apps call. Through a protocol, no call warns that they are deprecated.
private protocol OldReceipts {
    static var localReceiptData: Data? { get }
    static func verifyReceipt(
        using validator: any ReceiptValidator, forceRefresh: Bool, completion: @escaping (VerifyReceiptResult) -> Void
    ) -> (any InAppRequest)?
    static func fetchReceipt(forceRefresh: Bool, completion: @escaping (FetchReceiptResult) -> Void) -> (
        any InAppRequest
    )?
}

extension SwiftyStoreKit: OldReceipts {}
