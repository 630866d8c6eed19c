import Foundation

/// The body of a request to `verifyReceipt`, as Apple documents it.
struct VerifyReceiptRequest: Decodable {
    let receipt: String
    var sharedSecret: String?
    var excludesOldTransactions: Bool?

    private enum CodingKeys: String, CodingKey {
        case receipt = "receipt-data"
        case sharedSecret = "password"
        case excludesOldTransactions = "exclude-old-transactions"
    }
}

/// The statuses of `verifyReceipt` that the simulator gives, from Apple's documentation of the service.
enum VerifyReceiptStatus: Int {
    case valid = 0
    /// The receipt is malformed, or missing.
    case malformedReceipt = 21_002
    /// The receipt could not be authenticated.
    case notAuthenticated = 21_003
    /// The shared secret is not that of the account.
    case sharedSecretMismatch = 21_004
    /// A receipt of the sandbox was sent to the production service.
    case sandboxReceipt = 21_007
    /// A receipt of production was sent to the sandbox.
    case productionReceipt = 21_008
}
