/// Tracks the payments from the App Store that are held, and the calls that have claimed them.
struct PromotionStateMachine: Sendable {
    private var hold = [PromotedPayment.ID: PaymentRequest]()
    private var taken = [CallID: PromotedPayment.ID]()

    mutating func paymentPromoted(_ promotion: PromotedPayment) {
        guard promotion.decision == .hold else { return }
        var request = promotion.payment
        request.promotionID = promotion.id
        hold[promotion.id] = request
    }

    /// Claims a payment for a call. Returns `nil` if another call has claimed it.
    mutating func claim(_ id: PromotedPayment.ID, for call: CallID) -> PaymentRequest? {
        guard let request = hold[id], !taken.values.contains(id) else { return nil }
        taken[call] = id
        return request
    }

    /// Removes the payment of a call that was submitted to StoreKit.
    mutating func submitted(by call: CallID) {
        guard !taken.isEmpty, let id = taken.removeValue(forKey: call) else { return }
        hold[id] = nil
    }

    /// Releases the payment of a call that ended before it was submitted. Another call can claim it.
    mutating func release(by call: CallID) {
        taken[call] = nil
    }
}
