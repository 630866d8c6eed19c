/// The replies to calls that wait for the payment queue.
struct StoreReplies: Sendable {
    var purchases = [CallID: Reply<PurchaseResponse>]()
    var restores = [CallID: Reply<RestoreResponse>]()
    /// The replies by the transactions that the backend is finishing. A transaction may have none.
    private var finishes = [TransactionToken: [Reply<Void>]]()

    /// Records that the backend is asked to finish a transaction.
    mutating func finishBegan(of token: TransactionToken) {
        finishes[token] = finishes[token] ?? []
    }

    /// Removes and returns the replies to calls that wait until a transaction is finished.
    mutating func finishEnded(of token: TransactionToken) -> [Reply<Void>] {
        finishes.removeValue(forKey: token) ?? []
    }

    /// Keeps a reply until a transaction is finished. Returns `false` if the backend isn't finishing the transaction.
    mutating func keep(_ reply: @escaping Reply<Void>, untilFinished token: TransactionToken) -> Bool {
        guard finishes[token] != nil else { return false }
        finishes[token]?.append(reply)
        return true
    }

    /// Responds to all calls, because the store is closed.
    func close(with error: StoreError) {
        purchases.values.forEach { $0(.failure(error)) }
        restores.values.forEach { $0(.failure(error)) }
        // The backend has already been asked to finish these.
        finishes.values.joined().forEach { $0(.success(())) }
    }
}
