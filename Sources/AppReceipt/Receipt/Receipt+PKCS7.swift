public import Foundation

extension Receipt {
    /// Reads an App Store receipt file: PKCS#7 signed data, BER or DER, with the receipt's attributes inside.
    ///
    /// Nothing is verified: neither the signature, nor that the receipt is this app's and this device's.
    /// Attributes this library does not know are kept and never an error.
    ///
    /// - Parameter data: the file, binary.
    /// - Throws: the offset at which the file stops being a receipt, and what was expected there.
    public init(pkcs7 data: Data) throws(MalformedReceiptError) {
        try self.init(CMSSignedData([UInt8](data)[...]))
    }

    /// Reads the content of a container that has been read already. Offsets in errors are those of the container's input.
    package init(_ container: CMSSignedData) throws(MalformedReceiptError) {
        do throws(MalformedReceiptError) {
            self.init(try ReceiptContents(attributes: container.content))
        } catch {
            throw error.relocated(by: container.inputOffset(ofContent:))
        }
    }
}

extension ReceiptContents {
    /// Reads the SET of the application's attributes.
    ///
    /// Apple documents 2, 3, 4, 5, 12, 17, 19 and 21 ("Receipt Fields", Receipt Validation Programming Guide); the others are known from receipts.
    init(attributes: ArraySlice<UInt8>) throws(MalformedReceiptError) {
        self.init()
        source = .pkcs7
        var reader = AttributeReader()
        var binding = ReceiptDeviceBinding(opaqueValue: Data(), hash: Data(), bundleIDBytes: Data())
        var rows: [ReceiptPurchase] = []
        var issueDate: Date?
        var contents = self
        try ReceiptAttribute.forEach(in: BERReader(attributes), "the receipt's attributes") { (attribute) throws(MalformedReceiptError) in
            switch attribute.type {
            case 0:
                if let text = try reader.text(attribute, "the environment") {
                    (contents.environment, contents.isVolumePurchase) = ReceiptEnvironment.reading(text)
                }
            case 1: contents.appStoreID = try reader.identifier(attribute, "the app's identifier")
            case 2:
                contents.bundleID = try reader.text(attribute, "the bundle identifier")
                binding.bundleIDBytes = Data(try attribute.value())
            case 3: contents.applicationVersion = try reader.text(attribute, "the app's version")
            case 4: binding.opaqueValue = try reader.octets(attribute)
            case 5: binding.hash = try reader.octets(attribute)
            case 8: issueDate = try reader.date(attribute, "the date of issue")
            case 10: contents.ageRating = try reader.text(attribute, "the age rating")
            case 12: contents.creationDate = try reader.date(attribute, "the creation date")
            case 15: contents.downloadID = try reader.identifier(attribute, "the download's identifier")
            case 17: rows.append(try ReceiptPurchase(attribute))
            case 18: contents.originalPurchaseDate = try reader.date(attribute, "the app's original purchase date")
            case 19: contents.originalApplicationVersion = try reader.text(attribute, "the app's original version")
            case 21: contents.expirationDate = try reader.date(attribute, "the expiration date")
            default: try reader.keep(attribute)
            }
        }
        contents.creationDate = contents.creationDate ?? issueDate
        contents.purchases = rows
        contents.unknownFields = reader.unknownFields
        contents.deviceBinding = binding.hash.isEmpty ? nil : binding
        self = contents
    }
}

extension ReceiptPurchase {
    /// Reads attribute 17: a SET of attributes in an OCTET STRING.
    ///
    /// Apple documents 1701 to 1706, 1708, 1711, 1712 and 1719; the others are known from receipts. Xcode leaves out 1705 and 1706.
    init(_ purchase: ReceiptAttribute) throws(MalformedReceiptError) {
        var reader = AttributeReader()
        var row = ReceiptPurchase(productID: "", transactionID: "", purchaseDate: .distantPast)
        var originalTransactionID: String?
        var purchaseDate: Date?
        var originalPurchaseDate: Date?
        let members = try purchase.element.wrapped("a purchase")
        try ReceiptAttribute.forEach(in: members, "a purchase's attributes") { (attribute) throws(MalformedReceiptError) in
            switch attribute.type {
            case 1701: row.quantity = try reader.count(attribute, "the quantity") ?? 1
            case 1702: row.productID = try reader.text(attribute, "the product's identifier") ?? ""
            case 1703: row.transactionID = try reader.text(attribute, "the transaction's identifier") ?? ""
            case 1704: purchaseDate = try reader.date(attribute, "the purchase date")
            case 1705: originalTransactionID = try reader.text(attribute, "the original transaction's identifier")
            case 1706: originalPurchaseDate = try reader.date(attribute, "the original purchase date")
            case 1707:
                row.productKind = try reader.integer(attribute, "the kind of the product").map {
                    ReceiptProductKind(rawValue: Int(clamping: $0))
                }
            case 1708: row.expirationDate = try reader.date(attribute, "the subscription's expiration date")
            case 1711: row.webOrderLineItemID = try reader.identifier(attribute, "the web order line item").map { "\($0)" }
            case 1712: row.cancellationDate = try reader.date(attribute, "the cancellation date")
            case 1713: row.isTrialPeriod = try reader.flag(attribute, "whether it is a trial")
            case 1719: row.isInIntroductoryOfferPeriod = try reader.flag(attribute, "whether it is an introductory offer")
            case 1721: row.promotionalOfferID = try reader.text(attribute, "the promotional offer's identifier")
            default: try reader.keep(attribute)
            }
        }
        func missing(_ type: Int, _ name: String) -> MalformedReceiptError {
            MalformedReceiptError(
                .unexpectedElement, at: purchase.element.offset, expected: "\(name) (attribute \(type)) in the purchase",
                found: "no such attribute")
        }
        guard !row.productID.isEmpty else { throw missing(1702, "the product's identifier") }
        guard !row.transactionID.isEmpty else { throw missing(1703, "the transaction's identifier") }
        guard let purchaseDate else { throw missing(1704, "the purchase date") }
        row.purchaseDate = purchaseDate
        row.originalTransactionID = originalTransactionID ?? row.transactionID
        row.originalPurchaseDate = originalPurchaseDate ?? purchaseDate
        row.unknownFields = reader.unknownFields
        self = row
    }
}
