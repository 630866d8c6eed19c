import AppReceipt
public import Foundation

/// What is sent to the server: a request, and the newest receipt that could be had for it.
public struct HTTPDeliveryPackage: Sendable, Hashable {
    /// What is to be delivered.
    public let request: DeliveryRequest
    /// The receipt; `nil` when there is none. It may be newer than the request's.
    public let receipt: Data?
    /// The keys of the purchases that the receipt does not hold; all of them when it cannot be read.
    public let missing: Set<String>

    init(request: DeliveryRequest, receipt: Data?) {
        self.request = request
        self.receipt = receipt
        let parsed = receipt.flatMap { try? Receipt(pkcs7: $0) }
        missing = Set(request.items.filter { parsed?.holds($0.transaction) != true }.map(\.key))
    }

    /// Stays the same when the same purchases are sent again. A purchase's own key when it is alone.
    ///
    /// It is fit for a header field: what is not a letter, a digit or one of `-._~` is percent-encoded.
    public var idempotencyKey: String {
        let keys = request.items.map(\.key).sorted()
        guard let first = keys.first else { return "" }
        let name = first.addingPercentEncoding(withAllowedCharacters: Self.unreserved) ?? ""
        guard keys.count > 1 else { return name }
        // A restore can bring hundreds, too many for a header field. FNV-1a over all of them; 0 parts one from the next.
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in keys.joined(separator: "\0").utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
        return "\(name)-\(keys.count)-\(String(hash, radix: 16))"
    }

    // RFC 3986, 2.3.
    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

    /// The usual header fields.
    var headers: [String: String] {
        ["Idempotency-Key": idempotencyKey, "Accept": "application/json", "Content-Type": "application/json"]
    }

    /// The usual body: a JSON object with `receipt` (base64), `idempotencyKey`, `cause` (`purchase`, `restore` or
    /// `unsolicited`), `attempt` (0 the first time) and `transactions`.
    ///
    /// Each transaction has `idempotencyKey`, `productID`, `quantity`, `state` (`purchased` or `restored`), `isRedelivery` and
    /// `isInReceipt`, and, where they are known, `transactionID`, `originalTransactionID`, `applicationUsername`, `offerID`,
    /// `date` and `originalDate` (ISO 8601, UTC).
    public func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        return try encoder.encode(HTTPDeliveryBody(self))
    }
}

extension Receipt {
    /// Whether it has a row for what was bought. A restored transaction's identifier is new; the receipt has its original's.
    fileprivate func holds(_ transaction: StoreTransaction) -> Bool {
        if let id = transaction.transactionID, purchase(transactionID: id) != nil { return true }
        guard transaction.state == .restored else { return false }
        guard let original = transaction.original?.transactionID else { return !purchases(of: transaction.productID).isEmpty }
        return purchase(transactionID: original) != nil || !purchases(originalTransactionID: original).isEmpty
    }
}
