import AsyncStoreKit
import Foundation
import StoreKit
import TestHarness
import Testing

@testable import SwiftyStoreKit

@Suite(.bounded) struct PurchaseDateTests {
    private func transaction(_ seconds: TimeInterval?) -> FrozenTransaction {
        FrozenTransaction(
            StoreTransaction(
                token: TransactionToken(source: 1, serial: 1), state: .purchased, productID: "a",
                id: "1", purchaseDate: seconds.map(Date.init(timeIntervalSince1970:))))
    }

    @Test func `the purchase date is the original's date, or the transaction's date, or the distant past`() {
        for (own, original, expected) in [
            (2, 1, Date(timeIntervalSince1970: 1)), (2, nil, Date(timeIntervalSince1970: 2)), (nil, nil, .distantPast),
        ] as [(TimeInterval?, TimeInterval?, Date)] {
            let purchase = Purchase(
                productId: "a", quantity: 1, transaction: transaction(own),
                originalTransaction: original.map { transaction($0) },
                needsFinishTransaction: false)
            let details = PurchaseDetails(
                productId: "a", quantity: 1, product: SKProduct(), transaction: transaction(own),
                originalTransaction: original.map { transaction($0) }, needsFinishTransaction: false)
            expectEqual(purchase.originalPurchaseDate, expected)
            expectEqual(details.originalPurchaseDate, expected)
            let purchased: [any Purchased] = [purchase, details]
            expectEqual(purchased.map(\.productId), ["a", "a"])
        }
    }

    @Test(arguments: StoreTransaction.State.allCases)
    func `a transaction that left the queue before its callback keeps its state`(state: StoreTransaction.State) {
        let value = StoreTransaction(
            token: TransactionToken(source: 1, serial: 1), state: state, productID: "a", id: "7",
            purchaseDate: .distantFuture)
        let departed = FrozenTransaction(value)
        expectEqual(departed.transactionState.debugDescription, "\(state)")
        expectEqual(departed.transactionIdentifier, "7")
        expectEqual(departed.transactionDate, .distantFuture)
        let transaction: any PaymentTransaction = departed
        #expect(transaction.downloads.isEmpty)
    }
}
