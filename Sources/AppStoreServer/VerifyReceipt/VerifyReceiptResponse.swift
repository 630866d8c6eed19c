public import AppReceipt
public import Foundation

/// The response of Apple's `verifyReceipt`: a status and, unless the receipt was rejected, the receipt.
///
/// All fields that Apple documents are read, including those of receipts in the style of iOS 6. Unknown fields are
/// kept, and fields that access doesn't depend on, such as the name of an offer, if they can't be read. Numbers may be
/// strings, booleans may be numbers or strings, `latest_receipt_info` may be an array, an object or missing, and any
/// value may be `null`. A response may contain `latest_receipt_info` without `receipt`, like `unified_receipt` of a
/// version 1 notification.
public struct VerifyReceiptResponse: Hashable, Sendable {
    /// Apple's status: 0 for a receipt, 21006 for a receipt with an expired subscription, and other values for a
    /// rejected receipt.
    public let status: Int
    /// The store that responded; `nil` if the response doesn't name it.
    public let environment: ReceiptEnvironment?
    /// Whether another request may succeed; only with the statuses 21100 to 21199.
    public let isRetryable: Bool
    /// The receipt; `nil` unless the status is 0 or 21006.
    public let receipt: Receipt?
    /// The unchanged fields of the response that this library doesn't know.
    public let unknownFields: [String: ReceiptValue]
    /// Whether unknown fields were left out, because they need too much memory.
    public let omitsUnknownFields: Bool

    /// Reads a response, which isn't signed. Trust it only if Apple's server or your own server sent it over a secure
    /// connection.
    ///
    /// - Parameter json: the unchanged body of the response.
    /// - Throws: a `MalformedReceiptError` with the offset and the expected content, including for a response without a
    ///   status; `MalformedReceiptError.Code.limitExceeded` for a body of more than 32 MiB.
    public static func unverified(json: Data) throws(MalformedReceiptError) -> VerifyReceiptResponse {
        try VerifyReceiptResponse(Parts(JSONTape(json), .strict))
    }

    /// Reads a response that an app may have created. A receipt without a status has status 0, and a receipt is read
    /// with any status. Unreadable values are treated as missing. Rows without a product, a
    /// transaction identifier or a purchase date, and rows with an unreadable revocation date, are left out.
    package init(leniently json: [UInt8]) throws(MalformedReceiptError) {
        try self.init(Parts(JSONTape(json, limits: .generous), .lenient))
    }

    private init(_ parts: Parts) {
        status = parts.status
        environment = parts.environment
        isRetryable = parts.isRetryable
        unknownFields = parts.unknownFields
        omitsUnknownFields = parts.omitsUnknownFields
        receipt = parts.contents.map { Receipt($0) }
    }

    /// The parts of a response. The receipt is ordered after the text and its list of values are released.
    private struct Parts {
        let status: Int
        let environment: ReceiptEnvironment?
        let isRetryable: Bool
        let unknownFields: [String: ReceiptValue]
        let omitsUnknownFields: Bool
        let contents: ReceiptContents?

        init(_ tape: JSONTape, _ strictness: VerifyReceiptObject.Strictness) throws(MalformedReceiptError) {
            let response = try VerifyReceiptObject(tape, 0, .response, "the response", strictness)
            let hasReceipt = response.value(.receipt) != nil || !response.isEmpty(.latestReceiptInfo)
            guard let status = try response.integer(.status) ?? (hasReceipt && strictness == .lenient ? 0 : nil) else {
                throw response.missing(.status)
            }
            self.status = Int(clamping: status)
            environment = try response.string(.responseEnvironment).map { ReceiptEnvironment.reading($0).environment }
            isRetryable = try response.bool(.isRetryable) ?? false
            unknownFields = response.unknownFields
            guard hasReceipt, strictness == .lenient || VerifyReceiptResponse.isAccepted(status) else {
                contents = nil
                omitsUnknownFields = response.omitsUnknownFields
                return
            }
            var contents = try VerifyReceiptResponse.contents(response)
            contents.environment = environment ?? contents.environment
            omitsUnknownFields = response.omitsUnknownFields
            self.contents = contents
        }
    }

    /// Returns whether a response with `status` may contain a genuine receipt. 21006 is the status of a receipt in the
    /// style of iOS 6 whose subscription has expired.
    private static func isAccepted(_ status: Int64) -> Bool {
        status == 0 || status == 21_006
    }

    private static func contents(_ response: VerifyReceiptObject) throws(MalformedReceiptError) -> ReceiptContents {
        let receipt = response.value(.receipt)
        let application = try receipt.map { (index) throws(MalformedReceiptError) in
            try response.application(at: index)
        }
        var contents = try application?.application() ?? ReceiptContents()
        contents.source = .verifyReceipt
        // Only a receipt in the style of iOS 6 is a purchase itself and has a product identifier.
        let isFlat =
            receipt.map { receipt in
                response.tape.names(of: receipt).contains { name in
                    response.tape.text(response.tape.node(name)).elementsEqual("product_id".utf8)
                }
            } ?? false
        let fields = isFlat ? VerifyReceiptFieldSet.flatTransaction : .transaction
        var rows = Rows()
        func append(_ row: VerifyReceiptObject) throws(MalformedReceiptError) { rows.append(try row.transaction()) }
        try response.objects(.latestReceiptInfo, fields, append)
        try response.objects(.latestExpiredReceiptInfo, .flatTransaction, append)
        rows.beginOlderList()
        if isFlat, let receipt {
            try response.read(receipt, .flatTransaction, "receipt") { (flat) throws(MalformedReceiptError) in
                rows.append(try flat.transaction())
                contents.unknownFields = flat.unknownFields
            }
            contents.originalPurchaseDate = nil
        }
        try application?.objects(.inApp, .transaction, append)
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

        mutating func beginOlderList() {
            known = Set(rows.map(Self.key))
        }

        private static func key(_ row: ReceiptTransaction) -> ByteKeyPair {
            ByteKeyPair(ByteKey(row.transactionID), ByteKey(row.productID))
        }
    }
}

extension Receipt {
    /// Reads the receipt in a response of Apple's `verifyReceipt` without verifying it.
    ///
    /// The response isn't signed. Trust it only if Apple's server or your own server sent it over a secure connection.
    ///
    /// - Parameter json: the unchanged body of the response.
    /// - Throws: a `MalformedReceiptError` with the offset and the expected content.
    public static func unverified(verifyReceiptJSON json: Data) throws(MalformedReceiptError) -> Receipt {
        let response = try VerifyReceiptResponse.unverified(json: json)
        guard let receipt = response.receipt else {
            throw MalformedReceiptError(
                .unexpectedElement, at: 0, expected: "a response with a receipt",
                found: response.status == 0
                    ? "neither a receipt nor a list" : "a refusal with status \(response.status)")
        }
        return receipt
    }
}
