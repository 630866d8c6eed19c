import Foundation

/// The timers that clients set on the virtual clock.
struct TimerState {
    private struct Timer {
        let id: UInt64
        let date: Date
        let handler: @Sendable () -> Void
    }

    /// Sorted by date, then by creation.
    private var timers: [Timer] = []
    private var lastID: UInt64 = 0

    var nextDate: Date? { timers.first?.date }

    /// Returns a new identifier, and adds a timer if the handler isn't `nil`.
    mutating func add(_ handler: (@Sendable () -> Void)?, at date: Date) -> UInt64 {
        lastID += 1
        guard let handler else { return lastID }
        // Most timers are later than all others.
        var index = timers.count
        while index > 0, timers[index - 1].date > date {
            index -= 1
        }
        timers.insert(Timer(id: lastID, date: date, handler: handler), at: index)
        return lastID
    }

    /// Removes a timer, and returns its handler unless the timer has fired.
    mutating func remove(_ id: UInt64) -> (@Sendable () -> Void)? {
        guard let index = timers.firstIndex(where: { $0.id == id }) else { return nil }
        return timers.remove(at: index).handler
    }

    /// Removes the timers that are due by a date and returns their handlers in order.
    mutating func takeDue(by date: Date) -> [@Sendable () -> Void] {
        let due = timers.prefix { $0.date <= date }
        timers.removeFirst(due.count)
        return due.map(\.handler)
    }
}
