/// Whether a restore is running, who waits for it, and what it has brought.
///
/// StoreKit runs one at a time and ignores a second one, so a second one is refused here. Cancelling the wait does not end
/// the restore. What it has brought is known until then: the answer to a payment may be among it.
struct RestoreStateMachine: Sendable {
    /// Whether a restore is running.
    enum Phase: Sendable, Hashable {
        /// None runs.
        case idle
        /// This one runs, and somebody waits for it: restored rows are its own.
        case awaited(CallID)
        /// This one runs, and nobody waits for it any longer: its rows are nobody's.
        case abandoned(CallID)

        /// The restore that runs.
        var id: CallID? {
            switch self {
            case .idle: nil
            case .awaited(let id), .abandoned(let id): id
            }
        }
    }

    private(set) var phase = Phase.idle
    private var rows: [StoreTransaction] = []

    /// A call wants to restore. False when another restore runs, and the call is to be refused.
    mutating func begin(_ id: CallID) -> Bool {
        guard phase == .idle else { return false }
        phase = .awaited(id)
        return true
    }

    /// Restored transactions came. They are the call's, if it still waits when the restore ends.
    mutating func add(_ rows: [StoreTransaction]) {
        guard phase != .idle else { return }
        self.rows += rows
    }

    enum EndAction: Equatable {
        /// No restore runs.
        case notRunning
        /// This restore has ended, and nobody waited for it. The rows belong to nobody.
        case unawaited(CallID, rows: [StoreTransaction])
        /// The call's answer. On failure the rows belong to nobody.
        case answer(CallID, rows: [StoreTransaction])
    }

    /// StoreKit says that the restore is over.
    mutating func end() -> EndAction {
        defer {
            phase = .idle
            rows = []
        }
        return switch phase {
        case .idle: .notRunning
        case .awaited(let id): .answer(id, rows: rows)
        case .abandoned(let id): .unawaited(id, rows: rows)
        }
    }

    /// The time is over in which something should have been heard of this restore.
    mutating func timeOut(_ id: CallID) -> EndAction {
        phase.id == id ? end() : .notRunning
    }

    enum CancelAction: Equatable {
        /// This call's restore has ended, or never began.
        case none
        /// The call is to be answered; what came so far belongs to nobody. The restore goes on.
        case abandon(rows: [StoreTransaction])
    }

    /// The call no longer waits.
    mutating func cancel(_ id: CallID) -> CancelAction {
        guard phase == .awaited(id) else { return .none }
        phase = .abandoned(id)
        return .abandon(rows: rows)
    }
}
