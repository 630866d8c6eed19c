/// Tracks whether a restore is running, which call waits for it, and the transactions that it has restored.
///
/// StoreKit runs one restore at a time and ignores a second one, so a second call is rejected. Canceling a call
/// doesn't end StoreKit's restore. Its transactions are kept until it ends, because one of them may answer a payment.
struct RestoreStateMachine: Sendable {
    /// Whether a restore is running.
    enum Phase: Sendable, Hashable {
        /// No restore is running.
        case idle
        /// A restore is running, and its call waits: restored transactions belong to the call.
        case awaited(CallID)
        /// A restore is running, and its call has ended: restored transactions don't belong to a call.
        case abandoned(CallID)

        /// The running restore.
        var id: CallID? {
            switch self {
            case .idle: nil
            case .awaited(let id), .abandoned(let id): id
            }
        }
    }

    private(set) var phase = Phase.idle
    private var rows: [StoreTransaction] = []

    /// Begins a restore. Returns `false` if another restore is running.
    mutating func restoreRequested(_ id: CallID) -> Bool {
        guard phase == .idle else { return false }
        phase = .awaited(id)
        return true
    }

    /// Adds restored transactions. They belong to the call if it still waits when the restore ends.
    mutating func rowsReported(_ rows: [StoreTransaction]) {
        guard phase != .idle else { return }
        self.rows += rows
    }

    /// A restore that has ended, with its phase before; ``Phase/idle`` if no restore was running.
    typealias Ended = (phase: Phase, rows: [StoreTransaction])

    /// Ends the restore: StoreKit has reported the end.
    mutating func restoreEnded() -> Ended {
        defer { (phase, rows) = (.idle, []) }
        return (phase, rows)
    }

    /// Ends the restore because StoreKit has been silent for too long.
    mutating func timeOut(_ id: CallID) -> Ended { phase.id == id ? restoreEnded() : (.idle, []) }

    /// Cancels the call. The restore continues. Returns the rows so far; `nil` if the call doesn't wait for StoreKit.
    mutating func cancel(_ id: CallID) -> [StoreTransaction]? {
        guard phase == .awaited(id) else { return nil }
        phase = .abandoned(id)
        return rows
    }
}
