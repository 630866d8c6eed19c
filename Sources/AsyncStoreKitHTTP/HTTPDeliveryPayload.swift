import AppReceipt
public import AsyncStoreKit
public import Foundation

/// The content of a request to the server: the purchases, and the newest receipt.
public struct HTTPDeliveryPayload: Sendable, Hashable {
    /// The purchases to deliver, all for the same ``account``.
    public private(set) var request: DeliveryRequest
    /// The receipt at the time of the attempt. `nil` if the device has none, or if every transaction is
    /// signed by itself and ``HTTPDeliveryOptions/includesReceipt`` is `false`.
    public private(set) var receipt: Data?
    /// The keys of the purchases without signed evidence: the transaction has no `StoreTransaction.jws`, and the
    /// receipt doesn't contain the purchase or can't be read.
    public private(set) var missing: Set<String>
    private let inReceipt: Set<String>

    init(request: DeliveryRequest, receipt: @autoclosure () -> Data?, includesReceipt: Bool = false) {
        self.request = request
        let needsReceipt = includesReceipt || request.purchases.contains { $0.transaction.jws == nil }
        let receipt = needsReceipt ? receipt() : nil
        self.receipt = receipt
        let parsed = receipt.flatMap { try? Receipt.unverified(pkcs7: $0) }
        let inReceipt = Set(request.purchases.filter { parsed?.holds($0.transaction) == true }.map(\.deliveryKey))
        self.inReceipt = inReceipt
        missing = Set(request.purchases.filter { $0.transaction.jws == nil }.map(\.deliveryKey)).subtracting(inReceipt)
    }

    func part(_ purchases: [StorePurchase]) -> HTTPDeliveryPayload {
        var part = self
        part.request.purchases = purchases
        part.missing = missing.intersection(purchases.map(\.deliveryKey))
        return part
    }

    var keys: [String] { request.purchases.map(\.deliveryKey) }

    /// The account in your app that the purchases were made for; `nil` if the payments named none, even if they carry
    /// the identifier of a context instead of an account.
    public var account: PurchaseAccount? { request.purchases.first?.transaction.account }

    /// The largest request with more than one purchase, in bytes, without the receipt.
    static let largestSize = 64_000

    /// Removes and returns the purchases of the next request: those of one account, at most `most`, and at most
    /// ``largestSize`` bytes of signed transactions and contexts, unless a single purchase has more.
    static func takeRequest(from rest: inout [StorePurchase], most: Int) -> [StorePurchase] {
        let account = rest.first?.transaction.account
        var taken: [StorePurchase] = []
        var size = 0
        rest.removeAll { purchase in
            guard taken.count < max(1, most), purchase.transaction.account == account else { return false }
            let context = if case .known(let context)? = purchase.transaction.context { context.json.count } else { 0 }
            // The other fields have at most about 700 bytes.
            let own = (purchase.transaction.jws?.utf8.count ?? 0) + context + 700
            guard taken.isEmpty || size + own <= largestSize else { return false }
            size += own
            taken.append(purchase)
            return true
        }
        return taken
    }

    /// A key that stays the same when the same purchases are sent again. For a single purchase, it's the purchase's own
    /// key.
    ///
    /// The key is valid in a header field: characters other than letters, digits and `-._~` are percent-encoded.
    public var deliveryKey: String {
        let keys = request.purchases.map(\.deliveryKey).inOrder(by: <)
        guard let first = keys.first else { return "" }
        let name = first.addingPercentEncoding(withAllowedCharacters: Self.unreserved) ?? ""
        guard keys.count > 1 else { return name }
        // A restore can have hundreds of keys, too many for a header field.
        let hash = FNV1a.hash(keys.joined(separator: "\0").utf8)
        return "\(name)-\(keys.count)-\(String(hash, radix: 16))"
    }

    // RFC 3986, 2.3.
    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

    /// Returns the header fields that the app's own fields can override.
    ///
    /// | Field | Content |
    /// |---|---|
    /// | `Idempotency-Key` | ``deliveryKey``, as a string of structured fields (RFC 9651), in quotation marks |
    /// | `X-Request-ID` | a new identifier for each request, which the store's log contains, too |
    /// | `Delivery-Attempt` | the number of earlier attempts in this launch |
    /// | `Delivery-Cause` | `requested`, `restored` or `unsolicited`, see `StorePurchase.Cause` |
    ///
    /// Middleware that has seen the key with another body responds with 422. The next request then has another key,
    /// which contains a checksum of the body.
    func headers(requestID: String, body: Data) -> [String: String] {
        let suffix = request.lastStatus == 422 ? "-" + String(FNV1a.hash(body), radix: 16) : ""
        return [
            "Idempotency-Key": "\"\(deliveryKey)\(suffix)\"", "X-Request-ID": requestID,
            "Delivery-Attempt": "\(request.attempt)", "Delivery-Cause": request.cause.description,
            "Accept": "application/json", "Content-Type": "application/json",
        ]
    }

