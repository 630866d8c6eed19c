import Foundation

/// The payload of signed renewal information, with the names of Apple's `JWSRenewalInfoDecodedPayload`.
struct SignedRenewalPayload: SignedPayloadEncoding {
    private let originalTransactionId: String
    private let productId: String
    private let autoRenewProductId: String
    private let autoRenewStatus: Int
    private let expirationIntent: Int?
    private let isInBillingRetryPeriod: Bool
    private let gracePeriodExpiresDate: Int64?
    private let priceIncreaseStatus: Int?
    private let offerType: Int?
    private let offerIdentifier: String?
    private let offerDiscountType: String?
    private let offerPeriod: String?
    private let eligibleWinBackOfferIds: [String]?
    private let recentSubscriptionStartDate: Int64?
    private let renewalDate: Int64?
    private let renewalPrice: Int64?
    private let currency: String?
    private let appAccountToken: String?
    private let appTransactionId: String
    private let environment: String
    private let signedDate: Int64
    private let deviceVerification: String
    private let deviceVerificationNonce: String

    init(_ renewal: SimulatedRenewal, _ seal: SimulatedSeal) {
        originalTransactionId = renewal.originalTransactionID
        productId = renewal.productID
        autoRenewProductId = renewal.autoRenewPreference
        autoRenewStatus = renewal.willAutoRenew ? 1 : 0
        expirationIntent = renewal.expirationReason?.rawValue
        isInBillingRetryPeriod = renewal.isInBillingRetry
        gracePeriodExpiresDate = renewal.gracePeriodExpirationDate?.milliseconds
        priceIncreaseStatus = renewal.priceIncrease?.rawValue
        offerType = renewal.offer?.kind.rawValue
        offerIdentifier = renewal.offer?.terms.id
        offerDiscountType = renewal.offer?.terms.paymentMode.word
        offerPeriod = renewal.offer?.terms.period.duration
        eligibleWinBackOfferIds = renewal.eligibleWinBackOfferIDs.isEmpty ? nil : renewal.eligibleWinBackOfferIDs
        recentSubscriptionStartDate = renewal.recentSubscriptionStartDate?.milliseconds
        renewalDate = renewal.renewalDate?.milliseconds
        renewalPrice = renewal.renewalPrice?.thousandths
        currency = renewal.currencyCode
        appAccountToken = renewal.applicationUsername.flatMap(UUID.init(uuidString:))?.uuidString.lowercased()
        appTransactionId = seal.appTransactionID
        environment = SimulatedSeal.environment
        signedDate = seal.signedDate.milliseconds
        deviceVerification = SimulatedSignedText.deviceVerification(seal).base64EncodedString()
        deviceVerificationNonce = seal.nonce.uuidString.lowercased()
    }
}

/// The payload of a signed app transaction, with the names of Apple's `JWSAppTransactionDecodedPayload`.
struct SignedAppTransactionPayload: SignedPayloadEncoding {
    private let bundleId: String
    private let applicationVersion: String
    private let originalApplicationVersion: String
    private let originalPurchaseDate: Int64
    private let originalPlatform: String
    private let appTransactionId: String
    private let receiptType: String
    private let receiptCreationDate: Int64
    private let deviceVerification: String
    private let deviceVerificationNonce: String

    init(_ transaction: SimulatedAppTransaction, _ seal: SimulatedSeal) {
        bundleId = seal.bundleID
        applicationVersion = transaction.version
        originalApplicationVersion = transaction.originalVersion
        originalPurchaseDate = transaction.originalPurchaseDate.milliseconds
        originalPlatform = transaction.originalPlatform
        appTransactionId = seal.appTransactionID
        receiptType = SimulatedSeal.environment
        receiptCreationDate = seal.signedDate.milliseconds
        deviceVerification = SimulatedSignedText.deviceVerification(seal).base64EncodedString()
        deviceVerificationNonce = seal.nonce.uuidString.lowercased()
    }
}
