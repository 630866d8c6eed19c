/// Who wants to hear of what the queue says besides transactions.
struct QueueAnnouncements: Sendable {
    var revocations = BackloggedBroadcast<EntitlementRevocation>()
    var storefronts = Broadcast<StoreStorefront?>()
    var promotions = BackloggedBroadcast<PromotedPayment>()
    var downloads = Broadcast<StoreDownload>()
    /// As the queue reported them together.
    var downloadBatches = Broadcast<[StoreDownload]>()

    mutating func unsubscribe(_ id: CallID) {
        revocations.unsubscribe(id)
        storefronts.unsubscribe(id)
        promotions.unsubscribe(id)
        downloads.unsubscribe(id)
        downloadBatches.unsubscribe(id)
    }

    /// Ends every subscriber's loop.
    mutating func finish() {
        revocations.finish()
        storefronts.finish()
        promotions.finish()
        downloads.finish()
        downloadBatches.finish()
    }
}
