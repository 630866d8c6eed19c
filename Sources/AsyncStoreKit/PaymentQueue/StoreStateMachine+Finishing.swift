import Foundation

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
    /// - Parameter isRejected: Whether there is nothing to deliver.
    mutating func recordDelivery(of token: TransactionToken, isRejected: Bool = false) {
        let keepsContent = contentReports?[token] != nil
        if ledger.delivered(token, isRejected: isRejected, keepsContent: keepsContent) { requestFinish(token) }
        finish(ledger.siblings(of: token))
    }

    private static let finishedBefore = StoreError(.transactionFinished, "The transaction has been finished before.")

    /// Finishes entries that have nothing to deliver: failed ones, and other entries of a delivered purchase.
    mutating func finish(_ tokens: [TransactionToken]) {
        for token in tokens {
            if case .finish = ledger.finish(token, keepsContent: contentReports?[token] != nil) { requestFinish(token) }
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

// Answers that wait for StoreKit. An answer that reports a delivery waits until the App Store has finished the
// transactions: an app that is terminated after the answer must not deliver the purchase again in its next launch. An
// answer that lists unfinished transactions waits until StoreKit has listed those of the launch.
extension StoreStateMachine {
    /// How long an answer waits for the App Store to finish transactions, in seconds in which the app runs.
    static let finishLimit: TimeInterval = 5
    /// How long an answer waits for the transactions of the launch, in seconds in which the app runs.
    static let listLimit: TimeInterval = 2

    /// An event that an answer waits for.
    enum AwaitedEvent: Sendable, Hashable {
        case finish(TransactionToken), initialTransactions
    }

    /// An answer, and the events that it waits for.
    struct HeldAnswer: Sendable {
        let id: CallID
        let action: StoreAction
        /// When the answer is given in any case.
        let limit: Date
        var awaited: Set<AwaitedEvent>
    }

    struct Answers: Sendable {
        /// Whether the backend takes time to finish a transaction, and reports the end.
        var waitsForFinish = false
        var finishing: Set<TransactionToken> = []
        /// Whether the queue has reported the transactions that were in it at the launch.
        var knowsInitialTransactions = false
        /// Oldest first.
        var held: [HeldAnswer] = []
    }

    /// Answers a call without a value.
    mutating func answer(
        _ id: CallID, _ result: Result<Void, StoreError> = .success(()), afterFinishing tokens: [TransactionToken] = []
    ) {
        if case .failure(let error) = result { return actions.append(.answer(id, error)) }
        answer(id, .answer(id, nil), afterFinishing: tokens)
    }

    /// Answers a call when its transactions are finished, or after the limit.
    mutating func answer(_ id: CallID, _ action: StoreAction, afterFinishing tokens: [TransactionToken]) {
        let unfinished = answers.finishing.isEmpty ? [] : answers.finishing.intersection(tokens)
        answer(id, action, after: Set(unfinished.map(AwaitedEvent.finish)), within: Self.finishLimit)
    }

    /// Answers a call when the queue has reported the transactions that were in it at the launch, or after the limit.
    mutating func answerKnowingInitialTransactions(_ id: CallID) {
        let events: Set<AwaitedEvent> = answers.knowsInitialTransactions ? [] : [.initialTransactions]
        answer(id, .answer(id, nil), after: events, within: Self.listLimit)
    }

    private mutating func answer(
        _ id: CallID, _ action: StoreAction, after events: Set<AwaitedEvent>, within seconds: TimeInterval
    ) {
        guard !events.isEmpty, termination == nil else { return actions.append(action) }
        let limit = now + seconds
        answers.held.append(HeldAnswer(id: id, action: action, limit: limit, awaited: events))
        if timers[.answerLimit].map({ limit < $0 }) ?? true { start(.answerLimit, seconds: seconds) }
    }

    /// Records that the App Store has finished a transaction.
    mutating func finished(_ token: TransactionToken) {
        answers.finishing.remove(token)
        happened(.finish(token))
    }

    /// Records that the queue has reported the transactions that were in it at the launch.
    mutating func initialTransactionsReported() {
        answers.knowsInitialTransactions = true
        happened(.initialTransactions)
    }

    private mutating func happened(_ event: AwaitedEvent) {
        for index in answers.held.indices { answers.held[index].awaited.remove(event) }
        releaseAnswers { $0.awaited.isEmpty }
    }

    /// Gives the answers that have waited for the limit.
    mutating func answerLimitReached() {
        // Later questions don't wait again.
        if answers.held.contains(where: { $0.limit <= now && $0.awaited.contains(.initialTransactions) }) {
            answers.knowsInitialTransactions = true
        }
        releaseAnswers { [now] in $0.limit <= now }
        guard let next = answers.held.lazy.map(\.limit).min() else { return }
        start(.answerLimit, seconds: next.timeIntervalSince(now), until: next)
    }

    /// Gives the answers to which a condition applies, in their order.
    mutating func releaseAnswers(where isDue: (HeldAnswer) -> Bool = { _ in true }) {
        guard !answers.held.isEmpty else { return }
        actions += answers.held.filter(isDue).map(\.action)
        answers.held.removeAll(where: isDue)
    }
}
