/// Which payments begun in the App Store were held, and which call has taken which of them.
struct PromotionStateMachine: Sendable {
    private var hold: [PromotedPayment.ID: PaymentRequest] = [:]
    private var taken: [CallID: PromotedPayment.ID] = [:]

    mutating func add(_ promotion: PromotedPayment) {
        guard promotion.decision == .hold else { return }
        var request = promotion.payment
        request.promotionID = promotion.id
        hold[promotion.id] = request
    }

    /// Gives a payment to the first call that wants it; `nil` to every other.
    mutating func take(_ id: PromotedPayment.ID, for call: CallID) -> PaymentRequest? {
        guard let request = hold[id], !taken.values.contains(id) else { return nil }
        taken[call] = id
        return request
    }

    /// The payment of a call is with StoreKit: nobody can take it again.
    mutating func submitted(by call: CallID) {
        guard let id = taken.removeValue(forKey: call) else { return }
        hold[id] = nil
    }

    /// The call has ended before its payment was submitted: it can be taken again.
    mutating func release(by call: CallID) {
        taken[call] = nil
    }
}
