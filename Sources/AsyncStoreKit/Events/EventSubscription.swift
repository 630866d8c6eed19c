/// What somebody wants to hear of, besides transactions and failures.
package enum EventSubscription: Sendable {
    case revocations(Subscriber<PurchaseRevocation>)
    case storefronts(Subscriber<AppStorefront?>)
    case promotions(Subscriber<PromotedPayment>)
    case downloads(Subscriber<StoreDownload>)
    case downloadBatches(Subscriber<[StoreDownload]>)
    case content(TransactionToken, Subscriber<HostedContentReport>)

    /// Ends the subscriber's loop.
    func finish() {
        switch self {
        case .revocations(let subscriber): subscriber.finish()
        case .storefronts(let subscriber): subscriber.finish()
        case .promotions(let subscriber): subscriber.finish()
        case .downloads(let subscriber): subscriber.finish()
        case .downloadBatches(let subscriber): subscriber.finish()
        case .content(_, let subscriber): subscriber.finish()
        }
    }
}
