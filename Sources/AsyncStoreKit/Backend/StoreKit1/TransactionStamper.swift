import AppReceipt

/// Gives each entry of a payment queue a token, by the identity of its object, or else by its transaction identifier.
///
/// A backend calls this type synchronously from its observer, and keeps the objects, because the address of a
/// deallocated object can be used again. Not thread-safe.
package struct TransactionStamper<Object: Hashable & Sendable>: Sendable {
    private struct StampedTransaction: Sendable {
        var object: Object
        var transactionID: String?
        let payment: PaymentRequest
        let hasFailed: Bool
    }

    private var entries = [TransactionToken: StampedTransaction]()
    private var tokensByObject = [Object: TransactionToken]()
    private var tokensByTransactionID = [String: TransactionToken]()
    // Without an identifier, only the payment shows which entry a new object represents.
    private var unidentified: Set<TransactionToken> = []

    /// Creates a stamper with unique tokens.
    package init() {}

    /// The greatest token given so far.
    package private(set) var newest = TransactionToken.ofNewQueue()

    /// How many entries have a token.
    package var count: Int { entries.count }

    /// Returns the object of an entry: the latest one if several represented the entry.
    package func object(for token: TransactionToken) -> Object? {
        entries[token]?.object
    }

    /// Returns the token of an object: a new token if the entry hasn't been seen before.
    ///
    /// A new object represents a known entry if it has the identifier of that entry, or if it's for an equal payment
    /// and the object of that entry is no longer in the queue.
    /// - Parameters:
    ///   - object: The identity of a transaction object of the queue.
    ///   - transactionID: The App Store's identifier, once there is one.
    ///   - payment: The payment of the transaction.
    ///   - hasFailed: Whether the transaction has failed. A failed entry never gets a new object. Otherwise, the
    ///     failure of the next equal payment would be treated as a repetition, and its call wouldn't be answered.
    ///   - queue: Returns the objects in the queue now; called only when it matters.
    package mutating func token(
        for object: Object, transactionID: String?, payment: PaymentRequest, hasFailed: Bool = false,
        queue: () -> [Object]
    ) -> TransactionToken {
        let known =
            knownToken(for: object, transactionID: transactionID)
            ?? replacedEntry(payment: payment, fits: { !$0.hasFailed }, queue: queue)
        if known == nil { newest = newest.next }
        let token = known ?? newest
        let entry = StampedTransaction(
            object: object, transactionID: transactionID, payment: payment, hasFailed: hasFailed)
        if known != nil, let place = entries.index(forKey: token) {
            let old = entries.values[place]
            entries.values[place] = entry
            if old.transactionID != transactionID {
                forgetTransactionID(of: old, token)
                if transactionID == nil { unidentified.insert(token) } else { unidentified.remove(token) }
            }
            if old.object != object {
                tokensByObject[old.object] = nil
                tokensByObject[object] = token
            }
        } else {
            entries[token] = entry
            tokensByObject[object] = token
            if transactionID == nil { unidentified.insert(token) }
        }
        if let transactionID, tokensByTransactionID[transactionID] == nil {
            tokensByTransactionID[transactionID] = token
        }
        return token
    }

    /// Whether a new object may represent a known entry, which only the queue shows.
    package var hasUnidentifiedEntries: Bool { !unidentified.isEmpty }

    /// Returns the token of an object whose entry has been seen before.
    package func knownToken(for object: Object, transactionID: String?) -> TransactionToken? {
        tokensByObject[object] ?? transactionID.flatMap { tokensByTransactionID[$0] }
    }

    /// Removes an entry that has left the queue, and returns its token; `nil` if it had none.
    ///
    /// A new object represents the same entry as in ``token(for:transactionID:payment:hasFailed:queue:)``.
    @discardableResult
    package mutating func remove(
        _ object: Object, transactionID: String?, payment: @autoclosure () -> PaymentRequest? = nil,
        hasFailed: Bool = false, queue: () -> [Object] = { [] }
    ) -> TransactionToken? {
        let removed =
            knownToken(for: object, transactionID: transactionID)
            ?? payment().flatMap { replacedEntry(payment: $0, fits: { $0.hasFailed == hasFailed }, queue: queue) }
        guard let token = removed, let entry = entries.removeValue(forKey: token) else { return nil }
        tokensByObject[entry.object] = nil
        if entry.transactionID == nil { unidentified.remove(token) }
        forgetTransactionID(of: entry, token)
        return token
    }

    private mutating func forgetTransactionID(of entry: StampedTransaction, _ token: TransactionToken) {
        guard let id = entry.transactionID, let place = tokensByTransactionID.index(forKey: id),
            tokensByTransactionID.values[place] == token
        else { return }
        tokensByTransactionID.remove(at: place)
    }

    private func replacedEntry(
        payment: PaymentRequest, fits: (StampedTransaction) -> Bool, queue: () -> [Object]
    ) -> TransactionToken? {
        var candidates: [TransactionToken] = []
        for token in unidentified {
            if let entry = entries[token], entry.payment == payment, fits(entry) { candidates.append(token) }
        }
        guard !candidates.isEmpty else { return nil }
        let present = Set(queue())
        return candidates.inOrder(by: <).first { token in entries[token].map { !present.contains($0.object) } ?? false }
    }
}
