/// The payments that StoreKit is processing, and the transactions that may answer them.
///
/// A transaction is held if it's new and for the product of a payment. It becomes an entry when it's known whether it
/// answers the payment: only then can it be an approval.
struct StoreKit2Payments: Sendable {
    /// The products of the running payments, and when they began.
    var running = [CallID: (productID: String, start: StoreKit2Queue.Moment)]()
    /// In the order of their arrival.
    private var held: [StoreKit2SignedTransaction] = []

    var heldTransactions: Set<UInt64> { Set(held.map(\.id)) }

    func includes(_ productID: String) -> Bool {
        running.values.contains { $0.productID == productID }
    }

    /// Holds a transaction. It replaces an earlier version of the same transaction.
    mutating func hold(_ transaction: StoreKit2SignedTransaction) {
        if let place = held.firstIndex(where: { $0.id == transaction.id }) {
            held[place] = transaction
        } else {
            held.append(transaction)
        }
    }

    mutating func removeHeldTransaction(_ id: UInt64) {
        held.removeAll { $0.id == id }
    }

    /// Removes and returns the transactions whose products have no running payment, and those of a set.
    mutating func takeReleasedTransactions(and ids: Set<UInt64> = []) -> [StoreKit2SignedTransaction] {
        let released = held.filter { ids.contains($0.id) || !includes($0.productID) }
        held.removeAll { held in released.contains { $0.id == held.id } }
        return released
    }
}
