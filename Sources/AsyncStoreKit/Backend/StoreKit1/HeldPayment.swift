import Foundation
import StoreKit

/// A payment that StoreKit asked about, kept to be added later.
// @unchecked because: nobody changes the payment, it is only handed back to the queue.
struct HeldPayment: @unchecked Sendable {
    let payment: SKPayment
}

extension PaymentQueueObserver {
    /// The payment that was put off; once.
    func takePayment(of promotion: PromotedPayment.ID) -> SKPayment? {
        state.withLock { $0.hold.removeValue(forKey: promotion) }?.payment
    }
}
