// Finishing transactions, and the ends of their deliveries.
extension StoreStateMachine {
    mutating func finish(_ token: TransactionToken, for id: CallID) {
        let result = finish(token)
        // A second call during the finish has the same answer.
        answer(id, answers.finishing.contains(token) ? .success(()) : result, afterFinishing: [token])
    }

    /// Finishes a transaction that its owner has delivered.
    mutating func finish(_ token: TransactionToken) -> Result<Void, StoreError> {
        // Read first: finishing forgets an entry that has left.
        let siblings = ledger.siblings(of: token)
        if ledger[token]?.state == .retrying { withdraw(token) }
        switch ledger.finish(token) {
        case .finish:
            requestFinish(token)
            finish(siblings)
            return .success(())
        case .whenDownloaded:
            finish(siblings)
            return .success(())
        case .departed:
            finish(siblings)
            return .failure(Self.finishedBefore)
        case .finished:
            return .failure(Self.finishedBefore)
        case .notFinishable(let state):
            return .failure(
                StoreError(
                    .transactionNotFinishable, "The transaction is \(state.progress): there is nothing to finish yet."))
        case .unknown:
            return .failure(StoreError(.unknownTransaction, "The transaction doesn't belong to this store."))
        }
    }

    /// Records that a delivery was successful, and finishes the purchase.
    mutating func recordDelivery(of token: TransactionToken) {
        if ledger.delivered(token) { requestFinish(token) }
        finish(ledger.siblings(of: token))
    }

    private static let finishedBefore = StoreError(.transactionFinished, "The transaction has been finished before.")

    /// Finishes entries that have nothing to deliver: failed ones, and other entries of a delivered purchase.
    mutating func finish(_ tokens: [TransactionToken]) {
        for token in tokens {
            if case .finish = ledger.finish(token) { requestFinish(token) }
        }
    }

    /// Records the end of the closure of a call.
    /// - Parameter delivered: Whether the closure has returned. If it has thrown, or wasn't run, the installed delivery
    ///   doesn't take its place: a restore that waits for the purchase gets it, or else the subscribers.
    mutating func closureEnded(_ tokens: [TransactionToken], delivered: Bool) {
        guard !delivered else {
            tokens.forEach { recordDelivery(of: $0) }
            return endDeliveries(of: tokens)
        }
        let failed = tokens.compactMap { ledger[$0] }.filter { $0.state == .delivering && !$0.hasLeft }.map(
            \.transaction)
        // Open until the restores were asked: a restore that waits for the purchase delivers it itself.
        for transaction in failed { ledger.setState(.open, of: transaction.token, now: now) }
        endDeliveries(of: tokens, offering: failed)
    }

    /// Continues everything that has waited for deliveries.
    /// - Parameter failed: The transactions to offer to the subscribers, unless a restore takes them.
    mutating func endDeliveries(of tokens: [TransactionToken], offering failed: [StoreTransaction] = []) {
        // The order decides who is next: restores, because their calls wait; then subscribers and the other entries of
        // the purchase; then new deliveries, which the ended ones have blocked.
        let siblings = tokens.flatMap { ledger.endDelivery(of: $0) ?? [] }
        continueRestores()
        offerToSubscribers(failed.filter { ledger[$0.token]?.state == .open && !isSettled($0) })
        settleOpen(siblings)
        startDeliveries()
    }
}
