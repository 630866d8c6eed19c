package import AppStoreSimulator
public import Foundation

/// Something that the customer has bought, or the App Store has renewed.
public struct Transaction: Identifiable, Hashable, Sendable {
    /// The type of the identifier.
    public typealias ID = UInt64

    private let signed: SimulatedSignedTransaction
    private let reference: LaunchReference

    package init(_ signed: SimulatedSignedTransaction, _ launch: SimulatedLaunch) {
        self.signed = signed
        reference = LaunchReference(launch: launch)
    }

    /// The transaction as it comes, with whether it checks out.
    package static func result(_ signed: SimulatedSignedTransaction, _ launch: SimulatedLaunch) -> VerificationResult<Transaction> {
        let transaction = Transaction(signed, launch)
        return signed.text.seal.isVerified ? .verified(transaction) : .unverified(transaction, .invalidSignature)
    }

    /// The launch in which it came.
    package var launch: SimulatedLaunch { reference.launch }

    var text: SimulatedSignedText { signed.text }
    var record: SimulatedHistoryRecord { signed.record }

    /// Whether two say the same, signed at the same time.
    public static func == (left: Transaction, right: Transaction) -> Bool {
        left.signed.number == right.signed.number && left.text.seal == right.text.seal
    }

    /// Hashes the identifier and when it was signed.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(signed.number)
        hasher.combine(text.seal.signedDate)
    }

    /// Finishes the transaction: it is handed over no more. To be called when the customer has what was bought.
    public func finish() async {
        launch.finish(transaction: id)
    }

    /// The App Store's identifier.
    public var id: UInt64 { signed.number }

    /// The identifier of the first transaction of the purchase or subscription.
    public var originalID: UInt64 { signed.originalNumber }

    /// The identifier of the purchase of a subscription across devices; `nil` for every other product.
    public var webOrderLineItemID: String? { record.kind == .autoRenewableSubscription ? record.transactionID : nil }

    /// The product.
    public var productID: String { record.productID }

    /// What kind of product it is.
    public var productType: Product.ProductType { Product.ProductType(record.kind) }

    /// The group in which the subscription competes; `nil` for every other product.
    public var subscriptionGroupID: String? { record.groupID }

    /// The app.
    public var appBundleID: String { text.seal.bundleID }

    /// When it was paid.
    public var purchaseDate: Date { record.purchaseDate ?? text.seal.signedDate }

    /// When the first transaction was paid.
    public var originalPurchaseDate: Date { record.originalPurchaseDate ?? purchaseDate }

    /// When the paid period of a subscription ends; `nil` for every other product.
    public var expirationDate: Date? { record.expirationDate }

    /// How many were bought.
    public var purchasedQuantity: Int { record.quantity }

    /// Whether the subscription was replaced by one of a higher level.
    public var isUpgraded: Bool { record.isUpgraded }

    /// The offer at whose price it was paid.
    public var offer: Transaction.Offer? { record.offer.map { Transaction.Offer($0) } }

    /// When it was refunded, or no longer shared in the family.
    public var revocationDate: Date? { record.revocationReason == nil ? nil : record.revocationDate }

    /// Why it was taken back.
    public var revocationReason: Transaction.RevocationReason? {
        record.revocationReason.map { RevocationReason(rawValue: $0.rawValue) }
    }

    /// The app's token for its user.
    public var appAccountToken: UUID? { record.appAccountToken }

    /// The identifier of the app's download, the same on all of the customer's devices.
    public var appTransactionID: String { text.seal.appTransactionID }

    /// How the customer came by it.
    public var ownershipType: Transaction.OwnershipType { OwnershipType(rawValue: record.ownership.rawValue) }

    /// Why there is a transaction.
    public var reason: Transaction.Reason { record.isRenewal ? .renewal : .purchase }

    /// What was paid, in ``currency``.
    public var price: Decimal? { record.price }

    /// The currency of ``price``.
    public var currency: Locale.Currency? { record.currencyCode.map { Locale.Currency($0) } }

    /// The country's App Store in which it was bought.
    public var storefront: Storefront { Storefront(record.storefront) }

    /// Where it was made.
    public var environment: AppStore.Environment { AppStore.Environment(rawValue: text.seal.environment) }

    /// When it was signed.
    public var signedDate: Date { text.seal.signedDate }

    /// What ties it to the device.
    public var deviceVerification: Data { text.deviceVerification }

    /// The salt of ``deviceVerification``.
    public var deviceVerificationNonce: UUID { text.seal.nonce }

    /// The payload that was signed, JSON.
    public var jsonRepresentation: Data { text.payload }

    /// How the subscription stands that it belongs to; `nil` for every other product.
    public var subscriptionStatus: Product.SubscriptionInfo.Status? {
        get async { try? Product.SubscriptionInfo.status(transactionID: id, launch: launch) }
    }
}

// What later versions have replaced.
extension Transaction {
    /// The currency of ``price``, ISO 4217.
    @available(iOS, deprecated: 16.0)
    public var currencyCode: String? { record.currencyCode }

    /// Where it was made.
    @available(iOS, deprecated: 16.0)
    public var environmentStringRepresentation: String { text.seal.environment }

    /// Why there is a transaction.
    @available(iOS, deprecated: 17.0)
    public var reasonStringRepresentation: String { reason.rawValue }

    /// The three-letter code of the country in whose App Store it was bought.
    public var storefrontCountryCode: String { record.storefront.countryCode }

    /// The identifier of the offer.
    @available(iOS, deprecated: 17.2)
    public var offerID: String? { record.offer?.terms.id }

    /// The kind of the offer.
    @available(iOS, deprecated: 17.2)
    public var offerType: Transaction.OfferType? { record.offer.map { OfferType(rawValue: $0.kind.rawValue) } }

    /// How the offer was paid.
    @available(iOS, deprecated: 17.2)
    public var offerPaymentModeStringRepresentation: String? { record.offer?.terms.paymentMode.word }

    /// The length of one period of the offer, as an ISO 8601 duration.
    @available(iOS, deprecated: 18.4)
    public var offerPeriodStringRepresentation: String? { record.offer?.terms.period.duration }
}

extension Transaction: CustomDebugStringConvertible {
    /// The payload that was signed.
    public var debugDescription: String { String(decoding: jsonRepresentation, as: UTF8.self) }
}
