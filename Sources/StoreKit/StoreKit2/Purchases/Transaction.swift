package import AppStoreSimulator
public import Foundation

/// A purchase by the customer, or a renewal by the App Store.
public struct Transaction: Identifiable, Hashable, Sendable {
    /// The type of the identifier.
    public typealias ID = UInt64

    private let signed: SimulatedSignedTransaction
    private let reference: LaunchReference

    package init(_ signed: SimulatedSignedTransaction, _ launch: SimulatedLaunch) {
        self.signed = signed
        reference = LaunchReference(launch: launch)
    }

    /// Returns the transaction with the result of its verification.
    package static func result(_ signed: SimulatedSignedTransaction, _ launch: SimulatedLaunch) -> VerificationResult<
        Transaction
    > {
        let transaction = Transaction(signed, launch)
        return signed.text.seal.isVerified ? .verified(transaction) : .unverified(transaction, .invalidSignature)
    }

    /// The launch that received the transaction.
    package var launch: SimulatedLaunch { reference.launch }

    var text: SimulatedSignedText { signed.text }
    var record: SimulatedHistoryRecord { signed.record }

    /// Returns whether two values have the same contents and the same signature date.
    public static func == (left: Transaction, right: Transaction) -> Bool {
        left.signed.number == right.signed.number && left.text.seal == right.text.seal
    }

    /// Hashes the identifier and the signature date.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(signed.number)
        hasher.combine(text.seal.signedDate)
    }

    /// Finishes the transaction, which isn't reported again. Call this function after you deliver the product.
    /// Finishing a transaction twice has no effect.
    public func finish() async {
        launch.finish(transaction: id)
    }

    /// The App Store's identifier.
    public var id: UInt64 { signed.number }

    /// The identifier of the first transaction of the purchase or subscription.
    public var originalID: UInt64 { signed.originalNumber }

    /// The identifier of the purchase of a subscription across devices; `nil` for other products.
    public var webOrderLineItemID: String? { record.kind == .autoRenewableSubscription ? record.transactionID : nil }

    /// The identifier of the product.
    public var productID: String { record.productID }

    /// The type of the product.
    public var productType: Product.ProductType { Product.ProductType(record.kind) }

    /// The group of the subscription; `nil` for other products.
    public var subscriptionGroupID: String? { record.groupID }

    /// The bundle identifier of the app.
    public var appBundleID: String { text.seal.bundleID }

    /// The date of the payment.
    public var purchaseDate: Date { record.purchaseDate ?? text.seal.signedDate }

    /// The date of the first transaction's payment.
    public var originalPurchaseDate: Date { record.originalPurchaseDate ?? purchaseDate }

    /// The end of a subscription's paid period; `nil` for other products.
    public var expirationDate: Date? { record.expirationDate }

    /// The number of items or seats bought.
    public var purchasedQuantity: Int { record.quantity }

    /// Whether the customer upgraded to a subscription of a higher level.
    public var isUpgraded: Bool { record.isUpgraded }

    /// The offer that was applied to the transaction.
    public var offer: Transaction.Offer? { record.offer.map { Transaction.Offer($0) } }

    /// The date on which the purchase was refunded or the family stopped sharing it.
    public var revocationDate: Date? { record.revocationReason == nil ? nil : record.revocationDate }

    /// The reason for the revocation.
    public var revocationReason: Transaction.RevocationReason? {
        record.revocationReason.map { RevocationReason(rawValue: $0.rawValue) }
    }

    /// The app's token for its user, as set with the purchase.
    public var appAccountToken: UUID? { record.appAccountToken }

    /// The identifier of the app's download, the same on all of the customer's devices.
    public var appTransactionID: String { text.seal.appTransactionID }

    /// How the customer owns the purchase.
    public var ownershipType: Transaction.OwnershipType { OwnershipType(rawValue: record.ownership.rawValue) }

    /// The reason for the transaction.
    public var reason: Transaction.Reason { record.isRenewal ? .renewal : .purchase }

    /// The paid price, in ``currency``; for a purchase of seats, the price of one seat.
    public var price: Decimal? { record.price }

    /// The currency of ``price``.
    public var currency: Locale.Currency? { record.currencyCode.map { Locale.Currency($0) } }

    /// The storefront of the purchase.
    public var storefront: Storefront { Storefront(record.storefront) }

    /// The environment in which the App Store signed it.
    public var environment: AppStore.Environment { AppStore.Environment(rawValue: text.seal.environment) }

    /// The date of the signature.
    public var signedDate: Date { text.seal.signedDate }

    /// The data that ties the signed payload to the device.
    public var deviceVerification: Data { text.deviceVerification }

    /// The salt of ``deviceVerification``.
    public var deviceVerificationNonce: UUID { text.seal.nonce }

    /// The signed payload, JSON.
    public var jsonRepresentation: Data { text.payload }

    /// The status of the subscription that the transaction belongs to; `nil` for other products.
    public var subscriptionStatus: Product.SubscriptionInfo.Status? {
        get async { try? Product.SubscriptionInfo.status(transactionID: id, launch: launch) }
    }
}

// Properties that later versions of StoreKit replace.
extension Transaction {
    /// The currency of ``price``, ISO 4217.
    @available(iOS, deprecated: 16.0)
    public var currencyCode: String? { record.currencyCode }

    /// The environment in which the payload was signed.
    @available(iOS, deprecated: 16.0)
    public var environmentStringRepresentation: String { text.seal.environment }

    /// The reason for the transaction.
    @available(iOS, deprecated: 17.0)
    public var reasonStringRepresentation: String { reason.rawValue }

    /// The three-letter country code of the purchase's storefront.
    public var storefrontCountryCode: String { record.storefront.countryCode }

    /// The identifier of the offer.
    @available(iOS, deprecated: 17.2)
    public var offerID: String? { record.offer?.terms.id }

    /// The kind of the offer.
    @available(iOS, deprecated: 17.2)
    public var offerType: Transaction.OfferType? { record.offer.map { OfferType(rawValue: $0.kind.rawValue) } }

    /// How the customer paid the offer.
    @available(iOS, deprecated: 17.2)
    public var offerPaymentModeStringRepresentation: String? { record.offer?.paymentModeWord }

    /// The length of one period of the offer, as an ISO 8601 duration.
    @available(iOS, deprecated: 18.4)
    public var offerPeriodStringRepresentation: String? { record.offer?.periodDuration }
}

extension Transaction: CustomDebugStringConvertible {
    /// The signed payload.
    public var debugDescription: String { String(decoding: jsonRepresentation, as: UTF8.self) }
}
