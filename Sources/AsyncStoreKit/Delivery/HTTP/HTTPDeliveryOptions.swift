public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// How a ``HTTPPurchaseDelivery`` talks with its server.
public struct HTTPDeliveryOptions: Sendable {
    /// How long the server has for its whole answer, in seconds. 30 by default.
    public var timeout: TimeInterval = 30
    /// The number of bytes of an answer after which to give up, and to try again later. 1 MiB by default.
    public var maximumAnswerSize = 1 << 20
    /// How often the first attempt may refresh a receipt that lacks a transaction; each further attempt one time fewer. 2 by
    /// default. With 0, or less, receipts are sent as they are.
    public var receiptRefreshLimit = 2 {
        didSet { receiptRefreshLimit = max(0, min(receiptRefreshLimit, 10)) }
    }
    /// Whether HTTP without encryption is accepted for a server that is not this machine. Not by default: the receipt and the
    /// header fields travel readable by anyone.
    public var allowsInsecureServer = false
    /// Header fields of the app's own, such as `Authorization`: asked for before each request. They go before the usual ones.
    ///
    /// When it throws, nothing is sent, and the delivery is tried again later. The values never appear in a log or an error,
    /// not even when the server repeats them.
    public var headers: @Sendable () async throws -> [String: String] = { [:] }
    /// Makes the body; ``HTTPDeliveryPackage/json()`` by default.
    ///
    /// When it throws, nothing is sent, and the delivery is tried again later.
    public var body: @Sendable (HTTPDeliveryPackage) throws -> Data = { try $0.json() }
    /// Says what an answer means; ``HTTPDeliveryAnswer/decision(at:)`` by default.
    public var decision: @Sendable (HTTPDeliveryAnswer) -> DeliveryDecision = { $0.decision() }
    /// The session's configuration, for a proxy or protocol classes; called once for each request. Ephemeral by default:
    /// nothing is cached, no cookie is kept.
    public var session: @Sendable () -> URLSessionConfiguration = { .ephemeral }
    /// The time by which ``timeout`` is measured.
    public var clock: any StoreClock = SystemStoreClock()
    /// Where it is told why a delivery has to be tried again. Neither receipts nor header fields nor URLs are.
    public var log: @Sendable (StoreLogEvent) -> Void = { _ in }

    /// The usual options.
    public init() {}
}
