/// Whether a restore is running, who waits for it, and what it has brought.
///
/// StoreKit runs one at a time and ignores a second one, so a second one is refused here. Cancelling the wait does not end
/// the restore.
struct RestoreStateMachine: Sendable {
    private struct Running: Sendable {
        let id: CallID
        var isAwaited: Bool
        var rows: [StoreTransaction]
    }

    private var running: Running?
    private var cancelledEarly: Set<CallID> = []

    var isRunning: Bool { running != nil }

    enum BeginAction: Equatable {
        /// StoreKit is to be asked.
        case start
        /// Another one runs.
        case refuse
        /// The call was cancelled before it came.
        case cancelled
    }

    mutating func begin(_ id: CallID) -> BeginAction {
        guard cancelledEarly.remove(id) == nil else { return .cancelled }
        guard running == nil else { return .refuse }
        running = Running(id: id, isAwaited: true, rows: [])
        return .start
    }

    enum ClaimAction: Equatable {
        /// No restore runs: the rows are nobody's.
        case notRunning
        /// This restore runs, but nobody waits for it any longer: the rows are nobody's.
        case unawaited(CallID)
        /// The rows are kept until this restore ends.
        case claimed(CallID)
    }

    /// Restored transactions came.
    mutating func claim(_ rows: [StoreTransaction]) -> ClaimAction {
        guard let current = running else { return .notRunning }
        guard current.isAwaited else { return .unawaited(current.id) }
        running?.rows += rows
        return .claimed(current.id)
    }

    enum EndAction: Equatable {
        /// No restore runs.
        case notRunning
        /// This restore has ended, and nobody waited for it.
        case unawaited(CallID)
        /// The call's answer. On failure the rows belong to nobody.
        case answer(CallID, rows: [StoreTransaction])
    }

    /// StoreKit says that the restore is over.
    mutating func end() -> EndAction {
        guard let ended = running else { return .notRunning }
        running = nil
        return ended.isAwaited ? .answer(ended.id, rows: ended.rows) : .unawaited(ended.id)
    }

    /// The time is over in which something should have been heard of this restore.
    mutating func timeOut(_ id: CallID) -> EndAction {
        running?.id == id ? end() : .notRunning
    }

    enum CancelAction: Equatable {
        /// The call is not known yet, or has ended.
        case remember
        /// The call is to be answered; what came so far belongs to nobody. The restore goes on.
        case abandon(rows: [StoreTransaction])
    }

    mutating func cancel(_ id: CallID) -> CancelAction {
        guard let current = running, current.id == id, current.isAwaited else {
            cancelledEarly.insert(id)
            return .remember
        }
        running?.isAwaited = false
        running?.rows = []
        return .abandon(rows: current.rows)
    }

    mutating func forget(_ id: CallID) {
        cancelledEarly.remove(id)
    }
}
