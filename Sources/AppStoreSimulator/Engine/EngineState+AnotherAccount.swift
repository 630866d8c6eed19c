import Foundation

extension EngineState {
    /// Returns the purchases of another Apple Account that the history contains; see
    /// ``SimulatorBehavior/historyListsAnotherAccount``.
    mutating func anotherAccountsTransactions(of productID: String? = nil) -> [SimulatedSignedTransaction] {
        guard behavior.historyListsAnotherAccount else { return [] }
        return catalog.products.indices.compactMap { index in
            let product = catalog.products[index]
            guard productID == nil || product.productID == productID else { return nil }
            guard product.kind != .consumable || behavior.historyListsFinishedConsumables else { return nil }
            // Greater than all numbers of the account.
            return anotherAccountsTransaction(product, number: 900_000_000_000_000 + UInt64(index))
        }
    }

    private mutating func anotherAccountsTransaction(
        _ product: SimulatedProduct, number: UInt64
    ) -> SimulatedSignedTransaction {
        let date = Date.startOfSimulation
        var record = SimulatedHistoryRecord(
            state: .purchased, id: SimulatedTransaction.ID(rawValue: number), transactionID: String(number),
            originalTransactionID: String(number), productID: product.productID, kind: product.kind, quantity: 1,
            purchaseDate: date, originalPurchaseDate: date, isFinished: true, groupID: product.subscription?.groupID)
        // Long enough to be active in every test.
        if product.kind == .autoRenewableSubscription {
            record.expirationDate = date.addingTimeInterval(10 * 365 * 86_400)
        }
        record.price = product.price
        record.storefront = catalog.storefront
        let key = SignedTextKey(number: number, revision: 0, date: now)
        let text = signedText(key, .transaction(record), appTransactionID: otherAppTransactionID)
        return SimulatedSignedTransaction(record: record, number: number, originalNumber: number, text: text)
    }
}
