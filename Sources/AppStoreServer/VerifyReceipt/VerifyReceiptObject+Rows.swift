package import AppReceipt
import Foundation

extension VerifyReceiptObject {
    /// Returns the transaction in an element of `in_app` or `latest_receipt_info`.
    func transaction() throws(MalformedReceiptError) -> ReceiptTransaction {
        guard let productID = try string(.productID) else { throw missing(.productID) }
        guard let transactionID = try string(.transactionID) else { throw missing(.transactionID) }
        guard let purchaseDate = try date(.purchaseDate) else { throw missing(.purchaseDate) }
        var row = PurchaseFacts(productID: productID, transactionID: transactionID, purchaseDate: purchaseDate)
        if let quantity = try integer(.quantity) {
            guard let exact = Int(exactly: quantity), exact >= 0 else { throw malformed(.quantity, "a count") }
            row.quantity = exact
        }
        row.originalTransactionID = try string(.originalTransactionID) ?? transactionID
        row.originalPurchaseDate = try date(.originalPurchaseDate) ?? purchaseDate
        row.expirationDate = try date(.expiresDate)
        row.revocationDate = try date(.revocationDate)
        // Lenient reading also rejects an unreadable revocation date, so that a revoked purchase is never treated as
        // valid.
        if row.revocationDate == nil, !isEmpty(.revocationDate) { throw malformed(.revocationDate, "a date") }
        row.revocationReason = try integer(.revocationReason).map { RevocationReason(rawValue: Int(clamping: $0)) }
        row.isUpgraded = try bool(.isUpgraded) ?? false
        let isTrialPeriod = try bool(.isTrialPeriod) ?? false
        let isInIntroductoryOfferPeriod = try bool(.isInIntroductoryOfferPeriod) ?? false
        var unknown = unknownFields
        let promotionalOfferID = try auxiliary(.promotionalOfferID, &unknown, string)
        let offerCodeReferenceName = try auxiliary(.offerCodeReferenceName, &unknown, string)
        row.subscriptionGroupID = try string(.subscriptionGroupID)
        row.webOrderLineItemID = try string(.webOrderLineItemID)
        row.ownershipType = try string(.ownershipType).map(OwnershipType.init(rawValue:))
        row.appAccountToken = try auxiliary(.appAccountToken, &unknown) { (field) throws(MalformedReceiptError) in
            try string(field).map { (text) throws(MalformedReceiptError) in
                guard let token = UUID(uuidString: text) else { throw malformed(field, "a UUID") }
                return token
            }
        }
        return ReceiptTransaction(
            row, isTrialPeriod: isTrialPeriod, isInIntroductoryOfferPeriod: isInIntroductoryOfferPeriod,
            promotionalOfferID: promotionalOfferID, offerCodeReferenceName: offerCodeReferenceName,
            unknownFields: unknown)
    }

    /// Returns the renewal in an element of `pending_renewal_info`.
    func renewal() throws(MalformedReceiptError) -> ReceiptRenewal {
        let current = try string(.productID)
        let next = try string(.autoRenewPreference)
        guard let productID = current ?? next else { throw missing(.productID) }
        var renewal = ReceiptRenewal(RenewalFacts(productID: productID))
        renewal.originalTransactionID = try string(.originalTransactionID)
        try readRenewal(into: &renewal)
        var unknown = unknownFields
        renewal.priceIncreaseStatus = try auxiliary(.priceIncreaseStatus, &unknown, integer).map {
            PriceIncreaseStatus(rawValue: Int(clamping: $0))
        }
        renewal.promotionalOfferID = try auxiliary(.promotionalOfferID, &unknown, string)
        renewal.offerCodeReferenceName = try auxiliary(.offerCodeReferenceName, &unknown, string)
        renewal.unknownFields = unknown
        return renewal
    }

    /// Returns the renewal information for a transaction in the response itself, next to a receipt in the style of iOS
    /// 6.
    func flatRenewal(of row: ReceiptTransaction) throws(MalformedReceiptError) -> ReceiptRenewal? {
        let fields: [VerifyReceiptField] = [
            .autoRenewStatus, .autoRenewPreference, .expirationReason, .isInBillingRetry,
        ]
        guard fields.contains(where: { value($0) != nil }) else { return nil }
        var renewal = ReceiptRenewal(
            RenewalFacts(productID: row.productID, originalTransactionID: row.originalTransactionID))
        try readRenewal(into: &renewal)
        return renewal
    }

    private func readRenewal(into renewal: inout ReceiptRenewal) throws(MalformedReceiptError) {
        renewal.autoRenewPreference = try string(.autoRenewPreference)
        renewal.willAutoRenew = try bool(.autoRenewStatus)
        renewal.expirationReason = try integer(.expirationReason).map {
            ReceiptExpirationReason(rawValue: Int(clamping: $0))
        }
        renewal.isInBillingRetry = try bool(.isInBillingRetry) ?? false
        renewal.gracePeriodExpirationDate = try date(.gracePeriodExpirationDate)
    }

    /// Returns the fields of the application in the object `receipt`, without its purchases.
    func application() throws(MalformedReceiptError) -> ReceiptContents {
        var contents = ReceiptContents()
        var unknown = unknownFields
        contents.bundleID = try string(.bundleID)
        contents.applicationVersion = try auxiliary(.applicationVersion, &unknown, string)
        contents.originalApplicationVersion = try auxiliary(.originalApplicationVersion, &unknown, string)
        contents.originalPurchaseDate = try auxiliary(.originalPurchaseDate, &unknown, date)
        contents.creationDate = try date(.creationDate)
        contents.expirationDate = try date(.expirationDate)
        contents.preorderDate = try auxiliary(.preorderDate, &unknown, date)
        contents.requestDate = try date(.requestDate)
        contents.appStoreID = try auxiliary(.appStoreID, &unknown, identifier)
        contents.downloadID = try auxiliary(.downloadID, &unknown, identifier)
        contents.versionExternalIdentifier = try auxiliary(.versionExternalIdentifier, &unknown, identifier)
        if let type = try string(.receiptType) {
            (contents.environment, contents.isVolumePurchase) = ReceiptEnvironment.reading(type)
        }
        contents.unknownFields = unknown
        return contents
    }
}

extension ReceiptTransaction {
    /// Reads an element of `in_app` or `latest_receipt_info`, or a receipt in the style of iOS 6, that an app may have
    /// created. Unreadable values are treated as missing.
    ///
    /// - Throws: an error if the product, the transaction identifier or the purchase date is missing.
    package init(leniently json: [UInt8]) throws(MalformedReceiptError) {
        let tape = try JSONTape(json, limits: .generous)
        self = try VerifyReceiptObject(tape, 0, .flatTransaction, "a purchase", .lenient).transaction()
    }
}
