public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// The options of an ``HTTPPurchaseDelivery``.
public struct HTTPDeliveryOptions: Sendable {
    /// The time limit for the complete response, in seconds. 30 by default.
    public var timeout: TimeInterval = 30
    /// The largest body of a response, in bytes. The delivery is tried again after a larger one. 1 MiB by default.
    public var maximumResponseSize = 1 << 20
    /// How often the first attempt may refresh a receipt that lacks a transaction; each further attempt one time fewer.
    /// 2 by default. With 0, or less, receipts are sent as they are.
    public var receiptRefreshLimit = 2 {
        didSet { receiptRefreshLimit = max(0, min(receiptRefreshLimit, 10)) }
    }
    /// Whether unencrypted HTTP is accepted for servers other than this machine. `false` by default, because anyone on
    /// the network could read the receipt and the header fields.
    public var allowsInsecureServer = false
    /// Returns the app's own header fields, such as `Authorization`. Called before each request. They override the
    /// default fields.
    ///
    /// If the closure throws, nothing is sent, and the delivery is tried again later. The values never appear in a log
    /// or an error, even if the server repeats them.
    public var headers: @Sendable () async throws -> [String: String] = { [:] }
    /// Creates the body; ``HTTPDeliveryPayload/json()`` by default.
    ///
    /// If the closure throws, nothing is sent, and the delivery is tried again later.
    public var body: @Sendable (HTTPDeliveryPayload) throws -> Data = { try $0.json() }
    /// Which responses reject a purchase. By default only those with `"decision": "rejected"`.
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
    /// Receives the reason why a delivery is tried again: the response's status and content type, or the error of the
    /// connection. The reason never contains receipts, header fields or URLs.
    public var log: @Sendable (StoreLogEvent) -> Void = { _ in }

    /// Creates the default options.
    public init() {}
}
