import Foundation

/// Decides when the unfinished transactions are read: one read at a time, and another one if it was requested then.
struct UnfinishedReadSchedule: Sendable {
    /// How long a read may run, in seconds, before another one begins beside it: StoreKit may never answer.
    static let limit: TimeInterval = 30

    private var running: (read: StoreKit2Queue.Read, isRepeated: Bool)?

    /// Requests a read.
    /// - Returns: Whether to begin a read now. Otherwise, ``readEnded(_:)`` of the running read requests another one.
    mutating func requestRead(at now: Date) -> Bool {
        guard let running, (0..<Self.limit).contains(now.timeIntervalSince(running.read.date)) else { return true }
        self.running = (running.read, true)
        return false
    }

    /// Records the read that begins. The result of an earlier read no longer ends the wait.
    mutating func readStarted(_ read: StoreKit2Queue.Read) {
        running = (read, false)
    }

    /// Records the end of a read. Returns whether to request another one.
    mutating func readEnded(_ read: StoreKit2Queue.Read) -> Bool {
        guard let running, running.read == read else { return false }
        self.running = nil
        return running.isRepeated
    }
}
