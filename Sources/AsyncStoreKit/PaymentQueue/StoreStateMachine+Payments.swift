import Foundation

// Calls of `purchase`.
extension StoreStateMachine {
    mutating func purchase(_ id: CallID, _ call: PaymentStateMachine.Call) {
        if let termination { return actions.append(.respond(id, to: .failure(termination))) }
        let productID = call.request.productID
        record(.known(.started), productID)
        if let promotion = call.request.promotionID, !payments.promotions.claim(promotion, for: id) {
            recordFailure(of: productID, .purchaseIntentAlreadyUsed(productID))
            return actions.append(.respond(id, to: .failure(.purchaseIntentAlreadyUsed(productID))))
        }
        payments.enqueue(id, call)
        if payments.waitingCount == 100 { log(.warning, "A hundred payments wait for earlier ones.") }
        startPayments()
    }

    /// Records a purchase that was started in the App Store. If it continues by itself and the queue doesn't do that,
    /// the payment is enqueued.
    mutating func paymentPromoted(_ promotion: PromotedPayment) {
        payments.promotions.paymentPromoted(promotion)
        guard promotion.isContinuedByStore, termination == nil else { return }
        purchase(CallID(), PaymentStateMachine.Call(request: promotion.request(), style: nil))
    }

    /// Gives the slot to the first call that may have it.
    mutating func startPayments() {
        guard termination == nil else { return }
        let runningNow = runningNow
        if let submission = payments.submitNext(now: runningNow) {
            for payment in submission.overtaken {
                actions.append(.release(payment.id))
                let silence =
                    "StoreKit has been silent about the purchase of \"\(payment.request.productID)\" for \(payments.responseTimeout) seconds"
                log(.warning, "\(silence). The next purchase starts.")
            }
            let payment = submission.payment
            if let context = payment.request.context(at: now) {
                ledger.contexts.request(context, by: payment.id, now: now)
            }
            actions.append(.submit(payment))
        } else {
            for (id, call) in payments.takeCallsBehindSilence(now: runningNow) {
                payments.promotions.release(by: id)
                let silence =
                    "StoreKit hasn't answered an earlier purchase of this product for \(payments.sameProductTimeout) seconds."
                endPurchase(id, call, StoreError(.timedOut, "\(silence) This call bought nothing."))
            }
            if let turn = payments.nextTurn(now: runningNow) { scheduleNextPayment(at: turn) }
        }
    }

    mutating func willSubmit(_ payment: PaymentStateMachine.Submitted, mark: TransactionToken?) {
        payments.markSubmission(of: payment.id, mark)
    }

    /// Records that the queue has accepted a payment. Its reports may have arrived before.
    mutating func submissionSucceeded(_ payment: PaymentStateMachine.Submitted) {
        payments.promotions.submitted(by: payment.id)
        if let timeout = payment.request.options.timeout { start(.paymentTimeout(payment.id), seconds: timeout) }
        // The next call may have to wait for a silent payment.
        startPayments()
    }

    mutating func submissionFailed(_ payment: PaymentStateMachine.Submitted, _ error: StoreError) {
        payments.promotions.release(by: payment.id)
        ledger.contexts.endRequest(of: payment.id)
        endPurchase(payment.id, payment.call, error)
        startPayments()
    }

    /// Ends a call that StoreKit has no payment of. If no task waits for the call, the subscribers receive the error.
    private mutating func endPurchase(_ id: CallID, _ call: PaymentStateMachine.Call, _ error: StoreError) {
        endPurchase(id, .failure(error))
        recordFailure(of: call.request.productID, error)
        guard call.style == nil else { return }
        report([
            .failure(
                PurchaseFailure(transaction: StoreTransaction(call.request), error: error, pendingPurchase: nil), nil)
        ])
    }

    mutating func cancelPurchase(_ id: CallID) {
        switch payments.cancel(id) {
        case .withdraw, .abandon:
            actions.append(.release(id))
            payments.promotions.release(by: id)
            endPurchase(id, .failure(.cancelled("a purchase")))
            startPayments()
        case .leaveDelivery:
            deliveries.abandon(.purchase(id))
            endPurchase(id, .failure(.cancelled("the delivery of a purchase")))
        case .none:
            // The answer waits until the purchase is finished.
            releaseAnswers { $0.id == id }
        }
    }

    mutating func paymentTimedOut(_ id: CallID) {
        guard payments.isSubmitted(id) else { return }
        actions.append(.release(id))
        let message = "StoreKit didn't answer the purchase within the time limit. The payment continues."
        endPurchase(id, .failure(StoreError(.timedOut, message)))
        startPayments()
    }

