public import AsyncStoreKit
public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// The options of an ``HTTPPurchaseDelivery``.
public struct HTTPDeliveryOptions: Sendable {
    /// The time limit for a request, in seconds, from the call of ``session`` to the end of the response. 30 by
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
    /// The maximum number of purchases in a request, from 1 to 20. 20 by default. A restore of more purchases is sent
    /// in several requests, each with about 64 kB at most. After a response with status 413, half as many are sent.
    public var purchasesPerRequest = 20 {
        didSet { purchasesPerRequest = max(1, min(purchasesPerRequest, 20)) }
    }
    /// Whether the receipt is also sent with transactions that are signed by themselves. `false` by default. Without
    /// signed transactions, as over StoreKit 1, the receipt is always sent.
    public var includesReceipt = false
    /// Returns who is signed in to your app, and the header fields of a request. Called before each request. By
    /// default, no account is signed in, and there are no header fields.
    ///
    /// A purchase that names an account, as with `.appAccountToken(id)`, is sent only in a session of the same account.
    /// Otherwise nothing is sent: the purchase waits, without keeping others from being sent, until
    /// `PurchaseStore.retryDeliveries()` or the next launch, and is tried again at most once an hour. A purchase that
    /// names no account is sent in any session.
    ///
    /// All purchases of a request name the same ``HTTPDeliveryPayload/account``. If your app keeps the sessions of
    /// several accounts, return the one of that account. Return `nil` to send nothing now. After
    /// `DeliveryRequest.lastStatus` 401, renew the token before you return it.
    ///
    /// If the closure throws, nothing is sent, and the delivery is tried again later.
    public var session: @concurrent @Sendable (HTTPDeliveryPayload) async throws -> HTTPDeliverySession? = { _ in
        HTTPDeliverySession()
    }
    /// Creates the body; ``HTTPDeliveryPayload/json()`` by default. Return the same body for the same purchases,
    /// because `Idempotency-Key` stays the same, too.
    ///
    /// If the closure throws, nothing is sent, and the delivery is tried again later.
    public var body: @Sendable (HTTPDeliveryPayload) throws -> Data = { try $0.json() }
    /// Returns the decision for a response, instead of ``HTTPDeliveryResponse/decision(at:)``; `nil` by default.
    ///
    /// Use the closure for a server with its own format that you can't change. Call
    /// ``HTTPDeliveryResponse/decision(at:)`` for all other responses, and accept only what no gateway sends: a
    /// gateway's empty 200 or `{"status": "ok"}` would finish a paid purchase that your server has never seen.
    public var decision: (@Sendable (HTTPDeliveryResponse) -> DeliveryDecision)?
    /// The configuration of `URLSession`, for a proxy or protocol classes; called once for each request. Ephemeral by
    /// default: nothing is cached, no cookie is kept.
    public var sessionConfiguration: @Sendable () -> URLSessionConfiguration = { .ephemeral }
    /// The clock that measures ``timeout``.
    public var clock: any StoreClock = SystemStoreClock()

    /// Creates the default options.
    public init() {}
}

extension HTTPDeliveryOptions: CustomStringConvertible {
    /// The limits, without header fields.
    public var description: String { "timeout: \(timeout), maximumResponseSize: \(maximumResponseSize)" }
}
