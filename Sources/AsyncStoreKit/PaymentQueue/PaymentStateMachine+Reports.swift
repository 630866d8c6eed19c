import Foundation

// Which transaction answers which payment.
extension PaymentStateMachine {
    enum ReportAction: Equatable {
        /// The answer to this call.
        case answer(CallID, Deliverer.CallStyle)
        /// The call is told that approval is pending.
        case pending(CallID, PendingPurchase)
        /// It is this payment's, and there is nothing to tell.
        case progress
        /// The approval that somebody was told to wait for, given or refused. Nobody waits.
        case resolved(PendingPurchase)
        /// Not the answer to any payment.
        case unsolicited
        /// Unsolicited, but the answer to this call if the payment gets no transaction of its own.
        case candidate(CallID)
    }

    /// Attributes a report: to the payment that it is bound to, else to the oldest that it matches exactly.
    /// - Parameters:
    ///   - isNewReport: Whether this state has not been reported before: a transaction that has an owner answers nothing else.
    ///   - isKnown: Whether this process had the purchase before. It answers a payment only if nothing else does.
    ///   - isRestoring: Whether a restore is running: restored transactions that are new belong to it then.
    mutating func report(
        _ transaction: StoreTransaction, isNewReport: Bool, isKnown: Bool = false, isRestoring: Bool, now: Date
    ) -> ReportAction {
        if let action = resolveApproval(by: transaction) { return action }
        guard !submitted.isEmpty else { return .unsolicited }
        let bound = submitted.firstIndex { $0.bound == transaction.token }
        let matching =
            isNewReport && !isKnown ? submitted.firstIndex { $0.couldBeAnswered(by: transaction, isRestoring: isRestoring) } : nil
        guard let place = bound ?? matching else { return recordPreexisting(transaction, isKnown: isKnown) }
        return bind(transaction, toPaymentAt: place, now: now)
    }

    /// Attributes what the queue itself says: a payment's answer, or that it is none.
    /// - Parameter id: The call whose payment is answered; `nil` when none is.
    mutating func report(_ transaction: StoreTransaction, answering id: CallID?, now: Date) -> ReportAction {
        if let place = submitted.firstIndex(where: { $0.id == id }) { return bind(transaction, toPaymentAt: place, now: now) }
        return resolveApproval(by: transaction) ?? .unsolicited
    }

    /// Whether it is what somebody was told to wait for.
    private mutating func resolveApproval(by transaction: StoreTransaction) -> ReportAction? {
        guard let pending = pendingApprovals[transaction.token] else { return nil }
        guard transaction.state != .deferred, transaction.state != .purchasing else { return .progress }
        pendingApprovals[transaction.token] = nil
        return .resolved(pending)
    }

    private mutating func bind(_ transaction: StoreTransaction, toPaymentAt place: Int, now: Date) -> ReportAction {
        submitted[place].bound = transaction.token
        let payment = submitted[place]
        switch transaction.state {
        case .purchasing:
            submitted[place].hear(now)
            return .progress
        case .deferred:
            let pending = PendingPurchase(transaction, isKnownToCall: true)
            pendingApprovals[transaction.token] = pending
            end(payment.id)
            return .pending(payment.id, pending)
        case .purchased, .restored, .failed:
            end(payment.id)
            return .answer(payment.id, payment.call.style)
        }
    }

    /// A purchase waits for an approval, and no call has been told: it was asked for in an earlier launch, or nobody waits any more.
    mutating func noteApproval(of transaction: StoreTransaction) {
        pendingApprovals[transaction.token] = PendingPurchase(transaction, isKnownToCall: false)
    }

