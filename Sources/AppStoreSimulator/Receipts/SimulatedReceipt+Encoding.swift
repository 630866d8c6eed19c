import Foundation
import ReceiptCryptography

extension SimulatedReceipt {
    /// Returns the SET of attributes to sign, sorted by number as in the App Store, not by encoding as in DER.
    package func encoded() -> [UInt8] {
        let encodedBundleID = DEREncoding.utf8String(bundleID)
        var attributes = ReceiptAttributes()
        attributes.add(0, DEREncoding.utf8String(environment.rawValue))
        attributes.add(1, appStoreID.map { DEREncoding.integer($0) })
        attributes.add(2, encodedBundleID)
        attributes.add(3, DEREncoding.utf8String(appVersion))
        attributes.add(4, opaqueValue)
        attributes.add(5, SHA1.hash(deviceIdentifier + opaqueValue + encodedBundleID))
        attributes.add(8, DEREncoding.receiptTime(creationDate))
        attributes.add(10, ageRating.map(DEREncoding.ia5String))
        attributes.add(12, DEREncoding.receiptTime(creationDate))
        attributes.add(15, downloadID.map { DEREncoding.integer($0) })
        for transaction in transactions {
            attributes.add(17, transaction.encoded())
        }
        attributes.add(18, originalPurchaseDate.map(DEREncoding.receiptTime))
        attributes.add(19, DEREncoding.utf8String(originalAppVersion))
        attributes.add(21, expirationDate.map(DEREncoding.receiptTime))
        attributes.add(additionalAttributes)
        return attributes.encoded()
    }
}

extension SimulatedReceiptTransaction {
    /// Returns the SET of attributes that is the value of attribute 17.
    func encoded() -> [UInt8] {
        func flag(_ value: Bool?) -> [UInt8]? {
            value.map { DEREncoding.integer($0 ? 1 : 0) }
        }
        var attributes = ReceiptAttributes()
        attributes.add(1701, DEREncoding.integer(quantity))
        attributes.add(1702, DEREncoding.utf8String(productID))
        attributes.add(1703, DEREncoding.utf8String(transactionID))
        attributes.add(1704, DEREncoding.receiptTime(purchaseDate))
        attributes.add(1705, originalTransactionID.map(DEREncoding.utf8String))
        attributes.add(1706, originalPurchaseDate.map(DEREncoding.receiptTime))
        attributes.add(1707, productType.map { DEREncoding.integer($0) })
        attributes.add(1708, expirationDate.map(DEREncoding.receiptTime))
        attributes.add(1711, webOrderLineItemID.map { DEREncoding.integer($0) })
        attributes.add(1712, revocationDate.map(DEREncoding.receiptTime))
        attributes.add(1713, flag(isTrialPeriod))
        attributes.add(1719, flag(isInIntroductoryOfferPeriod))
        attributes.add(1721, promotionalOfferID.map(DEREncoding.utf8String))
        attributes.add(additionalAttributes)
        return attributes.encoded()
    }
}

/// Collects attributes: `SEQUENCE { type INTEGER, version INTEGER, value OCTET STRING }`.
private struct ReceiptAttributes {
    private var members: [UInt8] = []

    mutating func add(_ type: Int64, _ value: [UInt8]?) {
        guard let value else { return }
        members += DEREncoding.sequence([
            DEREncoding.integer(type), DEREncoding.integer(1), DEREncoding.octetString(value),
        ])
    }

    mutating func add(_ values: [Int64: [UInt8]]) {
        for (type, value) in values.sorted(by: { $0.key < $1.key }) {
            add(type, value)
        }
    }

    func encoded() -> [UInt8] {
        DEREncoding.element(0x31, members)
    }
}
