#if !os(watchOS)
    import AsyncStoreKit
    import Dispatch
    package import StoreKit

    extension LegacyStore {
        /// See ``SwiftyStoreKit/shouldAddStorePaymentHandler``.
        package var shouldAddStorePaymentHandler: ((SKPayment, SKProduct) -> Bool)? {
            get { handlers.withLock { $0.storePayment }?.shouldAdd }
            set {
                let handler = newValue.map(StorePaymentHandler.init)
                handlers.withLock { $0.storePayment = handler }
                if let backend { Self.install(handler, on: backend) }
                if let other = core.backend as? StoreKit2Backend, let requests {
                    Self.install(handler, on: other, requests)
                }
            }
        }

        private static func install(_ handler: StorePaymentHandler?, on backend: StoreKit1Backend) {
            guard let handler else { return backend.decideStorePayments(by: nil) }
            backend.decideStorePayments { payment, product in
                let question = StorePaymentQuestion(payment: payment, product: product)
                return MainThread.run { handler.shouldAdd(question.payment, question.product) }
            }
        }

        /// Installs a handler over StoreKit 2, which doesn't ask for a decision: the backend holds a purchase intent
        /// until StoreKit 1 has loaded the product and the handler has decided.
        private static func install(
            _ handler: StorePaymentHandler?, on backend: StoreKit2Backend, _ requests: LegacyRequests
        ) {
            guard let handler else { return backend.decideIntents(by: nil) }
            backend.decideIntents { productID, decide in
                _ = requests.products([productID]) { response in
                    guard let product = try? response.get().products.first else { return decide(false) }
                    let question = StorePaymentQuestion(payment: SKPayment(product: product), product: product)
                    CompletionQueue.shared.enqueue { decide(handler.shouldAdd(question.payment, question.product)) }
                }
            }
        }
    }
#endif
