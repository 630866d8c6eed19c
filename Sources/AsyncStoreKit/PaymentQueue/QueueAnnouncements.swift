/// Who wants to hear of what the queue says besides transactions.
struct QueueAnnouncements: Sendable {
    var revocations = BackloggedBroadcast<PurchaseRevocation>()
    var storefronts = Broadcast<AppStorefront?>()
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
