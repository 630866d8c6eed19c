extension PaymentQueueActor {
    func subscribe(_ id: CallID, to subscription: EventSubscription) {
        if termination != nil { return subscription.finish() }
        switch subscription {
        case .revocations(let subscriber): announcements.revocations.subscribe(id, subscriber)
        case .storefronts(let subscriber): announcements.storefronts.subscribe(id, subscriber, outstanding: [])
        case .promotions(let subscriber): announcements.promotions.subscribe(id, subscriber)
        case .downloads(let subscriber): announcements.downloads.subscribe(id, subscriber, outstanding: [])
        case .downloadBatches(let subscriber): announcements.downloadBatches.subscribe(id, subscriber, outstanding: [])
        case .content(let token, let subscriber): subscribe(id, toContentOf: token, subscriber)
        }
    }
}