    /// An older transaction of a product under way was reported anew: StoreKit may mean it as the answer.
    private mutating func recordPreexisting(_ transaction: StoreTransaction, isKnown: Bool) -> ReportAction {
        guard transaction.holdsContent else { return .unsolicited }
        let isOlder: (Submitted) -> Bool = { payment in
            payment.request.productID == transaction.productID && payment.mark.map { isKnown || transaction.token <= $0 } ?? false
        }
        let unbound = submitted.firstIndex { isOlder($0) && $0.bound == nil }
        guard let place = unbound ?? submitted.firstIndex(where: isOlder) else { return .unsolicited }
        submitted[place].older = transaction
        return submitted[place].bound == nil ? .candidate(submitted[place].id) : .unsolicited
    }

    enum RemovalAction: Equatable {
        /// No payment waited for it.
        case none
        /// The payment has no outcome and will have none.
        case lost(CallID, PaymentRequest)
        /// The payment is answered by an older transaction.
        case answer(CallID, Deliverer.CallStyle, StoreTransaction)
        /// The approval will never be given or refused: somebody else finished the transaction.
        case approvalLost(PendingPurchase)
    }

    /// An entry has left the queue.
    mutating func remove(_ token: TransactionToken) -> RemovalAction {
        if let pending = pendingApprovals.removeValue(forKey: token) { return .approvalLost(pending) }
        guard let payment = submitted.first(where: { $0.bound == token }) else { return .none }
        end(payment.id)
        guard let older = payment.older else { return .lost(payment.id, payment.request) }
        return .answer(payment.id, payment.call.style, older)
    }

    /// A call that is answered by one of the rows of a restore.
    struct RestoredAnswer: Equatable {
        let id: CallID
        let style: Deliverer.CallStyle
        let row: StoreTransaction
    }

    /// A restore has ended, whose rows may hold the answers to payments: StoreKit has answered payments for owned products with
    /// `.restored`, and while a restore runs nothing tells such an answer from the restore's own rows, except that one purchase was
    /// then restored twice, or isn't finished, so that a restore doesn't bring it.
    /// - Parameter unfinished: The rows whose purchase has an unfinished transaction besides.
    mutating func takeAnswers(among rows: [StoreTransaction], unfinished: Set<TransactionToken> = []) -> [RestoredAnswer] {
        var answers: [RestoredAnswer] = []
        for payment in submitted where payment.bound == nil {
            let free = rows.filter { row in !answers.contains { $0.row.token == row.token } }
            // The restore's own row may have come before the payment.
            guard
                let row = free.last(where: { payment.couldBeAnswered(by: $0, isRestoring: false) && $0.original != nil }),
                unfinished.contains(row.token) || free.contains(where: { $0.token != row.token && $0.original == row.original })
            else { continue }
            answers.append(RestoredAnswer(id: payment.id, style: payment.call.style, row: row))
        }
        for answer in answers { end(answer.id) }
        return answers
    }

    /// Records the rows of a restore that has ended. Returns the calls whose payments are answered with one of them if nothing else does:
    /// the row may have been meant for the payment.
    mutating func noteRestored(_ rows: [StoreTransaction]) -> [CallID] {
        submitted.indices.compactMap { place in
            guard submitted[place].older == nil,
                let row = rows.last(where: { submitted[place].couldBeAnswered(by: $0, isRestoring: false) })
            else { return nil }
            submitted[place].older = row
            return submitted[place].id
        }
    }

    /// The time is over in which a transaction of its own could still have shown up for a payment with a candidate.
    mutating func takePreexisting(for id: CallID) -> (style: Deliverer.CallStyle, older: StoreTransaction)? {
        guard let payment = submitted.first(where: { $0.id == id }), payment.bound == nil, let older = payment.older else { return nil }
        end(id)
        return (payment.call.style, older)
    }
}

extension PaymentStateMachine.Submitted {
    fileprivate func couldBeAnswered(by transaction: StoreTransaction, isRestoring: Bool) -> Bool {
        guard bound == nil, let mark else { return false }
        return transaction.token > mark && request.matches(transaction) && !(transaction.state == .restored && isRestoring)
    }
}
