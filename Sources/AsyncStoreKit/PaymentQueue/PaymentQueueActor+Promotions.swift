extension PaymentQueueActor {
    func receive(_ promotion: PromotedPayment) {
        promotions.add(promotion)
        announcements.promotions.send(promotion)
    }

    func continuePromotion(_ id: CallID, _ promotion: PromotedPayment, _ waiter: PurchaseWaiter) {
        guard let request = promotions.take(promotion.id, for: id) else {
            payments.forget(id)
            return waiter.reply.fail(
                StoreError(.promotionAlreadyContinued, "The purchase of \"\(promotion.product.id)\" begun in the App Store goes on already."))
        }
        purchase(id, request, waiter)
        // Refused at once: cancelled before it came, or the backend did not want it.
        if purchaseWaiters[id] == nil { promotions.release(by: id) }
    }
}
