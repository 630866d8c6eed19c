import Foundation

// Answers that report a delivery. They wait until the App Store has finished the transactions: an app that is
// terminated after the answer must not deliver the purchase again in its next launch.
extension StoreStateMachine {
    /// How long an answer waits for the App Store, in seconds in which the app runs.
    static let finishLimit: TimeInterval = 5

    /// An answer, and the transactions that aren't finished yet.
    struct HeldAnswer: Sendable {
        let id: CallID
        let action: StoreAction
        let since: Date
        var tokens: Set<TransactionToken>
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
        let unfinished = finishing.isEmpty ? [] : finishing.intersection(tokens)
        guard !unfinished.isEmpty, termination == nil else { return actions.append(action) }
        heldAnswers.append(HeldAnswer(id: id, action: action, since: now, tokens: unfinished))
        if !isRunning(.finishLimit) { start(.finishLimit, seconds: Self.finishLimit) }
    }

    /// Records that the App Store has finished a transaction.
    mutating func finished(_ token: TransactionToken) {
        finishing.remove(token)
        for index in heldAnswers.indices { heldAnswers[index].tokens.remove(token) }
        releaseAnswers { $0.tokens.isEmpty }
    }

    /// Gives the answers that have waited for the limit.
    mutating func finishLimitReached() {
        // The timer's date is computed from an interval, and can be earlier by the last digit.
        let due = now.addingTimeInterval(0.5 - Self.finishLimit)
        releaseAnswers { $0.since <= due }
        guard let next = heldAnswers.first else { return }
        start(.finishLimit, seconds: max(1, Self.finishLimit - now.timeIntervalSince(next.since)))
    }

    /// Gives the answers to which a condition applies, in their order.
    mutating func releaseAnswers(where isDue: (HeldAnswer) -> Bool = { _ in true }) {
        guard !heldAnswers.isEmpty else { return }
        actions += heldAnswers.filter(isDue).map(\.action)
        heldAnswers.removeAll(where: isDue)
    }
}
