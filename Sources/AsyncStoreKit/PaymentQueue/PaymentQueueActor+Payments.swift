extension PaymentQueueActor {
    func purchase(_ id: CallID, _ request: PaymentRequest, _ waiter: PurchaseWaiter) {
        if let termination {
            payments.withdraw(id)
            return waiter.reply.fail(termination)
        }
        guard payments.submit(id, request) else {
            return waiter.reply.fail(.cancelled("the purchase of \"\(request.productID)\""))
        }
        purchaseWaiters[id] = waiter
        if payments.waitingCount == 100 { log(.warning, "A hundred payments wait for their turn.") }
        startPayments()
    }

    func withdraw(_ id: CallID) {
        payments.withdraw(id)
        startPayments()
    }

    /// Gives the slot to the first in line, if it is free.
    func startPayments() {
        guard termination == nil else { return }
        while payments.canStart, let payment = payments.start(mark: backend.newestToken()) {
            // The payment is on record before it is added: the queue may answer from inside the call.
            do {
                try backend.submit(payment.request)
                promotions.submitted(by: payment.id)
                if let timeout = purchaseWaiters[payment.id]?.timeout {
                    start(.paymentTimeout(payment.id), seconds: timeout)
                }
            } catch {
                _ = payments.vacate(payment.id)
                promotions.release(by: payment.id)
                purchaseWaiters.removeValue(forKey: payment.id)?.reply.fail(error)
            }
        }
    }

    func cancelPurchase(_ id: CallID) {
        let action = payments.cancel(id)
        switch action {
        case .withdraw, .abandon:
            promotions.release(by: id)
            stopTimers(of: id)
            failPurchase(id, .cancelled("a purchase"))
            startPayments()
        case .remember:
            // The transaction has come, and the installed delivery has it: that goes on, only nobody waits for it.
            guard purchaseWaiters[id] != nil else { return }
            payments.forget(id)
            deliveries.abandon(.purchase(id))
            failPurchase(id, .cancelled("the delivery of a purchase"))
        }
    }

    func paymentTimedOut(_ id: CallID) {
        guard payments.vacate(id) else { return }
        stopTimers(of: id)
        failPurchase(id, StoreError(.timedOut, "StoreKit did not answer the purchase within the time allowed; it goes on."))
        startPayments()
    }

    func paymentSettled(_ id: CallID) {
        guard let older = payments.settle(id) else { return }
        answer(id, withOlder: older)
        startPayments()
    }

    /// The transaction that answers a call.
    func answer(_ id: CallID, with transaction: StoreTransaction) {
        stopTimers(of: id)
        guard let waiter = purchaseWaiters[id] else { return }
        guard transaction.state == .failed else {
            return hand(transaction, to: id, waiter, answersEarlierPayment: false)
        }
        finishFailed(transaction)
        purchaseWaiters[id] = nil
        let error = transaction.error ?? StoreError(.unknown, "The purchase of \"\(transaction.productID)\" failed without a reason.")
        if error.code == .paymentCancelled {
            waiter.reply.succeed(.userCancelled(error))
        } else {
            waiter.reply.fail(error)
        }
    }

    /// StoreKit answered the call with a transaction that was in the queue before.
    func answer(_ id: CallID, withOlder transaction: StoreTransaction) {
        stopTimers(of: id)
        guard let waiter = purchaseWaiters[id] else { return }
        switch ledger[transaction.id]?.holder {
        case .offered, .handedOver:
            hand(transaction, to: id, waiter, answersEarlierPayment: true)
        case .inProgress, .delivering, .owed, .delivered, .finished, nil:
            // Somebody is delivering it, or has: that must not happen twice at once.
            purchaseWaiters[id] = nil
            waiter.reply.succeed(
                .paid(TransactionRecord(transaction: transaction, answersEarlierPayment: true, isDelivered: true, isRedelivery: true)))
        }
    }

    func answerPending(_ id: CallID, _ pending: PendingPurchase, _ transaction: StoreTransaction) {
        stopTimers(of: id)
        purchaseWaiters.removeValue(forKey: id)?.reply.succeed(.pending(pending, transaction))
    }

    func paymentLost(_ id: CallID, _ request: PaymentRequest) {
        stopTimers(of: id)
        failPurchase(
            id,
            StoreError(
                .transactionRemoved,
                "The transaction for \"\(request.productID)\" left the queue without an outcome: somebody else finished it."))
    }

    func failPurchase(_ id: CallID, _ error: StoreError) {
        purchaseWaiters.removeValue(forKey: id)?.reply.fail(error)
    }

    private func stopTimers(of id: CallID) {
        guard !timers.isEmpty else { return }
        stop(.paymentTimeout(id))
        stop(.paymentSettling(id))
    }

    private func hand(_ transaction: StoreTransaction, to id: CallID, _ waiter: PurchaseWaiter, answersEarlierPayment: Bool) {
        if waiter.handling == .store, delivery != nil {
            // The waiter stays: it is answered when the delivery has ended.
            deliver([transaction], cause: .purchase, origin: .purchase(id), answersEarlierPayment: answersEarlierPayment)
            return
        }
        purchaseWaiters[id] = nil
        let isRedelivery = ledger.isRedelivery(transaction)
        ledger.hand(transaction.id, to: waiter.handling == .closure ? .delivering : .handedOver, now: now)
        waiter.reply.succeed(
            .paid(TransactionRecord(transaction: transaction, answersEarlierPayment: answersEarlierPayment, isRedelivery: isRedelivery)))
    }
}
