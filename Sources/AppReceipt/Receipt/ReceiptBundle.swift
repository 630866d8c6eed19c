/// The purchase of a bundle through which the customer has a subscription.
///
/// The bundle is the reason that the customer has the subscription. Only the subscription's own transactions determine
/// access.
public struct ReceiptBundle: Hashable, Sendable, Codable {
    /// The product identifier of the bundle.
    public let productID: String
    /// The subscription group of the bundle.
    public let subscriptionGroupID: String?
    /// The transaction of the bundle that includes this period; only in transactions.
    public let transactionID: String?
    /// The first transaction of the bundle.
    public let originalTransactionID: String?

    /// Creates a bundle, for transactions from other sources and for tests.
    public init(
        productID: String, subscriptionGroupID: String? = nil, transactionID: String? = nil,
        originalTransactionID: String? = nil
    ) {
        self.productID = productID
        self.subscriptionGroupID = subscriptionGroupID
        self.transactionID = transactionID
        self.originalTransactionID = originalTransactionID
    }
}
