import Foundation

/// The payload of a signed transaction, with the names of Apple's `JWSTransactionDecodedPayload`.
struct SignedTransactionPayload: SignedPayloadEncoding {
    private let transactionId: String
    private let originalTransactionId: String
    private let webOrderLineItemId: String?
    private let bundleId: String
    private let productId: String
    private let subscriptionGroupIdentifier: String?
    private let purchaseDate: Int64
    private let originalPurchaseDate: Int64
    private let expiresDate: Int64?
    private let quantity: Int
    private let type: String
    private let appAccountToken: String?
    private let appTransactionId: String
    private let inAppOwnershipType: String
    private let isUpgraded: Bool?
    private let revocationDate: Int64?
    private let revocationReason: Int?
    private let revocationType: String?
    private let offerType: Int?
    private let offerIdentifier: String?
    private let offerDiscountType: String?
    private let offerPeriod: String?
    private let storefront: String
    private let storefrontId: String
    private let transactionReason: String
    private let price: Int64
    private let currency: String?
    private let environment: String
    private let signedDate: Int64
    private let deviceVerification: String
    private let deviceVerificationNonce: String

    init(_ record: SimulatedHistoryRecord, _ seal: SimulatedSeal) {
        transactionId = record.transactionID ?? ""
        originalTransactionId = record.originalTransactionID ?? ""
        webOrderLineItemId = record.kind == .autoRenewableSubscription ? record.transactionID : nil
        bundleId = seal.bundleID
        productId = record.productID
        subscriptionGroupIdentifier = record.groupID
        let date = record.purchaseDate ?? seal.signedDate
        purchaseDate = date.milliseconds
        originalPurchaseDate = (record.originalPurchaseDate ?? date).milliseconds
        expiresDate = record.expirationDate?.milliseconds
        quantity = record.quantity
        type = record.kind.words
        appAccountToken = record.appAccountToken?.uuidString.lowercased()
        appTransactionId = seal.appTransactionID
        inAppOwnershipType = record.ownership.rawValue
        isUpgraded = record.isUpgraded ? true : nil
        // What an upgrade replaced has a date in receipts, and none here.
        revocationDate = record.revocationReason == nil ? nil : record.revocationDate?.milliseconds
        revocationReason = record.revocationReason?.rawValue
        revocationType = record.revocationReason.map { _ in record.ownership == .familyShared ? "FAMILY_REVOKE" : "REFUND_FULL" }
        offerType = record.offer?.kind.rawValue
        offerIdentifier = record.offer?.terms.id
        offerDiscountType = record.offer?.terms.paymentMode.word
        offerPeriod = record.offer?.terms.period.duration
        storefront = record.storefront.countryCode
        storefrontId = record.storefront.id
        transactionReason = record.isRenewal ? "RENEWAL" : "PURCHASE"
        price = record.price.thousandths
        currency = record.currencyCode
        environment = SimulatedSeal.environment
        signedDate = seal.signedDate.milliseconds
        deviceVerification = SimulatedSignedText.deviceVerification(seal).base64EncodedString()
        deviceVerificationNonce = seal.nonce.uuidString.lowercased()
    }
}
