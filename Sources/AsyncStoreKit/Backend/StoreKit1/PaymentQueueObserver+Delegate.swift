import Foundation
import StoreKit

extension PaymentQueueObserver: SKPaymentQueueDelegate {
    func paymentQueue(
        _ paymentQueue: SKPaymentQueue, shouldContinue transaction: SKPaymentTransaction, in newStorefront: SKStorefront
    ) -> Bool {
        let (policy, value) = state.withLock { state -> ((@Sendable (StoreTransaction, AppStorefront) -> Bool)?, StoreTransaction) in
            (state.policies.shouldContinueTransaction, state.stamp(transaction, in: paymentQueue))
        }
        let storefront = AppStorefront(countryCode: newStorefront.countryCode, id: newStorefront.identifier)
        return policy?(value, storefront) ?? true
    }
}

extension StoreKit1Backend {
    /// Takes over the policies. The queue's delegate is taken only when one of them needs it.
    public func apply(_ policies: StorePolicies) {
        observer.state.withLock { $0.policies = policies }
        let queue = environment.queue
        if policies.needsDelegate {
            queue.delegate = observer
        } else if queue.delegate === observer {
            queue.delegate = nil
        }
    }
}
