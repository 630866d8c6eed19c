import Foundation

extension VerifyReceiptObject {
    /// An element of `in_app` or `latest_receipt_info`.
    func purchase() throws(MalformedReceiptError) -> ReceiptPurchase {
        guard let productID = try string(.productID) else { throw missing(.productID) }
        guard let transactionID = try string(.transactionID) else { throw missing(.transactionID) }
        guard
            let purchaseDate = try date(.purchaseDateMilliseconds, .purchaseDate, .purchaseDatePacific)
        else { throw missing(.purchaseDateMilliseconds) }
        var purchase = ReceiptPurchase(productID: productID, transactionID: transactionID, purchaseDate: purchaseDate)
        if let quantity = try integer(.quantity) {
            guard let exact = Int(exactly: quantity), exact >= 0 else { throw malformed(.quantity, "a count") }
            purchase.quantity = exact
        }
        purchase.originalTransactionID = try string(.originalTransactionID) ?? transactionID
        purchase.originalPurchaseDate =
            try date(.originalPurchaseDateMilliseconds, .originalPurchaseDate, .originalPurchaseDatePacific)
            ?? purchaseDate
        purchase.expirationDate = try expiration()
        purchase.cancellationDate = try cancellation()
        purchase.cancellationReason = try integer(.cancellationReason).map { ReceiptCancellationReason(rawValue: Int(clamping: $0)) }
        purchase.isUpgraded = try bool(.isUpgraded) ?? false
        purchase.isTrialPeriod = try bool(.isTrialPeriod) ?? false
        purchase.isInIntroductoryOfferPeriod = try bool(.isInIntroductoryOfferPeriod) ?? false
        purchase.promotionalOfferID = try string(.promotionalOfferID)
        purchase.offerCodeReferenceName = try string(.offerCodeReferenceName)
        purchase.subscriptionGroupID = try string(.subscriptionGroupID)
        purchase.webOrderLineItemID = try string(.webOrderLineItemID)
        purchase.ownership = try string(.ownership).map(ReceiptOwnership.init(rawValue:))
        purchase.appAccountToken = try string(.appAccountToken)
        purchase.unknownFields = unknownFields
        return purchase
    }

    private func cancellation() throws(MalformedReceiptError) -> Date? {
        if let date = try date(.cancellationDateMilliseconds, .cancellationDate, .cancellationDatePacific) { return date }
        // Whatever else is overlooked, a purchase that was taken back must not count because nobody can read when.
        for field in [VerifyReceiptField.cancellationDateMilliseconds, .cancellationDate, .cancellationDatePacific] where !isEmpty(field) {
            throw malformed(field, "a date")
        }
        return nil
    }

    /// Receipts in the style of iOS 6 have milliseconds in `expires_date`, and the words in `expires_date_formatted`.
    private func expiration() throws(MalformedReceiptError) -> Date? {
        try date(.expiresDateMilliseconds, .expiresDate, .expiresDatePacific, .expiresDateFormatted, .expiresDateFormattedPacific)
    }

    /// An element of `pending_renewal_info`.
    func renewal() throws(MalformedReceiptError) -> ReceiptRenewal {
        guard let productID = try string(.productID, .autoRenewProductID) else { throw missing(.productID) }
        var renewal = ReceiptRenewal(productID: productID)
        renewal.originalTransactionID = try string(.originalTransactionID)
        try readRenewal(into: &renewal)
        renewal.hasConsentedToPriceIncrease = try bool(.priceConsentStatus)
        renewal.isPriceIncreaseAccepted = try bool(.priceIncreaseStatus)
        renewal.promotionalOfferID = try string(.promotionalOfferID)
        renewal.offerCodeReferenceName = try string(.offerCodeReferenceName)
        renewal.unknownFields = unknownFields
        return renewal
    }

    /// Renewal information for `row` that stands in the answer itself, beside a receipt in the style of iOS 6.
    func flatRenewal(of row: ReceiptPurchase) throws(MalformedReceiptError) -> ReceiptRenewal? {
        let fields: [VerifyReceiptField] = [.autoRenewStatus, .autoRenewProductID, .expirationIntent, .isInBillingRetryPeriod]
        guard fields.contains(where: { value($0) != nil }) else { return nil }
        var renewal = ReceiptRenewal(productID: row.productID, originalTransactionID: row.originalTransactionID)
        try readRenewal(into: &renewal)
        return renewal
    }

    private func readRenewal(into renewal: inout ReceiptRenewal) throws(MalformedReceiptError) {
        renewal.autoRenewProductID = try string(.autoRenewProductID)
        renewal.willAutoRenew = try bool(.autoRenewStatus)
        renewal.expirationIntent = try integer(.expirationIntent).map { ReceiptExpirationIntent(rawValue: Int(clamping: $0)) }
        renewal.isInBillingRetry = try bool(.isInBillingRetryPeriod) ?? false
        renewal.gracePeriodExpirationDate = try date(
            .gracePeriodExpiresDateMilliseconds, .gracePeriodExpiresDate, .gracePeriodExpiresDatePacific)
    }

    /// The fields of the application in the object `receipt`, without its purchases.
    func application() throws(MalformedReceiptError) -> ReceiptContents {
        var contents = ReceiptContents()
        contents.source = .verifyReceipt
        contents.bundleID = try string(.bundleID, .bid)
        contents.applicationVersion = try string(.applicationVersion, .bvrs)
        contents.originalApplicationVersion = try string(.originalApplicationVersion)
        contents.originalPurchaseDate = try date(.originalPurchaseDateMilliseconds, .originalPurchaseDate, .originalPurchaseDatePacific)
        contents.creationDate = try date(.receiptCreationDateMilliseconds, .receiptCreationDate, .receiptCreationDatePacific)
        contents.expirationDate = try date(.expirationDateMilliseconds, .expirationDate, .expirationDatePacific)
        contents.preorderDate = try date(.preorderDateMilliseconds, .preorderDate, .preorderDatePacific)
        contents.requestDate = try date(.requestDateMilliseconds, .requestDate, .requestDatePacific)
        contents.appStoreID = try identifier(.adamID, .appItemID, .itemID)
        contents.downloadID = try identifier(.downloadID)
        contents.versionExternalIdentifier = try identifier(.versionExternalIdentifier)
        if let type = try string(.receiptType) {
            (contents.environment, contents.isVolumePurchase) = ReceiptEnvironment.reading(type)
        }
        contents.unknownFields = unknownFields
        return contents
    }

    /// A number that identifies something; 0, which the sandbox writes, identifies nothing.
    private func identifier(_ fields: VerifyReceiptField...) throws(MalformedReceiptError) -> Int64? {
        for field in fields {
            if let number = try integer(field), number != 0 { return number }
        }
        return nil
    }
}

extension ReceiptPurchase {
    /// Reads one element of `in_app` or `latest_receipt_info`, or a receipt in the style of iOS 6, that somebody may have put together: what
    /// cannot be read counts as missing.
    ///
    /// - Throws: what is missing, when it is the product, the transaction or the purchase date.
    package init(leniently json: [UInt8]) throws(MalformedReceiptError) {
        self = try VerifyReceiptObject(JSONTape(json), 0, .flatPurchase, "a purchase", .lenient).purchase()
    }
}
