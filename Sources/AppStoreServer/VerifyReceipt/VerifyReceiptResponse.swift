public import AppReceipt
public import Foundation

/// The response of Apple's `verifyReceipt`: a status and, unless the receipt was rejected, the receipt.
///
/// All fields that Apple documents are read, including those of receipts in the style of iOS 6. Unknown fields are
/// kept. Numbers may be strings, booleans may be numbers or strings, `latest_receipt_info` may be an array, an object
/// or missing, and any value may be `null`.
public struct VerifyReceiptResponse: Hashable, Sendable {
    /// Apple's status: 0 for a receipt, 21006 for a receipt with an expired subscription, and other values for a
    /// rejected receipt.
    public let status: Int
    /// The store that responded; `nil` if the response doesn't name it.
    public let environment: ReceiptEnvironment?
    /// Whether another request may succeed; only with the statuses 21100 to 21199.
    public let isRetryable: Bool
    /// The receipt; `nil` if it was rejected.
    public let receipt: Receipt?
    /// The unchanged fields of the response that this library doesn't know.
    public let unknownFields: [String: ReceiptValue]

    /// Reads a response.
    ///
    /// - Parameter json: the unchanged body of the response.
    /// - Throws: a `MalformedReceiptError` with the offset and the expected content;
    ///   `MalformedReceiptError.Code.limitExceeded` for a body of more than 32 MiB.
    public init(json: Data) throws(MalformedReceiptError) {
        try self.init(Parts(JSONTape(json), .strict))
    }

    /// Reads a response that an app may have created. Unreadable values count as missing. Rows without a product, a
    /// transaction identifier or a purchase date, and rows with an unreadable revocation date, are left out.
    package init(leniently json: [UInt8]) throws(MalformedReceiptError) {
        try self.init(Parts(JSONTape(json, limits: .generous), .lenient))
    }

    private init(_ parts: Parts) {
        status = parts.status
        environment = parts.environment
        isRetryable = parts.isRetryable
        unknownFields = parts.unknownFields
        receipt = parts.contents.map { Receipt($0) }
    }

    /// The parts of a response. The receipt is ordered after the text and its list of values are released.
    private struct Parts {
        let status: Int
        let environment: ReceiptEnvironment?
        let isRetryable: Bool
        let unknownFields: [String: ReceiptValue]
        let contents: ReceiptContents?

        init(_ tape: JSONTape, _ strictness: VerifyReceiptObject.Strictness) throws(MalformedReceiptError) {
            let response = try VerifyReceiptObject(tape, 0, .response, "the response", strictness)
            guard let status = try response.integer(.status) ?? (response.value(.receipt) == nil ? nil : 0) else {
                throw response.missing(.status)
            }
            self.status = Int(clamping: status)
            environment = try response.string(.responseEnvironment).map { ReceiptEnvironment.reading($0).environment }
            isRetryable = try response.bool(.isRetryable) ?? false
            unknownFields = response.unknownFields
            guard response.value(.receipt) != nil else {
                contents = nil
                return
            }
            var contents = try VerifyReceiptResponse.contents(response)
            contents.environment = environment ?? contents.environment
            self.contents = contents
        }
    }

    private static func contents(_ response: VerifyReceiptObject) throws(MalformedReceiptError) -> ReceiptContents {
        guard let index = response.value(.receipt) else { throw response.missing(.receipt) }
        let application = try response.application(at: index)
        var contents = try application.application()
        // Only a receipt in the style of iOS 6 is a purchase itself and has a product identifier.
        var isFlat = false
        try response.tape.forEachName(of: index) { (name) throws(MalformedReceiptError) in
            isFlat = isFlat || response.tape.text(response.tape.node(name)).elementsEqual("product_id".utf8)
        }
        let fields = isFlat ? VerifyReceiptFieldSet.flatTransaction : .transaction
        var rows = Rows()
        func append(_ row: VerifyReceiptObject) throws(MalformedReceiptError) { rows.append(try row.transaction()) }
        try response.objects(.latestReceiptInfo, fields, append)
        try response.objects(.latestExpiredReceiptInfo, .flatTransaction, append)
        rows.beginOlderList()
        if isFlat {
            try response.read(index, .flatTransaction, "receipt") { (flat) throws(MalformedReceiptError) in
                rows.append(try flat.transaction())
                contents.unknownFields = flat.unknownFields
            }
            contents.originalPurchaseDate = nil
        }
        try application.objects(.inApp, .transaction, append)
        try response.objects(.pendingRenewalInfo, .renewal) { (element) throws(MalformedReceiptError) in
            contents.renewals.append(try element.renewal())
        }
        if contents.renewals.isEmpty, let row = rows.rows.first, let renewal = try response.flatRenewal(of: row) {
            contents.renewals.append(renewal)
        }
        contents.transactions = rows.rows
        contents.latestReceipt = try latestReceipt(response)
        return contents
    }

    private static func latestReceipt(_ response: VerifyReceiptObject) throws(MalformedReceiptError) -> Data? {
        guard let text = try response.text(.latestReceipt) else { return nil }
        // Servers that store responses may redact this field. The response has all the data of the file.
        return Base64.decode(text).map { Data($0) }
    }

    /// The rows of several lists, the newer list first. Transactions of the newer list are ignored in older lists,
    /// which may lack a refund or its reversal.
    private struct Rows {
        private(set) var rows: [ReceiptTransaction] = []
        private var known: Set<ByteKeyPair> = []

        mutating func append(_ row: ReceiptTransaction) {
            if known.isEmpty || !known.contains(Self.key(row)) { rows.append(row) }
        }

        /// Starts the older lists.
        mutating func beginOlderList() {
            known = Set(rows.map(Self.key))
        }

        private static func key(_ row: ReceiptTransaction) -> ByteKeyPair {
            ByteKeyPair(ByteKey(row.transactionID), ByteKey(row.productID))
        }
    }
}

extension Receipt {
    /// Reads the receipt in a response of Apple's `verifyReceipt`.
    ///
    /// The response isn't signed. Trust it only if Apple's server or your own server sent it over a secure connection.
    ///
    /// - Parameter json: the unchanged body of the response.
    /// - Throws: a `MalformedReceiptError` with the offset and the expected content.
    public init(verifyReceiptJSON json: Data) throws(MalformedReceiptError) {
        let response = try VerifyReceiptResponse(json: json)
        guard let receipt = response.receipt else {
            throw MalformedReceiptError(
                .unexpectedElement, at: 0, expected: "a response with a receipt",
                found: "a refusal with status \(response.status)")
        }
        self = receipt
    }
}
