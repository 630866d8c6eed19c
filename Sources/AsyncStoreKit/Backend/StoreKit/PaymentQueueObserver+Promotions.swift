#if !os(watchOS)
    import Foundation
    import StoreKit

    extension PaymentQueueObserver {
        func paymentQueue(_ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct) -> Bool {
            let policy = state.withLock { $0.policies.promotedPurchase }
            let request = PaymentRequest(payment)
            let product = StoreProduct(product)
            let decision = policy.decision(on: request, for: product)
            let id = PromotedPayment.ID()
            let putOff = PutOffPayment(payment: payment)
            send { state in
                if decision == .putOff { state.putOff[id] = putOff }
                return .promotedPayment(PromotedPayment(id: id, payment: request, product: product, decision: decision))
            }
            return decision == .continue
        }
    }
#endif
