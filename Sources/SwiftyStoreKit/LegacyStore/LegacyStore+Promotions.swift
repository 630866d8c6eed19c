#if !os(watchOS)
    import AsyncStoreKit
    import Dispatch
    package import StoreKit

    extension LegacyStore {
        /// See ``SwiftyStoreKit/shouldAddStorePaymentHandler``.
        package var shouldAddStorePaymentHandler: ((SKPayment, SKProduct) -> Bool)? {
            get { handlers.withLock { $0.storePayment }?.ask }
            set {
                let handler = newValue.map(StorePaymentHandler.init)
                handlers.withLock { $0.storePayment = handler }
                if let backend { Self.decide(handler, for: backend) }
                if let other = core.backend as? StoreKit2Backend, let requests { Self.decide(handler, for: other, requests) }
            }
        }

        private static func decide(_ handler: StorePaymentHandler?, for backend: StoreKit1Backend) {
            guard let handler else { return backend.decideStorePayments(by: nil) }
            backend.decideStorePayments { payment, product in
                let question = StorePaymentQuestion(payment: payment, product: product)
                return MainThread.ask { handler.ask(question.payment, question.product) }
            }
        }

        /// StoreKit 2 waits for nobody's decision: what the customer has begun is held until the handler has been asked, with what StoreKit 1
        /// says of the product.
        private static func decide(_ handler: StorePaymentHandler?, for backend: StoreKit2Backend, _ requests: LegacyRequests) {
            guard let handler else { return backend.decideIntents(by: nil) }
            backend.decideIntents { productID, decide in
                _ = requests.products([productID]) { response in
                    guard let product = try? response.get().products.first else { return decide(false) }
                    let question = StorePaymentQuestion(payment: SKPayment(product: product), product: product)
                    CompletionQueue.shared.enqueue { decide(handler.ask(question.payment, question.product)) }
                }
            }
        }
    }
#endif
