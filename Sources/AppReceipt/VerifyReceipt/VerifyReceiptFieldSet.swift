/// The fields one kind of object has, found by the bytes of their names.
struct VerifyReceiptFieldSet: Sendable {
    private let byHash: [UInt64: VerifyReceiptField]

    /// How many fields can be found; fewer than were given when two of them have the same hash.
    var count: Int { byHash.count }

    init(_ fields: [VerifyReceiptField]) {
        var byHash: [UInt64: VerifyReceiptField] = [:]
        for field in fields {
            byHash[field.name.withUTF8Buffer { Self.hash($0) }] = field
        }
        self.byHash = byHash
    }

    /// The field named `name`, if this kind of object has it.
    func field(named name: ArraySlice<UInt8>) -> VerifyReceiptField? {
        guard let field = byHash[Self.hash(name)], field.name.withUTF8Buffer({ $0.elementsEqual(name) }) else { return nil }
        return field
    }

    /// FNV-1a over 64 bits. Two names of one set with the same value would hide a field; a test says that there are none.
    private static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in bytes {
            hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
        }
        return hash
    }

    static let response = VerifyReceiptFieldSet(
        [.status, .environment, .isRetryable, .receipt, .latestReceipt, .latestReceiptInfo, .latestExpiredReceiptInfo, .pendingRenewalInfo]
            + flatRenewalFields)

    static let application = VerifyReceiptFieldSet([
        .adamID, .appItemID, .itemID, .applicationVersion, .bvrs, .bundleID, .bid, .downloadID, .inApp, .originalApplicationVersion,
        .receiptType, .versionExternalIdentifier, .expirationDate, .expirationDateMilliseconds, .expirationDatePacific, .preorderDate,
        .preorderDateMilliseconds, .preorderDatePacific, .receiptCreationDate, .receiptCreationDateMilliseconds,
        .receiptCreationDatePacific, .requestDate, .requestDateMilliseconds, .requestDatePacific, .originalPurchaseDate,
        .originalPurchaseDateMilliseconds, .originalPurchaseDatePacific,
    ])

    private static let purchaseFields: [VerifyReceiptField] = [
        .quantity, .productID, .transactionID, .originalTransactionID, .webOrderLineItemID, .isTrialPeriod, .isInIntroductoryOfferPeriod,
        .isUpgraded, .promotionalOfferID, .offerCodeReferenceName, .subscriptionGroupID, .ownership, .appAccountToken, .purchaseDate,
        .purchaseDateMilliseconds, .purchaseDatePacific, .originalPurchaseDate, .originalPurchaseDateMilliseconds,
        .originalPurchaseDatePacific, .expiresDate, .expiresDateMilliseconds, .expiresDatePacific, .cancellationDate,
        .cancellationDateMilliseconds, .cancellationDatePacific, .cancellationReason,
    ]

    static let purchase = VerifyReceiptFieldSet(purchaseFields)

    /// A receipt in the style of iOS 6: application and purchase in one object.
    static let flatPurchase = VerifyReceiptFieldSet(
        purchaseFields + [
            .appItemID, .itemID, .bvrs, .bid, .versionExternalIdentifier, .requestDate, .requestDateMilliseconds, .requestDatePacific,
            .expiresDateFormatted, .expiresDateFormattedPacific,
        ])

    private static let flatRenewalFields: [VerifyReceiptField] = [
        .autoRenewProductID, .autoRenewStatus, .expirationIntent, .isInBillingRetryPeriod, .gracePeriodExpiresDate,
        .gracePeriodExpiresDateMilliseconds, .gracePeriodExpiresDatePacific,
    ]

    static let renewal = VerifyReceiptFieldSet(
        flatRenewalFields + [
            .productID, .originalTransactionID, .priceConsentStatus, .priceIncreaseStatus, .promotionalOfferID, .offerCodeReferenceName,
        ])
}
