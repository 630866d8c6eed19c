/// Tracks the payments from the App Store that are held, and the calls that have claimed them.
struct PromotionStateMachine: Sendable {
    private var held: Set<PromotedPayment.ID> = []
    private var claimed = [CallID: PromotedPayment.ID]()

    mutating func paymentPromoted(_ promotion: PromotedPayment) {
        if !promotion.isContinuedByQueue { held.insert(promotion.id) }
    }

    /// Claims a payment for a call. Returns `false` if another call has claimed it.
    mutating func claim(_ id: PromotedPayment.ID, for call: CallID) -> Bool {
        guard held.contains(id), !claimed.values.contains(id) else { return false }
        claimed[call] = id
        return true
    }

    /// Removes the payment of a call that was submitted to StoreKit.
    mutating func submitted(by call: CallID) {
        guard !claimed.isEmpty, let id = claimed.removeValue(forKey: call) else { return }
        held.remove(id)
    }

    /// Releases the payment of a call that ended before it was submitted. Another call can claim it.
    mutating func release(by call: CallID) {
        claimed[call] = nil
    }
}
