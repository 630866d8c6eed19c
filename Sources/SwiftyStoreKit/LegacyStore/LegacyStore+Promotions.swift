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
                guard let backend else { return decideIntents(by: handler) }
                guard let handler else { return backend.decideStorePayments(by: nil) }
                backend.decideStorePayments { payment, product in
                    let question = StorePaymentQuestion(payment: payment, product: product)
                    return MainThread.ask { handler.ask(question.payment, question.product) }
                }
            }
        }

        /// StoreKit 2 waits for nobody's decision: what the customer has begun is held, and the handler is asked as before.
        private func decideIntents(by handler: StorePaymentHandler?) {
            let call = handler.map { handler in
                store.callbacks.onPurchaseIntent { [weak self] intent in self?.ask(handler, about: intent) }
            }
            let previous = handlers.withLock { handlers in
                defer { handlers.intentsCall = call }
                return handlers.intentsCall
            }
            previous?.cancel()
        }

        private func ask(_ handler: StorePaymentHandler, about intent: StorePurchaseIntent) {
            _ = requests?.products([intent.product.id]) { response in
                guard let product = try? response.get().products.first else { return }
                let question = StorePaymentQuestion(payment: SKPayment(product: product), product: product)
                DispatchQueue.main.async {
                    guard handler.ask(question.payment, question.product) else { return }
                    // What comes of it answers no call: it comes to those who listen.
                    Task {
                        guard case .success(let purchase)? = try? await intent.purchase() else { return }
                        await purchase.release(after: 0)
                    }
                }
            }
        }
    }
#endif
