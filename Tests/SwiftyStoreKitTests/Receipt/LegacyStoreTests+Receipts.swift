#if !canImport(Darwin)
    import AsyncStoreKit
    import Foundation
    import SwiftyStoreKit
    import Testing

    extension LegacyStoreTests {
        @Test("the class functions fetch and validate receipts with it")
        func receipts() async {
            let kit: any ReceiptFacade.Type = SwiftyStoreKit.self
            let (fetch, verification) = (ReceiptCall(), ReceiptCall())
            let before = SwiftyStoreKit.legacy
            SwiftyStoreKit.legacy = LegacyStore(store: PurchaseStore(backend: ReceiptBackend(receipt: Data([1, 2, 3]))), backend: nil)
            let data = kit.localReceiptData
            let validator = ClosureValidator { data, finish in finish(.success(receipt: ["environment": "\(data.count)" as AnyObject])) }
            let requests = [
                kit.fetchReceipt(forceRefresh: false) { fetch.record($0) },
                kit.verifyReceipt(using: validator, forceRefresh: false) { verification.record($0) },
            ]
            SwiftyStoreKit.legacy = before
            #expect(data == Data([1, 2, 3]))
            #expect(requests.map { $0 == nil } == [true, false])
            #expect(await fetch.result() == .once("receipt 3"))
            #expect(await verification.result() == .once("valid 3"))
        }
    }
#endif
