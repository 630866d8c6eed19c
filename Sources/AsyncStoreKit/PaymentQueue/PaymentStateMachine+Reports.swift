import Foundation

// Which transaction answers which payment.
extension PaymentStateMachine {
    enum ReportAction: Equatable {
        /// The transaction answers this call.
        case answer(CallID, Deliverer.CallStyle)
        /// The call returns that the purchase is pending.
        case pending(CallID, PendingPurchase)
        /// The report belongs to a payment and needs no action.
        case progress
        /// The approval or refusal of a pending purchase, without a waiting call.
        case resolved(PendingPurchase)
        /// The transaction doesn't answer a payment.
        case unsolicited
        /// Unsolicited, but answers this call if its payment doesn't get another transaction.
        case candidate(CallID)
    }

    /// Attributes a report to the payment that it is bound to, or else to the oldest payment that it matches exactly.
    /// - Parameters:
    ///   - isNewReport: Whether this state is reported for the first time. A transaction with an owner doesn't answer a
    ///     payment.
    ///   - isKnown: Whether this process has had the purchase before. Then it answers a payment only if no other
    ///     transaction does.
    ///   - isRestoring: Whether a restore is running. New restored transactions belong to the restore then.
    mutating func report(
        _ transaction: StoreTransaction, isNewReport: Bool, isKnown: Bool = false, isRestoring: Bool, now: Date
    ) -> ReportAction {
        // First: a transaction that waited for approval can't answer another payment.
        if let action = resolveApproval(by: transaction) { return action }
        guard !submitted.isEmpty else { return .unsolicited }
        let bound = submitted.firstIndex { $0.bound == transaction.token }
        let matching =
            isNewReport && !isKnown
            ? submitted.firstIndex { $0.couldBeAnswered(by: transaction, isRestoring: isRestoring) } : nil
        // A binding takes precedence: the report may match another payment for the product, too.
        guard let place = bound ?? matching else { return recordPreexisting(transaction, isKnown: isKnown) }
        return bind(transaction, toPaymentAt: place, now: now)
    }

    /// Attributes a report as the queue does.
    /// - Parameter id: The call whose payment the transaction answers; `nil` if it answers none.
    mutating func report(_ transaction: StoreTransaction, answering id: CallID?, now: Date) -> ReportAction {
        if let place = submitted.firstIndex(where: { $0.id == id }) {
            return bind(transaction, toPaymentAt: place, now: now)
        }
        return resolveApproval(by: transaction) ?? .unsolicited
    }

