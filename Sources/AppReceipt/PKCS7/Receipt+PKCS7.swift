public import Foundation

extension Receipt {
    /// Reads an App Store receipt file without verifying it: PKCS#7 signed data in BER or DER that contains the
    /// receipt's attributes. Never grant access based on the result.
    ///
    /// Unknown attributes are kept. To verify a file, use ``LocalReceiptVerifier``.
    ///
    /// - Parameter data: the binary file.
    /// - Throws: a ``MalformedReceiptError`` with the offset and the expected content;
    ///   ``MalformedReceiptError/Code-swift.struct/limitExceeded`` for a file of more than 16 MiB.
    public static func unverified(pkcs7 data: Data) throws(MalformedReceiptError) -> Receipt {
        try Receipt(CMSSignedData(data))
    }

    package init(_ container: CMSSignedData) throws(MalformedReceiptError) {
        try self.init(container, ReceiptHeader(container))
    }

    /// Reads the purchases of a container with a known header. Offsets in errors are those of the container's input.
    package init(_ container: CMSSignedData, _ header: ReceiptHeader) throws(MalformedReceiptError) {
        do throws(MalformedReceiptError) {
            var contents = ReceiptContents(header)
            var reader = AttributeReader()
            var rows: [ReceiptTransaction] = []
            try ReceiptAttribute.forEach(in: BERReader(container.content), "the receipt's attributes") {
                (attribute) throws(MalformedReceiptError) in
                if attribute.type == 17 {
                    rows.append(try ReceiptTransaction(attribute))
                } else if !header.holds(attribute.type) {
                    try reader.keep(attribute)
                }
            }
            // Releases the local reference, so that ordering doesn't copy the rows.
            contents.transactions = rows
            rows = []
            contents.unknownFields = reader.unknownFields
            self.init(contents)
        } catch {
            throw error.relocated(by: container.inputOffset(ofContent:))
        }
    }
}

extension ReceiptContents {
    fileprivate init(_ header: ReceiptHeader) {
        self.init(bundleID: header.bundleID)
        source = .pkcs7
        environment = header.environment
        isVolumePurchase = header.isVolumePurchase
        appStoreID = header.appStoreID
        applicationVersion = header.applicationVersion
        ageRating = header.ageRating
        creationDate = header.creationDate
        downloadID = header.downloadID
        originalPurchaseDate = header.originalPurchaseDate
        originalApplicationVersion = header.originalApplicationVersion
        expirationDate = header.expirationDate
        deviceBinding = header.deviceHash.map { hash in
            ReceiptDeviceBinding(
                opaqueValue: Data(header.opaqueValue ?? []), hash: Data(hash),
                bundleIDBytes: Data(header.encodedBundleID ?? []))
        }
    }
}

extension ReceiptTransaction {
    /// Reads attribute 17: a SET of attributes in an OCTET STRING.
    ///
    /// Apple documents 1701 to 1706, 1708, 1711, 1712 and 1719. The others are known from receipts. Receipts from Xcode
    /// lack 1705 and 1706.
    init(_ purchase: ReceiptAttribute) throws(MalformedReceiptError) {
        var reader = AttributeReader()
        var row = PurchaseFacts(productID: "", transactionID: "", purchaseDate: .distantPast)
        var originalTransactionID: String?
        var purchaseDate: Date?
        var originalPurchaseDate: Date?
        var (isTrialPeriod, isInIntroductoryOfferPeriod) = (false, false)
        var promotionalOfferID: String?
        let members = try purchase.element.wrapped("a purchase")
        try ReceiptAttribute.forEach(in: members, "a purchase's attributes") {
            (attribute) throws(MalformedReceiptError) in
            switch attribute.type {
            case 1701: row.quantity = try reader.count(attribute, "the quantity") ?? 1
            case 1702: row.productID = try reader.text(attribute, "the product's identifier") ?? ""
            case 1703: row.transactionID = try reader.text(attribute, "the transaction's identifier") ?? ""
            case 1704: purchaseDate = try reader.date(attribute, "the purchase date")
            case 1705: originalTransactionID = try reader.text(attribute, "the original transaction's identifier")
            case 1706: originalPurchaseDate = try reader.date(attribute, "the original purchase date")
            case 1707:
                row.productKind = try reader.integer(attribute, "the kind of the product").map(
                    ProductKind.init(receiptNumber:))
            case 1708: row.expirationDate = try reader.date(attribute, "the subscription's expiration date")
            case 1711:
                row.webOrderLineItemID = try reader.identifier(attribute, "the web order line item").map { "\($0)" }
            case 1712: row.revocationDate = try reader.date(attribute, "the revocation date")
            case 1713: isTrialPeriod = try reader.flag(attribute, "whether it is a trial")
            case 1719:
                isInIntroductoryOfferPeriod = try reader.flag(attribute, "whether it is an introductory offer")
            case 1721:
                promotionalOfferID = try reader.auxiliary(attribute) { (reader) throws(MalformedReceiptError) in
                    try reader.text(attribute, "the promotional offer's identifier")
                }
            default: try reader.keep(attribute)
            }
        }
        guard !row.productID.isEmpty else { throw purchase.lacking(1702, "the product's identifier") }
        guard !row.transactionID.isEmpty else { throw purchase.lacking(1703, "the transaction's identifier") }
        guard let purchaseDate else { throw purchase.lacking(1704, "the purchase date") }
        row.purchaseDate = purchaseDate
        row.originalTransactionID = originalTransactionID ?? row.transactionID
        row.originalPurchaseDate = originalPurchaseDate ?? purchaseDate
        self.init(
            row, isTrialPeriod: isTrialPeriod, isInIntroductoryOfferPeriod: isInIntroductoryOfferPeriod,
            promotionalOfferID: promotionalOfferID, unknownFields: reader.unknownFields)
    }
}

extension ReceiptAttribute {
    /// The error for a purchase without an attribute that it needs.
    fileprivate func lacking(_ type: Int, _ name: String) -> MalformedReceiptError {
        MalformedReceiptError(
            .unexpectedElement, at: element.offset, expected: "\(name) (attribute \(type)) in the purchase",
            found: "no such attribute")
    }
}
