/// The body of a request to `verifyReceipt`.
struct VerifyReceiptRequest: Encodable {
    let receiptData: String
    let password: String?
    let excludesOldTransactions: Bool?

    enum CodingKeys: String, CodingKey {
        case receiptData = "receipt-data"
        case password
        case excludesOldTransactions = "exclude-old-transactions"
    }
}

/// A secret that no description, dump or mirror shows.
struct SharedSecret: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    let value: String

    var description: String { "redacted" }
    var debugDescription: String { "redacted" }
    var customMirror: Mirror { Mirror(self, children: []) }
}
