// What callers need who do not wait in a task.
extension StoreCore {
    /// Asks for products under an ID by which the wait can be withdrawn.
    ///
    /// What is known is not asked for again; callers that want the same at the same time share one request. The reply is called once:
    /// from inside this call when everything is known, otherwise on any thread.
    package func requestProducts(
        _ call: CallID, _ ids: Set<String>, _ reply: @escaping @Sendable (Result<ProductsResponse, StoreError>) -> Void
    ) {
        productRequests.register(call, ids) { answer in
            reply(answer.map { ProductsResponse(values: $0, for: ids) })
        }
    }

    /// Ends the wait for products: the reply is called with ``StoreError/Code/cancelled`` before this returns, unless it has been called.
    package func withdrawProducts(_ call: CallID) {
        productRequests.withdraw(call)
    }

    /// Asks for a new receipt under an ID by which the wait can be withdrawn; callers at the same time share one request. The reply is
    /// called once, on any thread.
    func requestReceipt(_ call: CallID, _ reply: @escaping @Sendable (Result<Void, StoreError>) -> Void) {
        receiptRequests.register(call, [ReceiptFile()]) { answer in reply(answer.map { _ in }) }
    }

    /// Ends the wait for a receipt, as ``withdrawProducts(_:)`` does that for products.
    func withdrawReceipt(_ call: CallID) {
        receiptRequests.withdraw(call)
    }
}
