public import AsyncStoreKit
public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// The options of an ``HTTPPurchaseDelivery``.
public struct HTTPDeliveryOptions: Sendable {
    /// The time limit for a request, in seconds, from the call of ``headers`` to the end of the response. 30 by
    /// default.
    public var timeout: TimeInterval = 30
    /// The largest body of a response, in bytes. The delivery is tried again after a larger one. 1 MiB by default.
    public var maximumResponseSize = 1 << 20
    /// The number of times that the first attempt may refresh a receipt that lacks a transaction. Each further attempt
    /// may do so one time fewer. From 0 to 10; 2 by default. With 0, receipts are sent as they are.
    public var receiptRefreshLimit = 2 {
        didSet { receiptRefreshLimit = max(0, min(receiptRefreshLimit, 10)) }
    }
    /// Whether unencrypted HTTP is accepted for servers other than this machine. `false` by default, because anyone on
    /// the network could read the receipt and the header fields.
    public var allowsInsecureServer = false
    /// The maximum number of purchases in a request, 1 or more. 20 by default. A restore of more purchases is sent in
    /// several requests, each with about 64 kB at most. After a response with status 413, half as many are sent.
    public var purchasesPerRequest = 20 {
        didSet { purchasesPerRequest = max(1, purchasesPerRequest) }
    }
    /// Whether the receipt is also sent with transactions that are signed by themselves. `false` by default. Without
    /// signed transactions, as over StoreKit 1, the receipt is always sent.
    public var includesReceipt = false
    /// Returns the app's own header fields, such as `Authorization`. Called before each request. They override the
    /// default fields.
    ///
    /// All purchases of a request are for one ``HTTPDeliveryPayload/account``. Return `nil` if you can't send its
    /// purchases now, because another account is signed in: they wait, without keeping others from being sent, until
    /// `PurchaseStore.retryDeliveries()` or the next launch, and are asked for again at most once an hour. After
    /// `DeliveryRequest.lastStatus` 401, renew the token before you return it.
    ///
    /// If the closure throws, nothing is sent, and the delivery is tried again later. The values never appear in a log
    /// or an error, even if the server repeats them.
    public var headers: @concurrent @Sendable (HTTPDeliveryPayload) async throws -> [String: String]? = { _ in [:] }
    /// Creates the body; ``HTTPDeliveryPayload/json()`` by default. Return the same body for the same purchases,
    /// because `Idempotency-Key` stays the same, too.
    ///
    /// If the closure throws, nothing is sent, and the delivery is tried again later.
    public var body: @Sendable (HTTPDeliveryPayload) throws -> Data = { try $0.json() }
    /// Which responses accept or reject a purchase. By default only those with a `decision`.
    public var convention = HTTPDeliveryConvention.decisionField
    /// Returns the decision for a response, instead of ``convention``; `nil` by default.
    ///
    /// Use it for a server with its own format. For other responses, the closure can call
    /// ``HTTPDeliveryResponse/decision(by:at:)``.
    public var decision: (@Sendable (HTTPDeliveryResponse) -> DeliveryDecision)?
    /// The session's configuration, for a proxy or protocol classes; called once for each request. Ephemeral by
    /// default: nothing is cached, no cookie is kept.
    public var session: @Sendable () -> URLSessionConfiguration = { .ephemeral }
    /// The clock that measures ``timeout``.
    public var clock: any StoreClock = SystemStoreClock()

    /// Creates the default options.
    public init() {}
}

extension HTTPDeliveryOptions: CustomStringConvertible {
    /// The limits and the convention, without header fields.
    public var description: String {
        "timeout: \(timeout), convention: \(convention), maximumResponseSize: \(maximumResponseSize)"
    }
}
