public import Foundation

/// The response of Apple's `verifyReceipt`: a status, and the receipt when there is one.
///
/// Every field that Apple documents is read, from receipts in the style of iOS 6 too; unknown ones are kept. Numbers
/// may be strings, booleans numbers or words, `latest_receipt_info` an array, an object or missing, and anything may be
/// `null`.
public struct VerifyReceiptResponse: Hashable, Sendable {
    /// Apple's status: 0 for a receipt, 21006 for a receipt with an expired subscription, others for a refusal.
    public let status: Int
    /// The store that answered; `nil` when the response does not say.
    public let environment: ReceiptEnvironment?
    /// Whether asking again may help; only with the statuses 21100 to 21199.
    public let isRetryable: Bool
    /// The receipt; `nil` in refusals.
    public let receipt: Receipt?
    /// Fields of the response this library does not know, as they came.
    public let unknownFields: [String: ReceiptValue]

    /// Reads a response.
    ///
    /// - Parameter json: the body of the response, as it came.
    /// - Throws: the offset at which the body is not JSON, or not a response of `verifyReceipt`, and what was expected
    ///   there; ``MalformedReceiptError/Code-swift.struct/limitExceeded`` for a body of more than 32 MiB.
    public init(json: Data) throws(MalformedReceiptError) {
        try self.init(Parts(JSONTape(json), .strict))
    }

    /// Reads a response that an app may have put together: a value that cannot be read counts as missing, and a row
    /// that then lacks its product, transaction or purchase date, or whose revocation cannot be read, is left out.
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

    /// What a text says. The receipt is put in order when the text and its list of values are no longer in memory.
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
        // Only a receipt in the style of iOS 6 is itself a purchase, with the product's identifier beside the app's.
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
        // Servers that keep responses redact it; the response says everything that the file would.
        return Base64.decode(text).map { Data($0) }
    }

    /// The rows of several lists, the newer list first: a transaction that is in it is not taken from an older one,
    /// which may not know of a refund, or that it was reversed.
    private struct Rows {
        private(set) var rows: [ReceiptTransaction] = []
        private var known: Set<[ByteKey]> = []

        mutating func append(_ row: ReceiptTransaction) {
            if known.isEmpty || !known.contains(Self.key(row)) { rows.append(row) }
        }

        /// Ends the newer lists.
        mutating func beginOlderList() {
            known = Set(rows.map(Self.key))
        }

        private static func key(_ row: ReceiptTransaction) -> [ByteKey] {
            [ByteKey(row.transactionID), ByteKey(row.productID)]
        }
    }
}

extension Receipt {
    /// Reads the receipt in a response of Apple's `verifyReceipt`.
    ///
    /// The response proves as much as the way it came: believe one that Apple's server, or your own, sent over a
    /// connection you trust.
    ///
    /// - Parameter json: the body of the response, as it came.
    /// - Throws: the offset at which the body is not a response with a receipt, and what was expected there.
    public init(verifyReceiptJSON json: Data) throws(MalformedReceiptError) {
        let response = try VerifyReceiptResponse(json: json)
        guard let receipt = response.receipt else {
            throw MalformedReceiptError(
                .unexpectedElement, at: 0, expected: "a response with a receipt", found: "a refusal with status \(response.status)")
        }
        self = receipt
    }
}
