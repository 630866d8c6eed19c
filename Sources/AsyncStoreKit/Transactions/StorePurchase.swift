public import AppReceipt
public import Foundation

/// A paid purchase: in the closure of a call, on ``PurchaseStore/transactions``, in a ``DeliveryRequest``, or in the
/// result of a restore.
///
/// A past purchase doesn't mean current access: a restore also returns expired subscriptions. To check access, use
/// ``PurchaseStore/entitlements``.
///
/// A purchase has every property of the transaction that Apple signed, `SignedTransactionInfo`: `price`, `currency`,
/// `offer`, `ownershipType`, `environment`, `reason` and the others. Over StoreKit 1 they are `nil`.
@dynamicMemberLookup
public struct StorePurchase: Sendable, Hashable {
    /// Why the store received a purchase.
    ///
    /// The set is open: later versions may add causes, so a `switch` needs a `default`.
    public struct Cause: Sendable, Hashable, CustomStringConvertible {
        /// The name of the cause.
        public let description: String

        /// A call of `purchase`.
        public static let requested = Cause(description: "requested")
        /// A call of `restore`.
        public static let restored = Cause(description: "restored")
        /// Not caused by a call: a renewal, an approval, an interrupted purchase, another device, or an earlier launch.
        public static let unsolicited = Cause(description: "unsolicited")
    }

    package let record: PurchaseRecord
    /// The store of the purchase. A purchase in a delivery has none, because the decision finishes it.
    private let owner: (any PurchaseOwner)?

    package init(_ record: PurchaseRecord, owner: (any PurchaseOwner)?) {
        self.record = record
        self.owner = owner
    }

    /// The transaction, in the state `purchased` or `restored`.
    public var transaction: StoreTransaction { record.transaction }
    /// Why the store received the purchase.
    public var cause: Cause { record.cause }
    /// The pending purchase that was approved; `nil` if no approval was needed, or if it was requested in an earlier
    /// launch.
    public var pendingPurchase: PendingPurchase? { record.pendingPurchase }
    /// Whether StoreKit answered the call with an unfinished transaction from before the payment, instead of selling
    /// the product again. The transaction may have been offered on ``PurchaseStore/transactions`` before.
    public var isPreexisting: Bool { record.isPreexisting }
    /// Whether the purchase was delivered before, or is being delivered by the installed delivery or the closure of
    /// another call. Then there is nothing left to deliver or to finish.
    public var isHandledElsewhere: Bool { record.isHandledElsewhere }
    /// Whether this process has given the purchase to a closure, a delivery, a caller, or a loop before, whether or not
    /// it was delivered then; or by the ``StoreConfiguration/deliveryLedger``, an earlier process has delivered the
    /// purchase. To recognize a purchase across launches, use ``deliveryKey``.
    public var isRedelivery: Bool { record.isRedelivery }

    /// The transaction as the App Store signed it, a JSON Web Signature, for a server. `nil` over StoreKit 1.
    public var jws: String? { transaction.jws }

    /// The App Store's identifier of the transaction; `nil` if a restored purchase of StoreKit 1 lacks it.
    public var transactionID: String? { transaction.id }
    /// The identifier of the first transaction of the purchase or subscription.
    public var originalTransactionID: String? { transaction.originalID }

    /// The product.
    public var productID: String { transaction.productID }
    /// The quantity, from 1 to 10.
    public var quantity: Int { transaction.quantity }
    /// The date of the payment, or of the restore for a restored purchase.
    public var purchaseDate: Date? { transaction.purchaseDate }
    /// The account that was passed with the payment; `nil` if there was none.
    public var account: PurchaseAccount? { transaction.account }
    /// The UUID that was passed with the payment; `nil` if there was none, or a user name that isn't a UUID.
    public var appAccountToken: UUID? { transaction.appAccountToken }
    /// A key for delivering once: it stays the same when the purchase is reported again, restored, or delivered in
    /// another launch. Send the key to your server. Each renewal of a subscription has its own key.
    public var deliveryKey: String { transaction.deliveryKey }

