import AppReceipt

/// The entries of a StoreKit 1 payment queue: which token each has, which object represents it, and which promoted
/// payments are held.
///
/// `StoreKit1Backend` uses it with the objects of StoreKit, and `SimulatedBackend` with those of a simulated queue.
package struct StoreKit1Queue<Identity: Hashable & Sendable, Object: Sendable, Held: Sendable>: Sendable {
    /// The identity of an object of the queue.
    package struct Description: Sendable {
        package let identity: Identity
        /// The App Store's identifier, once there is one.
        package let transactionID: String?
        package let payment: PaymentRequest
        package let hasFailed: Bool

        package init(identity: Identity, transactionID: String?, payment: PaymentRequest, hasFailed: Bool) {
            self.identity = identity
            self.transactionID = transactionID
            self.payment = payment
            self.hasFailed = hasFailed
        }
    }

    /// Where events go.
    package var receive: (@Sendable (QueueEvent) -> Void)?
    package var policies = PaymentQueuePolicies()

    private var stamper = TransactionStamper<Identity>()
    /// Kept while they are in the queue, because the address of a deallocated object can be used again.
    private var objects = [TransactionToken: Object]()
    /// The objects that have left the queue, until the store has processed their removal. Until then, it may hand them
    /// out.
    private var departed = [TransactionToken: Object]()
    /// The held promoted payments. The same payment objects are added when they continue.
    private var held = [PromotedPayment.ID: Held]()

    package init() {}

    /// The greatest token given so far.
    package var newest: TransactionToken { stamper.newest }

    /// The number of entries that have a token.
    package var count: Int { stamper.count }

    /// Whether the queue has to be read before objects are stamped or removed: some of them are new, and may represent
    /// entries without an identifier, which may be among these objects.
    package func needsQueue(for objects: [(identity: Identity, transactionID: String?)]) -> Bool {
        guard objects.count > 1 || stamper.hasUnidentifiedEntries else { return false }
        return objects.contains { knownToken(for: $0.identity, transactionID: $0.transactionID) == nil }
    }

    /// Returns the token of an object, a new one if its entry hasn't been seen before.
    /// - Parameter queue: Returns the objects in the queue now; called only when it matters.
    package mutating func stamp(
        _ object: Object, _ description: Description, queue: () -> [Identity]
    ) -> TransactionToken {
        let token = stamper.token(
            for: description.identity, transactionID: description.transactionID, payment: description.payment,
            hasFailed: description.hasFailed, queue: queue)
        objects[token] = object
        return token
    }

    /// Returns the token of an object whose entry has been seen before.
    package func knownToken(for identity: Identity, transactionID: String?) -> TransactionToken? {
        stamper.knownToken(for: identity, transactionID: transactionID)
    }

    /// Removes the entry of an object that has left the queue, and returns its token; `nil` if it had none.
    package mutating func remove(
        _ identity: Identity, transactionID: String?, payment: @autoclosure () -> PaymentRequest, hasFailed: Bool,
        queue: () -> [Identity]
    ) -> TransactionToken? {
        let token = stamper.remove(
            identity, transactionID: transactionID, payment: payment(), hasFailed: hasFailed, queue: queue)
        if let token { departed[token] = objects.removeValue(forKey: token) }
        return token
    }

    /// Returns the object of an entry in the queue.
    package func object(for token: TransactionToken) -> Object? { objects[token] }

    /// Returns the object of an entry that is in the queue, or has left it and is still being processed.
    package func lastObject(for token: TransactionToken) -> Object? { objects[token] ?? departed[token] }

    /// Returns the token of the first object that fits.
    package func token(where fits: (Object) -> Bool) -> TransactionToken? {
        objects.first { fits($0.value) }?.key
    }

    /// Drops the objects of entries that have left the queue.
    package mutating func forget(_ tokens: [TransactionToken]) {
        for token in tokens { departed[token] = nil }
    }

    /// Holds a promoted payment.
    package mutating func hold(_ payment: Held, as id: PromotedPayment.ID) {
        held[id] = payment
    }

    /// Returns a payment that was held, once.
    package mutating func takeHeldPayment(_ id: PromotedPayment.ID) -> Held? {
        held.removeValue(forKey: id)
    }
}

extension StoreError {
    /// The error for a promoted purchase that has continued before.
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
