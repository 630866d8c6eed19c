import Foundation

extension EngineState {
    /// The most by which the clock moves in one go, in seconds: a hundred years.
    static let longestAdvance: TimeInterval = 100 * 365.25 * 86_400

    /// Moves the clock, and does on the way what is due.
    mutating func advance(by seconds: TimeInterval) {
        guard seconds > 0 else { return happen(until: now) }
        happen(until: now.addingTimeInterval(min(seconds, Self.longestAdvance)))
    }

    /// Does everything that is due by a date, in order, each thing at its own time; the clock stands at the date afterwards.
    mutating func happen(until date: Date) {
        while let due = agenda.popFirst(dueBy: date) {
            now = max(now, due.date)
            switch due.item {
            case .periodEnds(let group, let generation): periodEnds(group: group, generation: generation)
            case .billingRetryEnds(let group, let generation): billingRetryEnds(group: group, generation: generation)
            case .downloadProgresses(let id, let generation): downloadProgresses(id, generation: generation)
            case .receiptCatchesUp(let row): account.receipt.hold(row, at: now)
            }
        }
        now = max(now, date)
    }
}
