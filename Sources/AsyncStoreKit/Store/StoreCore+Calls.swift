extension StoreCore {
    func restore(_ username: String?, handling: AnswerHandling) async throws(StoreError) -> [StorePurchase] {
        let answer = try await answer(to: .restore(username, handling: handling))
        return answer.records.map { StorePurchase($0, core: self) }
    }

    /// Runs a delivery closure: the transaction is finished when it returns, and nobody's again when it throws.
    func deliver(_ purchase: StorePurchase, _ deliver: (StorePurchase) async throws -> Void) async throws(StoreError) {
        let token = purchase.transaction.id
        do {
            try await deliver(purchase)
        } catch {
            send(.release([token]))
            if error is CancellationError { throw .cancelled("the delivery of \"\(purchase.productID)\"") }
            throw StoreError(
                .deliveryFailed, "The delivery of \"\(purchase.productID)\" failed: \(error)", underlying: error)
        }
        try await ask { .delivered(token, $0) }
    }
}

extension StorePurchase {
    init(_ record: TransactionRecord, core: StoreCore) {
        self.init(
            transaction: record.transaction, answersEarlierPayment: record.answersEarlierPayment, isDelivered: record.isDelivered,
            isRedelivery: record.isRedelivery, core: core)
    }
}
