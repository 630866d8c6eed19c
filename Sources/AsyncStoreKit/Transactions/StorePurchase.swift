public import Foundation

/// Something that has been paid for: in the closure of a call, on ``PurchaseStore/transactions``, in a ``DeliveryRequest``, among the
/// results of a restore.
///
/// Paid for is not the same as still giving access: a subscription that ended long ago is in here when it is restored.
public struct StorePurchase: Sendable, Hashable {
    /// How a purchase came about.
    ///
    /// The set is open: later versions may add causes, so a `switch` needs a `default`.
    public struct Cause: Sendable, Hashable, CustomStringConvertible {
        /// The name of the cause.
        public let description: String

        /// A call of `purchase` asked for it.
        public static let requested = Cause(description: "requested")
        /// A call of `restore` asked for it.
        public static let restored = Cause(description: "restored")
        /// No call asked for it: a renewal, an approval, an interrupted purchase, another device, an earlier launch.
        public static let unsolicited = Cause(description: "unsolicited")
    }

    package let record: PurchaseRecord
    /// The store from which it came; a purchase in a delivery has none, because there the decision finishes.
    private let owner: (any PurchaseOwner)?

    package init(_ record: PurchaseRecord, owner: (any PurchaseOwner)?) {
        self.record = record
        self.owner = owner
    }

    /// The transaction: purchased, or restored.
    public var transaction: StoreTransaction { record.transaction }
    /// How it came about.
    public var cause: Cause { record.cause }
    /// The purchase whose approval this is; `nil` when nobody had to approve, or when that was asked in an earlier launch.
    public var pendingPurchase: PendingPurchase? { record.pendingPurchase }
    /// Whether StoreKit answered a call with a transaction that was in the queue before the payment, instead of selling the product
    /// again. It may have been offered on ``PurchaseStore/transactions`` before.
    public var isPreexisting: Bool { record.isPreexisting }
    /// Whether the purchase was delivered before, or is being delivered by the installed delivery or the closure of
    /// another call. Then there is nothing left to deliver or to finish.
    public var isDelivered: Bool { record.isDelivered }
    /// Whether this process has given the purchase to a closure, a delivery, a caller, or a loop before, whether or not
    /// it was delivered then; or by the ``StoreConfiguration/deliveryLedger``, an earlier process has delivered the purchase. To recognize a
    /// purchase across launches, use ``deliveryKey``.
    public var isRedelivery: Bool { record.isRedelivery }

    /// The transaction as the App Store signed it, a JSON Web Signature, for a server. `nil` over StoreKit 1.
    public var jws: String? { transaction.jws }

    /// What was bought.
    public var productID: String { transaction.productID }
    /// How many, 1 to 10.
    public var quantity: Int { transaction.quantity }
    /// When it was paid; of a restored purchase, when it was restored.
    public var purchaseDate: Date? { transaction.purchaseDate }
    /// The account for which it was bought, as given with the payment; `nil` when there is none.
    public var account: PurchaseAccount? { transaction.account }
    /// The UUID that the app gave with the payment; `nil` if it gave none, or a user name that isn't a UUID.
    public var appAccountToken: UUID? { transaction.appAccountToken }
    /// Stays the same when the purchase is reported again, restored, or delivered in another launch: hand it to a server that must not
    /// deliver twice. Each renewal of a subscription has a key of its own.
    public var deliveryKey: String { transaction.deliveryKey }

    /// Returns what the app wanted to remember about the purchase when the customer requested it; see ``PurchaseOption/context(_:)``.
    ///
    /// `nil` if the app gave no context or another type, if the context is older than 30 days, or if nothing proves to which purchase it
    /// belongs; see ``contextCandidates``.
    /// - Parameter type: The type of the value that was given.
    public func context<Value: Decodable>(as type: Value.Type = Value.self) -> Value? {
        guard case .known(let context) = transaction.context else { return nil }
        return context.value()
    }

    /// The requests to which the purchase may belong, oldest first. Empty if the context is known, and if there is none.
    ///
    /// A request is a candidate if its product and account are the purchase's, and no transaction has answered the request. The purchase may still be
    /// another one, such as that of another device.
    public var contextCandidates: [PurchaseContext] {
        guard case .candidates(let candidates) = transaction.context else { return [] }
        return candidates
    }

    /// Tells the queue that the content is delivered. Without it, the transaction comes again at every launch.
    ///
    /// Not needed in a delivery closure, which finishes by returning, nor in an installed delivery, whose decision finishes. Calling it
    /// twice, or after somebody else has, does nothing, and neither does it when ``isDelivered``: whoever delivers it finishes it.
    /// Returns when the queue has been told.
    public func finish() async {
        guard !isDelivered else { return }
        await owner?.finishQuietly(transaction)
    }

    /// Says that the content could not be delivered: the purchase stays unfinished and is offered again after a pause, to the installed
    /// delivery or else on ``PurchaseStore/transactions``, to every subscriber.
    ///
    /// Does nothing when the purchase is finished, or being delivered by somebody else.
    /// - Parameter seconds: How long to wait, up to a day; `nil` waits for a while that grows each time, 5 minutes at the most.
    public func retryDelivery(after seconds: TimeInterval? = nil) async {
        guard !isDelivered else { return }
        await owner?.release(transaction, after: seconds)
    }

    /// Whether both are the same purchase in the same state, from whichever store.
    public static func == (left: StorePurchase, right: StorePurchase) -> Bool {
        left.record == right.record
    }

    /// Hashes the transaction.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(transaction)
    }
}

/// A transaction that is paid for, or part of a batch, with what the store knows of it.
package struct PurchaseRecord: Sendable, Hashable {
    package let transaction: StoreTransaction
    package var cause: StorePurchase.Cause
    package var pendingPurchase: PendingPurchase?
    package var isPreexisting: Bool
    package var isDelivered: Bool
    package var isRedelivery: Bool

    package init(
        transaction: StoreTransaction, cause: StorePurchase.Cause, pendingPurchase: PendingPurchase? = nil,
        isPreexisting: Bool = false, isDelivered: Bool = false, isRedelivery: Bool = false
    ) {
        self.transaction = transaction
        self.cause = cause
        self.pendingPurchase = pendingPurchase
        self.isPreexisting = isPreexisting
        self.isDelivered = isDelivered
        self.isRedelivery = isRedelivery
    }
}

/// What a purchase can ask of the store from which it came.
package protocol PurchaseOwner: Sendable {
    /// Finishes a transaction; what cannot be finished, or has been, is left alone. Returns when the queue has been told.
    func finishQuietly(_ transaction: StoreTransaction) async
    /// Offers a transaction again after a pause.
    func release(_ transaction: StoreTransaction, after seconds: Double?) async
}

extension StorePurchase: CustomStringConvertible {
    /// The transaction, and why it's delivered, on one line.
    public var description: String {
        let notes = [cause.description, isRedelivery ? "redelivery" : nil, isDelivered ? "delivered" : nil]
        return "\(transaction) (\(notes.compactMap(\.self).joined(separator: ", ")))"
    }
}
