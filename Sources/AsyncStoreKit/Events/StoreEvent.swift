public import AppReceipt
public import Foundation

/// An event of a store, for analytics and logs: in ``PurchaseStore/events``, and a change of an entitlement in
/// ``StoreEntitlements/changes(since:)``.
///
/// An event says that something happened. It delivers nothing, and a loop over events doesn't replace a delivery. To
/// check access, use ``PurchaseStore/entitlements``.
public struct StoreEvent: Sendable {
    /// The kind of an event.
    ///
    /// The set is open: later versions may add kinds, so a `switch` needs a `default`.
    public struct Kind: Sendable, Hashable, CustomStringConvertible {
        /// The name of the kind.
        public let description: String

        /// A call of `purchase`, or a purchase from the App Store that continues, has its product.
        public static let started = Kind(description: "started")
        /// The customer has paid: in this app, or in another way without an offer code.
        public static let purchased = Kind(description: "purchased")
        /// The customer has redeemed an offer code.
        public static let offerRedeemed = Kind(description: "offerRedeemed")
        /// A subscription was renewed.
        public static let renewed = Kind(description: "renewed")
        /// A restore has returned the purchase.
        public static let restored = Kind(description: "restored")
        /// The purchase waits for an approval, or the customer has to confirm the payment elsewhere.
        public static let pending = Kind(description: "pending")
        /// The customer closed the sheet.
        public static let cancelled = Kind(description: "cancelled")
        /// The purchase failed without a payment. ``StoreEvent/error`` says why.
        public static let failed = Kind(description: "failed")
        /// Apple refunded the purchase, in full or in part.
        public static let refunded = Kind(description: "refunded")
        /// The purchase was revoked without a refund: a family no longer shares it, or, over StoreKit 1, for a reason
        /// that isn't known.
        public static let revoked = Kind(description: "revoked")
        /// The subscription was replaced by a higher one of its group. The new one has an event of its own.
        public static let upgraded = Kind(description: "upgraded")
    }

    /// The cause of an event. The kind of a transaction's event follows from its signed text, which is decoded where
    /// the event is read.
    enum Occasion: Sendable {
        case known(Kind, Shared<SignedTransactionInfo>? = nil)
        case revoked
        /// A transaction is paid.
        /// - Parameter isRequested: Whether the transaction answers a call.
        case paid(isRequested: Bool)
    }

    let occasion: Occasion
    /// When the store received the event, by the store's clock; for a change of an entitlement, the date that Apple has
    /// signed for it.
    public let date: Date
    /// The product.
    public let productID: String
    /// The transaction; `nil` for the kinds `started`, `cancelled` and, for most errors, `failed`, for `revoked` over
    /// StoreKit 1, and for a change of an entitlement.
    public internal(set) var transaction: StoreTransaction?
    /// The reason of the kind `failed`; otherwise `nil`.
    public internal(set) var error: StoreError?

    /// The transaction as Apple signed it; `nil` without a transaction and over StoreKit 1.
    public var signedInfo: SignedTransactionInfo? {
        if case .known(_, let info?) = occasion { info.value } else { transaction?.signedInfo }
    }
    /// The price of one item, in the ``currency``; `nil` over StoreKit 1, without a transaction, and for a purchase
    /// that a family member or an organization has paid for.
    public var price: Decimal? { signedInfo.flatMap { $0.facts.isPaidByOthers ? nil : $0.price } }
    /// The currency of the ``price``, an ISO 4217 code.
    public var currency: String? { price.flatMap { _ in signedInfo?.currency } }
    /// The quantity, from 1 to 10.
    public var quantity: Int { transaction?.quantity ?? 1 }
}

extension StoreEvent {
    /// Creates a change of an entitlement.
    init(_ kind: Kind, _ date: Date, _ productID: String, _ info: SignedTransactionInfo?) {
        self.init(occasion: .known(kind, info.map(Shared.init)), date: date, productID: productID)
    }

    /// The kind of the event.
    public var kind: Kind {
        switch occasion {
        case .known(let kind, _): kind
        case .revoked: signedInfo.map(Self.revocationKind) ?? .revoked
        case .paid(let isRequested):
            if let info = signedInfo, let reason = info.reason {
                reason == .renewal
                    ? .renewed : info.offer?.kind == .offerCode && !isRequested ? .offerRedeemed : .purchased
            } else {
                isRenewal ? .renewed : .purchased
            }
        }
    }

    private static func revocationKind(_ info: SignedTransactionInfo) -> Kind {
        if info.facts.isReplaced { return .upgraded }
        switch info.revocationType {
        case .fullRefund, .proratedRefund: return .refunded
        // Signed before Apple added the type.
        case nil: return info.facts.isPaidByOthers ? .revoked : .refunded
        default: return .revoked
        }
    }

    /// Whether the transaction continues an earlier one. Over StoreKit 1, only that shows a renewal.
    private var isRenewal: Bool {
        transaction.map { $0.originalID != $0.id && $0.state == .purchased } ?? false
    }
}

extension StoreEvent: CustomStringConvertible {
    /// The kind, the product, and the price, the transaction and the error if they're known, on one line.
    public var description: String {
        let parts = [
            price.map { "\($0) \(currency ?? "")" }, transaction?.id.map { "transaction \($0)" }, error?.description,
        ].compactMap(\.self)
        return "\(kind) \(productID)" + (parts.isEmpty ? "" : " (\(parts.joined(separator: ", ")))")
    }
}
