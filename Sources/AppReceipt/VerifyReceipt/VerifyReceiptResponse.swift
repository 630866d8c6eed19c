public import Foundation

/// The answer of Apple's `verifyReceipt`: a status, and the receipt when there is one.
///
/// Every field that Apple documents is read, from receipts in the style of iOS 6 too; unknown ones are kept. Numbers may be strings,
/// booleans numbers or words, `latest_receipt_info` an array, an object or missing, and anything may be `null`.
public struct VerifyReceiptResponse: Hashable, Sendable {
    /// Apple's status: 0 for a receipt, 21006 for a receipt with an expired subscription, others for a refusal.
    public let status: Int
    /// The store that answered; `nil` when the answer does not say.
    public let environment: ReceiptEnvironment?
    /// Whether asking again may help; only with the statuses 21100 to 21199.
    public let isRetryable: Bool
    /// The receipt; `nil` in refusals.
    public let receipt: Receipt?
    /// Fields of the answer this library does not know, as they came.
    public let unknownFields: [String: ReceiptValue]

    /// Reads an answer.
    ///
    /// - Parameter json: the body of the answer, as it came.
    /// - Throws: the offset at which the body is not JSON, or not an answer of `verifyReceipt`, and what was expected there.
    public init(json: Data) throws(MalformedReceiptError) {
        try self.init(JSONTape([UInt8](json)), .strict)
    }

    /// Reads an answer that somebody may have put together: a value that cannot be read counts as missing, and a row that then lacks its
    /// product, transaction or purchase date, or whose cancellation cannot be read, is left out.
    package init(leniently json: [UInt8]) throws(MalformedReceiptError) {
        try self.init(JSONTape(json, limits: .generous), .lenient)
    }

    private init(_ tape: JSONTape, _ strictness: VerifyReceiptObject.Strictness) throws(MalformedReceiptError) {
        let answer = try VerifyReceiptObject(tape, 0, .response, "the answer", strictness)
        guard let status = try answer.integer(.status) ?? (answer.value(.receipt) == nil ? nil : 0) else { throw answer.missing(.status) }
        self.status = Int(clamping: status)
        environment = try answer.string(.responseEnvironment).map { ReceiptEnvironment.reading($0).environment }
        isRetryable = try answer.bool(.isRetryable) ?? false
        unknownFields = answer.unknownFields
        if answer.value(.receipt) != nil {
            var contents = try Self.contents(answer)
            contents.environment = environment ?? contents.environment
            receipt = Receipt(contents)
        } else {
            receipt = nil
        }
    }

    private static func contents(_ answer: VerifyReceiptObject) throws(MalformedReceiptError) -> ReceiptContents {
        guard let index = answer.value(.receipt) else { throw answer.missing(.receipt) }
        let application = try VerifyReceiptObject(answer.tape, index, .application, "receipt", answer.strictness)
        var contents = try application.application()
        // Only a receipt in the style of iOS 6 is itself a purchase, with the product's identifier beside the app's.
        let isFlat = contents.unknownFields["product_id"] != nil
        let fields = isFlat ? VerifyReceiptFieldSet.flatTransaction : .transaction
        var rows: [ReceiptTransaction] = []
        func append(_ row: VerifyReceiptObject) throws(MalformedReceiptError) { rows.append(try row.transaction()) }
        // The newest news first: a transaction that is in both lists is taken from the first.
        try answer.objects(.latestReceiptInfo, fields, append)
        try answer.objects(.latestExpiredReceiptInfo, .flatTransaction, append)
        if isFlat {
            try answer.read(index, .flatTransaction, "receipt") { (flat) throws(MalformedReceiptError) in
                rows.append(try flat.transaction())
                contents.unknownFields = flat.unknownFields
            }
            contents.originalPurchaseDate = nil
        }
        try application.objects(.inApp, .transaction, append)
        try answer.objects(.pendingRenewalInfo, .renewal) { (element) throws(MalformedReceiptError) in
            contents.renewals.append(try element.renewal())
        }
        if contents.renewals.isEmpty, let row = rows.first, let renewal = try answer.flatRenewal(of: row) {
            contents.renewals.append(renewal)
        }
        contents.transactions = rows
        contents.latestReceipt = try latestReceipt(answer)
        return contents
    }

    private static func latestReceipt(_ answer: VerifyReceiptObject) throws(MalformedReceiptError) -> Data? {
        guard let text = try answer.string(.latestReceipt) else { return nil }
        guard let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters) else {
            throw answer.malformed(.latestReceipt, "base64")
        }
        return data
    }
}

extension Receipt {
    /// Reads the receipt in an answer of Apple's `verifyReceipt`.
    ///
    /// The answer proves as much as the way it came: believe one that Apple's server, or your own, sent over a connection you trust.
    ///
    /// - Parameter json: the body of the answer, as it came.
    /// - Throws: the offset at which the body is not an answer with a receipt, and what was expected there.
    public init(verifyReceiptJSON json: Data) throws(MalformedReceiptError) {
        let response = try VerifyReceiptResponse(json: json)
        guard let receipt = response.receipt else {
            throw MalformedReceiptError(
                .unexpectedElement, at: 0, expected: "an answer with a receipt", found: "a refusal with status \(response.status)")
        }
        self = receipt
    }
}
