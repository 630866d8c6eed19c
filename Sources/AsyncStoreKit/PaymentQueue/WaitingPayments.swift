/// The calls that wait to submit their payments, in the order in which they were made.
///
/// A customer makes few calls at a time, so every question reads the whole list.
struct WaitingPayments: Sendable {
    // Shared, so that a removal moves few bytes.
    private var calls: [(id: CallID, call: Shared<PaymentStateMachine.Call>)] = []

    /// The number of waiting calls.
    var count: Int { calls.count }

    mutating func append(_ id: CallID, _ call: PaymentStateMachine.Call) {
        calls.append((id, Shared(call)))
    }

    /// Removes a call. Returns `false` if it isn't here.
    mutating func remove(_ id: CallID) -> Bool {
        guard let index = calls.firstIndex(where: { $0.id == id }) else { return false }
        calls.remove(at: index)
        return true
    }

    /// Removes and returns the first call whose product isn't held back.
    mutating func takeFirst(except products: Set<String>) -> (id: CallID, call: PaymentStateMachine.Call)? {
        guard let index = calls.firstIndex(where: { !products.contains($0.call.value.request.productID) }) else {
            return nil
        }
        let (id, call) = calls.remove(at: index)
        return (id, call.value)
    }

    /// Removes and returns all calls for a product, in their order.
    mutating func takeAll(_ product: String) -> [(id: CallID, call: PaymentStateMachine.Call)] {
        defer { calls.removeAll { $0.call.value.request.productID == product } }
        return calls.filter { $0.call.value.request.productID == product }.map { ($0.id, $0.call.value) }
    }

    /// Whether a call for a product waits for earlier calls.
    func waits(for product: String) -> Bool {
        calls.contains { $0.call.value.request.productID == product }
    }
}
