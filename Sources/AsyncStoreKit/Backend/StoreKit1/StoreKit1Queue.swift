import AppReceipt

/// The entries of a StoreKit 1 payment queue: which token each has, which object represents it, and which promoted
/// payments are held.
///
/// `StoreKit1Backend` uses it with the objects of StoreKit, and `SimulatedBackend` with those of a simulated queue.
package struct StoreKit1Queue<Identity: Hashable & Sendable, Object: Sendable, Held: Sendable>: Sendable {
    /// What tells an object of the queue apart from others.
    package struct Description: Sendable {
        let identity: Identity
        /// The App Store's identifier, once there is one.
        let transactionID: String?
        let payment: PaymentRequest
        /// A failed entry never gets a new object. Otherwise, the failure of the next equal payment would be treated as
        /// a repetition, and its call wouldn't be answered.
        let hasFailed: Bool

        package init(identity: Identity, transactionID: String?, payment: PaymentRequest, hasFailed: Bool) {
            self.identity = identity
            self.transactionID = transactionID
            self.payment = payment
            self.hasFailed = hasFailed
        }
    }

    private struct Entry: Sendable {
        let description: Description
        /// Kept while it's in the queue, because the address of a deallocated object can be used again.
        let object: Object
    }

    package var receive: (@Sendable (QueueEvent) -> Void)?
    package var policies = PaymentQueuePolicies()
    /// The greatest token given so far.
    package private(set) var newest = TransactionToken.ofNewQueue()

    private var entries = [TransactionToken: Entry]()
    private var tokens = [Identity: TransactionToken]()
    private var tokensByTransactionID = [String: TransactionToken]()
    // Without an identifier, only the payment shows which entry a new object represents.
    private var unidentified: Set<TransactionToken> = []
    /// The objects that have left the queue, until the store has processed their removal.
    private var departed = [TransactionToken: Entry]()
    /// The payments that StoreKit asked about. The same objects are added when they continue.
    package var held = [PromotedPayment.ID: Held]()

    package init() {}

    /// The number of entries that have a token.
    package var count: Int { entries.count }

    /// Whether the queue has to be read before objects are stamped or removed: some of them are new, and may represent
    /// entries without an identifier, which may be among these objects.
    package func needsQueue(for objects: [(identity: Identity, transactionID: String?)]) -> Bool {
        guard objects.count > 1 || !unidentified.isEmpty else { return false }
        return objects.contains { knownToken(for: $0.identity, transactionID: $0.transactionID) == nil }
    }

    /// Returns the token of an object, a new one if its entry hasn't been seen before.
    ///
    /// A new object represents a known entry if it has the identifier of that entry, or if it's for an equal payment
    /// and the object of that entry is no longer in the queue.
    /// - Parameter queue: Returns the objects in the queue now; called only when it matters.
    package mutating func stamp(
        _ object: Object, _ description: Description, queue: () -> [Identity]
    ) -> TransactionToken {
        let (identity, id) = (description.identity, description.transactionID)
        let known =
            knownToken(for: identity, transactionID: id)
            ?? replacedEntry(for: description.payment, fits: { !$0.hasFailed }, queue: queue)
        if known == nil { newest = newest.next }
        let token = known ?? newest
        let old = entries.updateValue(Entry(description: description, object: object), forKey: token)?.description
        if let old, old.transactionID != id { forgetTransactionID(of: old, token) }
        if old?.identity != identity {
            if let old { tokens[old.identity] = nil }
            tokens[identity] = token
        }
        if let id {
            if !unidentified.isEmpty { unidentified.remove(token) }
            if tokensByTransactionID[id] == nil { tokensByTransactionID[id] = token }
        } else {
            unidentified.insert(token)
        }
        return token
    }

    /// Returns the token of an object whose entry has been seen before.
    package func knownToken(for identity: Identity, transactionID: String?) -> TransactionToken? {
        tokens[identity] ?? transactionID.flatMap { tokensByTransactionID[$0] }
    }

    /// Removes the entry of an object that has left the queue, and returns its token; `nil` if it had none.
    package mutating func remove(_ description: Description, queue: () -> [Identity]) -> TransactionToken? {
        let id = description.transactionID
        var known = knownToken(for: description.identity, transactionID: id)
        // An entry can have several objects, and leaves with the first one.
        if known == nil, id == nil || !departed.values.contains(where: { $0.description.transactionID == id }) {
            known = replacedEntry(
                for: description.payment, fits: { $0.hasFailed == description.hasFailed }, queue: queue)
        }
        guard let token = known, let entry = entries.removeValue(forKey: token) else { return nil }
        tokens[entry.description.identity] = nil
        unidentified.remove(token)
        forgetTransactionID(of: entry.description, token)
        departed[token] = entry
        return token
    }

    private mutating func forgetTransactionID(of description: Description, _ token: TransactionToken) {
        guard let id = description.transactionID, tokensByTransactionID[id] == token else { return }
        tokensByTransactionID[id] = nil
    }

    private func replacedEntry(
        for payment: PaymentRequest, fits: (Description) -> Bool, queue: () -> [Identity]
    ) -> TransactionToken? {
        let candidates = unidentified.filter { token in
            entries[token].map { $0.description.payment == payment && fits($0.description) } ?? false
        }
        guard !candidates.isEmpty else { return nil }
        let present = Set(queue())
        return candidates.inOrder(by: <).first { token in
            entries[token].map { !present.contains($0.description.identity) } ?? false
        }
    }

    /// Returns the object of an entry in the queue: the latest one if several represented the entry.
    package func object(for token: TransactionToken) -> Object? { entries[token]?.object }

    /// Returns the object of an entry that is in the queue, or has left it and is still being processed.
    package func lastObject(for token: TransactionToken) -> Object? { object(for: token) ?? departed[token]?.object }

    package func token(where fits: (Object) -> Bool) -> TransactionToken? {
        entries.first { fits($0.value.object) }?.key
    }

    /// Drops the objects of entries that have left the queue.
    package mutating func forget(_ tokens: [TransactionToken]) {
        for token in tokens { departed[token] = nil }
    }
}

extension StoreError {
    package static func purchaseIntentAlreadyUsed(_ productID: String) -> StoreError {
        StoreError(
            .purchaseIntentAlreadyUsed, "The purchase of \"\(productID)\" from the App Store has already continued.")
    }
}

extension PaymentRequest {
    /// Checks that a payment of StoreKit 1 can express the request.
    /// - Throws: ``StoreError/Code/unsupported``, ``StoreError/Code/offerUnavailable``,
    ///   ``StoreError/Code/seatsUnavailable``, and ``StoreError/Code/billingPlanUnavailable`` for every plan except
    ///   `upFront`, the only plan of StoreKit 1.
    package func checkForStoreKit1() throws(StoreError) {
        if let billingPlan = options.billingPlan, billingPlan != .upFront {
            throw .billingPlanUnavailable(billingPlan, productID, in: "over StoreKit 1")
        }
        switch offer?.form {
        case .promotional?, nil: break
        case .signed?, .winBack?:
            throw StoreError(
                .offerUnavailable,
                "StoreKit 1 has no win-back offers, and takes promotional offers only with the first kind of signature."
            )
        }
        guard options.seats == nil else { throw StoreError(.seatsUnavailable, "StoreKit 1 has no seats.") }
        guard options.introductoryOfferEligibilityJWS == nil else {
            throw StoreError(.unsupported, "StoreKit 1 doesn't take the eligibility for introductory offers.")
        }
    }
}