    /// Returns a property of the transaction that Apple signed; `nil` over StoreKit 1.
    public subscript<Property>(dynamicMember property: KeyPath<SignedTransactionInfo, Property>) -> Property? {
        transaction.signedInfo?[keyPath: property]
    }

    /// Returns a property of the transaction that Apple signed; `nil` over StoreKit 1.
    public subscript<Property>(dynamicMember property: KeyPath<SignedTransactionInfo, Property?>) -> Property? {
        transaction.signedInfo?[keyPath: property]
    }

    /// Returns what the app wanted to remember about the purchase when the customer requested it; see
    /// ``PurchaseOption/context(_:)``.
    ///
    /// `nil` if the app gave no context or another type, if the context is older than 30 days, or if nothing proves to
    /// which purchase it belongs; see ``contextCandidates``.
    /// - Parameter type: The type of the value that was given.
    public func context<Value: Decodable>(as type: Value.Type = Value.self) -> Value? {
        guard case .known(let context) = transaction.context else { return nil }
        return context.value()
    }

    /// The requests to which the purchase may belong, oldest first. Empty if the context is known, and if there is
    /// none.
    ///
    /// A request is a candidate if its product and account are the purchase's, and no transaction has answered the
    /// request. The purchase may still be another one, such as that of another device.
    public var contextCandidates: [PurchaseContext] {
        guard case .candidates(let candidates) = transaction.context else { return [] }
        return candidates
    }

    /// Finishes the transaction after you've delivered the content. An unfinished transaction is offered again at every
    /// launch.
    ///
    /// Don't call this function in a delivery closure or an installed delivery: the store finishes the transaction when
    /// the closure returns or the delivery accepts. A second call has no effect, and neither does a call while
    /// ``isHandledElsewhere`` is `true`. The function returns when the payment queue has been told.
    ///
    /// The call is your statement that the content is delivered, and takes effect in a canceled task, too. Check the
    /// result of your delivery first: in a canceled task, a request to your server fails immediately.
    public func finish() async {
        guard !isHandledElsewhere else { return }
        await owner?.finishQuietly(transaction)
    }

    /// Reports that the content couldn't be delivered. The purchase stays unfinished, and is offered again after a
    /// pause: to the installed delivery, or else to every subscriber of ``PurchaseStore/transactions``.
    ///
    /// Has no effect if the purchase is finished or is being delivered.
    /// - Parameter seconds: The pause, up to a day, which is extended by a part of its length, at most an hour, so that
    ///   devices don't retry at the same moment. `nil` waits longer each time, up to an hour.
    public func retryDelivery(after seconds: TimeInterval? = nil) async {
        guard !isHandledElsewhere else { return }
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

/// A transaction with what the store knows about it.
package struct PurchaseRecord: Sendable, Hashable {
    package let transaction: StoreTransaction
    package var cause: StorePurchase.Cause
    package var pendingPurchase: PendingPurchase?
    package var isPreexisting = false
    package var isHandledElsewhere = false
    package var isRedelivery = false
}

package protocol PurchaseOwner: Sendable {
    /// Finishes a transaction, unless it is finished or can't be. Returns when the payment queue has been told.
    func finishQuietly(_ transaction: StoreTransaction) async
    /// Offers a transaction again after a pause.
    func release(_ transaction: StoreTransaction, after seconds: Double?) async
}

extension StorePurchase: CustomStringConvertible {
    /// The transaction, and why it's delivered, on one line.
    public var description: String {
        let notes = [
            cause.description, isRedelivery ? "redelivery" : nil, isHandledElsewhere ? "handled elsewhere" : nil,
        ]
        return "\(transaction) (\(notes.compactMap(\.self).joined(separator: ", ")))"
    }
}
