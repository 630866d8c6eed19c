#if !os(watchOS)
    import AsyncStoreKit
    package import StoreKit

    extension LegacyStore {
        /// See ``SwiftyStoreKit/shouldAddStorePaymentHandler``.
        package var shouldAddStorePaymentHandler: ((SKPayment, SKProduct) -> Bool)? {
            get { handlers.withLock { $0.storePayment }?.ask }
            set {
                let handler = newValue.map(StorePaymentHandler.init)
                handlers.withLock { $0.storePayment = handler }
                guard let handler else { return backend?.decideStorePayments(by: nil) ?? () }
                backend?.decideStorePayments { payment, product in
                    let question = StorePaymentQuestion(payment: payment, product: product)
                    return MainThread.ask { handler.ask(question.payment, question.product) }
                }
            }
        }
    }
#endif