    mutating func preexistingAnswerIsDue(_ id: CallID) {
        guard let (style, older) = payments.takePreexisting(for: id) else { return }
        answer(id, style, withOlder: older)
        startPayments()
    }

    /// Ends a call.
    /// - Parameter tokens: The transactions that are finished before the call is answered.
    mutating func endPurchase(
        _ id: CallID, _ result: PaymentResult, afterFinishing tokens: [TransactionToken] = []
    ) {
        payments.endWait(of: id)
        ledger.contexts.forget(id)
        stop(.paymentTimeout(id))
        stop(.preexistingAnswer(id))
        answer(id, .respond(id, to: result), afterFinishing: tokens)
    }
}

// StoreKit's answers.
extension StoreStateMachine {
    mutating func answer(_ id: CallID, _ style: Deliverer.CallStyle, with answer: StoreTransaction) {
        let transaction = ledger.contexts.answer(id, with: answer)
        ledger.setContext(transaction.context, of: transaction.token)
        guard deliverer(of: transaction, answering: style) == .nobody else {
            return deliverAnswer(transaction, to: id, style, isPreexisting: false)
        }
        finish([transaction.token])
        let error =
            transaction.error
            ?? StoreError(.unknown, "The purchase of \"\(transaction.productID)\" failed without a reason.")
        recordFailure(of: transaction.productID, error)
        endPurchase(id, error.code == .userCancelled ? .success(.userCancelled(error)) : .failure(error))
    }

    mutating func answer(_ id: CallID, _ style: Deliverer.CallStyle, withOlder transaction: StoreTransaction) {
        ledger.contexts.endRequest(of: id)
        let state = ledger[transaction.token]?.state
        // What waits for the server or for a pause is delivered at once, because a call waits for it.
        let waits = deliveries.isWaiting(transaction.token)
        if waits { withdraw(transaction.token) }
        guard waits || state == .open || state == .offered || state == .withCaller else {
            return endPurchase(id, withDelivered: transaction, isPreexisting: true)
        }
        deliverAnswer(transaction, to: id, style, isPreexisting: true)
    }

    mutating func answerPending(_ id: CallID, _ pending: PendingPurchase, _ transaction: StoreTransaction) {
        record(.known(.pending), transaction.productID, transaction)
        endPurchase(id, .success(.pending(pending, transaction)))
        sendPendingPurchases()
    }

    private mutating func deliverAnswer(
        _ transaction: StoreTransaction, to id: CallID, _ style: Deliverer.CallStyle, isPreexisting: Bool
    ) {
        guard !ledger.wasDelivered(transaction), !ledger.isBeingDelivered(transaction) else {
            settle([transaction])
            return endPurchase(id, withDelivered: transaction, isPreexisting: isPreexisting)
        }
        let deliverer = deliverer(of: transaction, answering: style)
        if deliverer == .installedDelivery {
            // The call is answered when the delivery has ended.
            stop(.paymentTimeout(id))
            stop(.preexistingAnswer(id))
            payments.beginDelivery(for: id)
            return deliver([transaction], cause: .requested, origin: .purchase(id), isPreexisting: isPreexisting)
        }
        let record = PurchaseRecord(
            transaction: transaction, cause: .requested, isPreexisting: isPreexisting,
            isRedelivery: assign(transaction, to: deliverer))
        endPurchase(id, .success(.paid(record)))
    }

    /// Gives a purchase to the caller of a call, or to its closure. Returns whether the app has received it before.
    mutating func assign(_ transaction: StoreTransaction, to deliverer: Deliverer) -> Bool {
        ledger.setState(deliverer == .closure ? .delivering : .withCaller, of: transaction.token, now: now)
        return deliverer == .closure ? beginDelivery(of: transaction) : ledger.markReceived(transaction)
    }

    /// Gives a purchase to a delivery. Its other entries wait. Returns whether the app has received it before.
    mutating func beginDelivery(of transaction: StoreTransaction) -> Bool {
        for sibling in ledger.siblings(of: transaction.token) {
            guard let state = ledger[sibling]?.state, state == .offered || state == .withCaller else { continue }
            ledger.setState(.open, of: sibling, now: now)
        }
        return ledger.beginDelivery(of: transaction)
    }

    /// Answers a call with a purchase that was delivered, or is being delivered, so that it isn't delivered twice.
    private mutating func endPurchase(_ id: CallID, withDelivered transaction: StoreTransaction, isPreexisting: Bool) {
        let record = PurchaseRecord(
            transaction: transaction, cause: .requested, isPreexisting: isPreexisting, isHandledElsewhere: true,
            isRedelivery: true)
        endPurchase(id, .success(.paid(record)), afterFinishing: [transaction.token])
    }
}