    /// Whether a call has returned that this transaction is pending.
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
            submitted[place].recordResponse(at: now)
            return .progress
        case .deferred:
            let pending = PendingPurchase(transaction, isKnownToCall: payment.call.style != nil)
            pendingApprovals[transaction.token] = pending
            // The slot is free: an approval can take days.
            endWait(of: payment.id)
            return payment.call.style.map { _ in .pending(payment.id, pending) } ?? .unsolicited
        case .purchased, .restored, .failed:
            endWait(of: payment.id)
            return payment.call.style.map { .answer(payment.id, $0) } ?? .unsolicited
        }
    }

    /// Records a pending purchase whose call was made in an earlier launch, or has been canceled.
    mutating func recordPendingApproval(of transaction: StoreTransaction) {
        pendingApprovals[transaction.token] = PendingPurchase(transaction, isKnownToCall: false)
    }

    /// Records that StoreKit has repeated an older transaction of a product, possibly as the answer to a payment.
    private mutating func recordPreexisting(_ transaction: StoreTransaction, isKnown: Bool) -> ReportAction {
        guard transaction.holdsContent else { return .unsolicited }
        let isOlder: (Submitted) -> Bool = { payment in
            payment.request.productID == transaction.productID
                && payment.mark.map { isKnown || transaction.token <= $0 } ?? false
        }
        // A payment with a transaction of its own keeps the older one as well, which answers if its own leaves the
        // queue.
        let unbound = submitted.firstIndex { isOlder($0) && $0.bound == nil }
        guard let place = unbound ?? submitted.firstIndex(where: isOlder) else { return .unsolicited }
        submitted[place].older = transaction
        return submitted[place].bound == nil ? .candidate(submitted[place].id) : .unsolicited
    }

    enum RemovalAction: Equatable {
        /// No payment is affected.
        case none
        /// The payment won't get an outcome.
        case lost(CallID, PaymentRequest)
        /// An older transaction answers the payment.
        case answer(CallID, Deliverer.CallStyle, StoreTransaction)
        /// The pending purchase ends without an approval or a refusal: another observer has finished the transaction.
        case approvalLost(PendingPurchase)
    }

    /// Records that an entry has left the queue.
    mutating func remove(_ token: TransactionToken) -> RemovalAction {
        if !pendingApprovals.isEmpty, let pending = pendingApprovals.removeValue(forKey: token) {
            return .approvalLost(pending)
        }
        guard let payment = submitted.first(where: { $0.bound == token }) else { return .none }
        endWait(of: payment.id)
        guard let older = payment.older, let style = payment.call.style else {
            return .lost(payment.id, payment.request)
        }
        return .answer(payment.id, style, older)
    }

    struct RestoredAnswer: Equatable {
        let id: CallID
        let style: Deliverer.CallStyle
        let row: StoreTransaction
    }

    /// Finds the answers to payments among the transactions of a restore that has ended.
    ///
    /// StoreKit 1 answers some payments for owned products with `.restored`. During a restore, such an answer looks
    /// like a transaction of the restore. Two things identify it: the purchase was restored twice, or the purchase
    /// isn't finished, so that a restore doesn't include it.
    /// - Parameter unfinished: The rows whose purchase has an unfinished transaction besides.
    mutating func takeAnswers(among rows: [StoreTransaction], unfinished: Set<TransactionToken> = [])
        -> [RestoredAnswer]
    {
        var answers: [RestoredAnswer] = []
        for payment in submitted where payment.bound == nil {
            let free = rows.filter { row in !answers.contains { $0.row.token == row.token } }
            // The restore's own transaction may have arrived before the payment.
            guard let style = payment.call.style,
                let row = free.last(where: { payment.couldBeAnswered(by: $0, isRestoring: false) && $0.original != nil }
                ),
                unfinished.contains(row.token)
                    || free.contains(where: { $0.token != row.token && $0.original == row.original })
            else { continue }
            answers.append(RestoredAnswer(id: payment.id, style: style, row: row))
        }
        for answer in answers { endWait(of: answer.id) }
        return answers
    }

    /// Records the rows of a restore. Returns the calls whose payments they answer if no other transaction does.
    mutating func recordRestored(_ rows: [StoreTransaction]) -> [CallID] {
        submitted.indices.compactMap { place in
            guard submitted[place].older == nil,
                let row = rows.last(where: { submitted[place].couldBeAnswered(by: $0, isRestoring: false) })
            else { return nil }
            submitted[place].older = row
            return submitted[place].id
        }
    }

    /// Answers a payment with its preexisting transaction, after the delay in which another could have arrived.
    mutating func takePreexisting(for id: CallID) -> (style: Deliverer.CallStyle, older: StoreTransaction)? {
        guard let payment = submitted.first(where: { $0.id == id }), payment.bound == nil, let older = payment.older,
            let style = payment.call.style
        else { return nil }
        endWait(of: id)
        return (style, older)
    }
}

extension PaymentStateMachine.Submitted {
    fileprivate func couldBeAnswered(by transaction: StoreTransaction, isRestoring: Bool) -> Bool {
        guard bound == nil, let mark else { return false }
        return transaction.token > mark && request.matches(transaction)
            && !(transaction.state == .restored && isRestoring)
    }
}
