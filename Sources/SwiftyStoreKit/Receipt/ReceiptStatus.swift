/// The status in an answer of Apple's `verifyReceipt`.
public enum ReceiptStatus: Int {
    /// A status that is none of these.
    case unknown = -2
    /// The answer has no status.
    case none = -1
    /// The receipt is genuine.
    case valid = 0
    /// The request was not understood.
    case jsonNotReadable = 21000
    /// The receipt was not understood, or the server was in trouble.
    case malformedOrMissingData = 21002
    /// The receipt is not genuine.
    case receiptCouldNotBeAuthenticated = 21003
    /// The shared secret is not the one of the account.
    case secretNotMatching = 21004
    /// The server is not available at the moment.
    case receiptServerUnavailable = 21005
    /// The receipt is genuine, and its subscription has expired.
    case subscriptionExpired = 21006
    /// A receipt of the sandbox was sent to production.
    case testReceipt = 21007
    /// A receipt of production was sent to the sandbox.
    case productionEnvironment = 21008
}