    /// Returns the default body: a JSON object in UTF-8. Nothing in the object changes between attempts.
    ///
    /// | Field | Type | What it is |
    /// |---|---|---|
    /// | `receipt` | text | the receipt in base64; missing over StoreKit 2 without ``HTTPDeliveryOptions/includesReceipt``, and if the device has none |
    /// | `deliveryKey` | text | ``deliveryKey``, as in the header field `Idempotency-Key` |
    /// | `transactions` | list | one object for each purchase, at least one |
    ///
    /// Each object in `transactions`:
    ///
    /// | Field | Type | What it is |
    /// |---|---|---|
    /// | `deliveryKey` | text | the purchase's own key: it stays the same when it is reported again, restored, or sent in another launch |
    /// | `productID` | text | the product's identifier, as in App Store Connect |
    /// | `quantity` | whole number | how many were bought, 1 or more |
    /// | `state` | text | `purchased` or `restored` |
    /// | `signedTransaction` | text | the transaction as the App Store has signed it, a JSON Web Signature; missing over StoreKit 1 |
    /// | `isInReceipt` | true or false | whether `receipt` contains the transaction; `false` means that the App Store hasn't added the transaction yet. Missing without a receipt |
    /// | `transactionID` | text | the transaction's identifier; missing if StoreKit has none |
    /// | `originalTransactionID` | text | the identifier of the first transaction for the purchase; missing if StoreKit has no other than this one |
    /// | `account` | text | the account in the app that the payment named; missing if it named none. Over StoreKit 2, it's the `appAccountToken` in `signedTransaction`, except where that is the identifier of a context |
    /// | `context` | any | the value that the app gave with the purchase, see `PurchaseOption.context(_:)`; missing if it isn't known |
    /// | `offerID` | text | the identifier of the promotional offer; missing without an offer |
    /// | `date` | text | the date of the payment or the restore: ISO 8601 in UTC, as in `2026-01-31T12:00:00Z`; missing if StoreKit has none |
    /// | `originalDate` | text | the date of that first transaction, in the same form; missing if StoreKit has none |
    ///
    /// The App Store signs only `receipt` and `signedTransaction`. Verify them on the server, and unlock what they
    /// contain.
    /// - Throws: The error of `JSONEncoder`.
    public func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(JSONValue(.object(body)))
    }

    private var body: [String: ReceiptValue] {
        var body: [String: ReceiptValue] = [
            "deliveryKey": .string(deliveryKey),
            "transactions": .array(request.purchases.map { .object(fields(of: $0)) }),
        ]
        body["receipt"] = receipt.map { .string($0.base64EncodedString()) }
        return body
    }

    private func fields(of purchase: StorePurchase) -> [String: ReceiptValue] {
        let transaction = purchase.transaction
        let fields: [String: ReceiptValue?] = [
            "deliveryKey": .string(purchase.deliveryKey),
            "productID": .string(transaction.productID),
            "quantity": .number("\(transaction.quantity)"),
            "state": .string(transaction.state == .restored ? "restored" : "purchased"),
            "signedTransaction": transaction.jws.map(ReceiptValue.string),
            "isInReceipt": receipt.map { _ in .bool(inReceipt.contains(purchase.deliveryKey)) },
            "transactionID": transaction.id.map(ReceiptValue.string),
            "originalTransactionID": transaction.original?.id.map(ReceiptValue.string),
            "account": transaction.account?.applicationUsername.map(ReceiptValue.string),
            "context": transaction.context?.json,
            "offerID": transaction.offerID.map(ReceiptValue.string),
            "date": transaction.purchaseDate.map { .string($0.formatted(.iso8601)) },
            "originalDate": transaction.original?.purchaseDate.map { .string($0.formatted(.iso8601)) },
        ]
        return fields.compactMapValues(\.self)
    }
}

extension TransactionContext {
    /// The value of a known context; `nil` without a known context.
    fileprivate var json: ReceiptValue? {
        // A context is kept in an array of one.
        guard case .known(let known) = self, case .array(let values)? = try? ReceiptValue(json: Data(known.json)) else {
            return nil
        }
        return values.first
    }
}

private struct JSONValue: Encodable {
    let value: ReceiptValue

    init(_ value: ReceiptValue) {
        self.value = value
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch value {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .number(let text):
            if let integer = Int64(text) {
                try container.encode(integer)
            } else if let integer = UInt64(text) {
                try container.encode(integer)
            } else {
                try container.encode(Double(text))
            }
        case .string(let text): try container.encode(text)
        case .array(let values): try container.encode(values.map { JSONValue($0) })
        case .object(let members): try container.encode(members.mapValues { JSONValue($0) })
        case .data(let bytes): try container.encode(bytes)
        }
    }
}

extension Receipt {
    /// Whether the receipt contains the purchase. A restored transaction's identifier is new; the receipt has its
    /// original's.
    fileprivate func holds(_ transaction: StoreTransaction) -> Bool {
        if let id = transaction.id, self.transaction(id: id) != nil { return true }
        guard transaction.state == .restored else { return false }
        guard let original = transaction.original?.id else { return !transactions(of: transaction.productID).isEmpty }
        return self.transaction(id: original) != nil || !transactions(originalTransactionID: original).isEmpty
    }
}
