import Foundation

extension SimulatedReceipt {
    /// Returns the signed content of a receipt file; `nil` for a file that ``SimulatedReceiptIssuer`` couldn't have
    /// created.
    static func signedContent(of file: Data) -> [UInt8]? {
        var reader = DERReader(Array(file)[...])
        guard let container = reader.next(0x30), reader.isAtEnd else { return nil }
        reader = DERReader(container)
        guard reader.next(0x06) != nil, let explicit = reader.next(0xA0) else { return nil }
        reader = DERReader(explicit)
        guard let signedData = reader.next(0x30) else { return nil }
        reader = DERReader(signedData)
        guard reader.next(0x02) != nil, reader.next(0x31) != nil, let contentInfo = reader.next(0x30) else {
            return nil
        }
        reader = DERReader(contentInfo)
        guard reader.next(0x06) != nil, let content = reader.next(0xA0) else { return nil }
        reader = DERReader(content)
        return reader.next(0x04).map(Array.init)
    }

    /// Reads the attributes that ``encoded()`` writes and ignores others; `nil` without a bundle identifier or a
    /// creation date.
    init?(decoding content: [UInt8]) {
        var reader = DERReader(content[...])
        guard let set = reader.next(0x31), reader.isAtEnd else { return nil }
        let attributes = ReceiptAttribute.all(in: set)
        func first(_ type: Int) -> ReceiptAttribute? { attributes.first { $0.type == type } }
        guard let bundleID = first(2)?.text, let creationDate = first(12)?.date else { return nil }
        self.init(
            bundleID: bundleID, appVersion: first(3)?.text ?? "", creationDate: creationDate,
            environment: first(0)?.text.flatMap(Environment.init) ?? .production)
        originalAppVersion = first(19)?.text ?? ""
        originalPurchaseDate = first(18)?.date
        expirationDate = first(21)?.date
        transactions = attributes.filter { $0.type == 17 }.compactMap {
            SimulatedReceiptTransaction(decoding: $0.value)
        }
    }
}

extension SimulatedReceiptTransaction {
    fileprivate init?(decoding content: ArraySlice<UInt8>) {
        var reader = DERReader(content)
        guard let set = reader.next(0x31) else { return nil }
        let attributes = ReceiptAttribute.all(in: set)
        func first(_ type: Int) -> ReceiptAttribute? { attributes.first { $0.type == type } }
        guard let productID = first(1702)?.text, let transactionID = first(1703)?.text,
            let purchaseDate = first(1704)?.date
        else {
            return nil
        }
        self.init(
            productID: productID, transactionID: transactionID, purchaseDate: purchaseDate,
            quantity: first(1701)?.integer ?? 1)
        originalTransactionID = first(1705)?.text
        originalPurchaseDate = first(1706)?.date
        expirationDate = first(1708)?.date
        webOrderLineItemID = first(1711)?.integer
        revocationDate = first(1712)?.date
        isTrialPeriod = first(1713)?.integer.map { $0 != 0 }
        isInIntroductoryOfferPeriod = first(1719)?.integer.map { $0 != 0 }
        promotionalOfferID = first(1721)?.text
    }
}

/// `SEQUENCE { type INTEGER, version INTEGER, value OCTET STRING }`, whose value is another element.
private struct ReceiptAttribute {
    let type: Int
    let value: ArraySlice<UInt8>

    static func all(in set: ArraySlice<UInt8>) -> [ReceiptAttribute] {
        var attributes: [ReceiptAttribute] = []
        var reader = DERReader(set)
        while let member = reader.next(0x30) {
            var fields = DERReader(member)
            guard let type = fields.next(0x02), fields.next(0x02) != nil, let value = fields.next(0x04) else {
                continue
            }
            attributes.append(ReceiptAttribute(type: type.reduce(0) { $0 << 8 | Int($1) }, value: value))
        }
        return attributes
    }

    private var content: ArraySlice<UInt8>? {
        var reader = DERReader(value)
        return reader.next()?.content
    }

    var text: String? { content.map { String(decoding: $0, as: UTF8.self) } }

    var integer: Int64? {
        guard let content, (1...8).contains(content.count) else { return nil }
        // A leading one bit means a negative number.
        return content.reduce(content.first.map { $0 >= 0x80 } ?? false ? -1 : 0) { $0 << 8 | Int64($1) }
    }

    var date: Date? { text.flatMap { try? Date($0, strategy: .iso8601) } }
}
