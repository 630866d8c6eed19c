import AsyncStoreKit
import Foundation
import Support
import SwiftyStoreKit
import Testing

extension LegacyStoreTests {
    @Test func `the class functions fetch and validate receipts with it`() async throws {
        let kit: any OldReceipts.Type = SwiftyStoreKit.self
        let (fetch, verification) = (ReceiptCall(), ReceiptCall())
        let before = SwiftyStoreKit.legacy
        SwiftyStoreKit.legacy = LegacyStore(store: PurchaseStore(over: ReceiptBackend(receipt: Data([1, 2, 3]))), backend: nil)
        let data = kit.localReceiptData
        let validator = ClosureValidator { data, finish in finish(.success(receipt: ["environment": "\(data.count)" as AnyObject])) }
        let requests = [
            kit.fetchReceipt(forceRefresh: false) { fetch.record($0) },
            kit.verifyReceipt(using: validator, forceRefresh: false) { verification.record($0) },
        ]
        SwiftyStoreKit.legacy = before
        #expect(data == Data([1, 2, 3]))
        #expect(requests.map { $0 == nil } == [true, false])
        #expect(try await fetch.result() == .onceElsewhere("receipt 3"))
        #expect(try await verification.result() == .once("valid 3"))
    }
}

/// The class functions with the signatures that apps call. Through a protocol, no call warns that they are deprecated.
private protocol OldReceipts {
    static var localReceiptData: Data? { get }
    static func verifyReceipt(
        using validator: any ReceiptValidator, forceRefresh: Bool, completion: @escaping (VerifyReceiptResult) -> Void
    ) -> (any InAppRequest)?
    static func fetchReceipt(forceRefresh: Bool, completion: @escaping (FetchReceiptResult) -> Void) -> (any InAppRequest)?
}

extension SwiftyStoreKit: OldReceipts {}
