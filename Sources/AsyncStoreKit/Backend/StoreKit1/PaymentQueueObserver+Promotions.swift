#if !os(watchOS)
    import Foundation
    import StoreKit

    extension PaymentQueueObserver {
        func paymentQueue(_ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct)
            -> Bool
        {
            let (handler, policy) = state.withLock { ($0.storePaymentHandler, $0.queue.policies.promotedPurchase) }
            // Asked outside the lock: it may take its time, and call back.
            let answer = handler?(payment, product)
            let request = PaymentRequest(payment)
            let product = StoreProduct(product)
            let decision =
                answer.map { $0 ? PurchaseIntentPolicy.Decision.continue : .hold } ?? policy.decision(on: product)
            let id = PromotedPayment.ID()
            let hold = HeldPayment(payment: payment)
            send { state in
                if decision == .hold { state.queue.held[id] = hold }
                return .promotedPayment(
                    PromotedPayment(
                        id: id, payment: request, product: product, decision: decision,
                        isContinuedByQueue: decision == .continue))
            }
            return decision == .continue
        }
    }
#endif
