import Foundation

/// Items at times of the virtual clock, earliest first. Items with the same date are in the order of their addition.
struct Schedule<Item> {
    private var items: [(date: Date, item: Item)] = []

    var nextDate: Date? { items.first?.date }

    mutating func add(_ item: Item, at date: Date) {
        // Most items are later than all others.
        items.insert((date, item), at: items.lastIndex { $0.date <= date }.map { $0 + 1 } ?? 0)
    }

    /// Removes and returns the first item that is due by a date, with its own date.
    mutating func popFirst(dueBy date: Date) -> (date: Date, item: Item)? {
        nextDate.map { $0 <= date } ?? false ? items.removeFirst() : nil
    }

    /// Removes and returns the first item that a closure selects.
    mutating func remove(where isRemoved: (Item) -> Bool) -> Item? {
        items.firstIndex { isRemoved($0.item) }.map { items.remove(at: $0).item }
    }
}

/// The timers that clients set on the virtual clock.
struct TimerState {
    private var timers = Schedule<(id: UInt64, handler: @Sendable () -> Void)>()
    private var lastID: UInt64 = 0

    var nextDate: Date? { timers.nextDate }

    /// Returns a new identifier, and adds a timer if the handler isn't `nil`.
    mutating func add(_ handler: (@Sendable () -> Void)?, at date: Date) -> UInt64 {
        lastID += 1
        if let handler { timers.add((lastID, handler), at: date) }
        return lastID
    }

    /// Removes a timer, and returns its handler unless the timer has fired.
    mutating func remove(_ id: UInt64) -> (@Sendable () -> Void)? {
        timers.remove { $0.id == id }?.handler
    }

    /// Removes the timers that are due by a date and returns their handlers in order.
    mutating func takeDue(by date: Date) -> [@Sendable () -> Void] {
        var due: [@Sendable () -> Void] = []
        while let timer = timers.popFirst(dueBy: date) { due.append(timer.item.handler) }
        return due
    }
}

extension EngineState {
    /// The longest single advance of the clock, in seconds: a hundred years.
    static let longestAdvance: TimeInterval = 100 * 365.25 * 86_400

    /// Advances the clock to real time, if the clock follows it. An advance of the virtual clock stays.
    mutating func followRealTime() {
        guard let offset = realTimeOffset else { return }
        // Signed texts have milliseconds.
        let seconds = (Date().timeIntervalSince1970 * 1_000).rounded(.down) / 1_000
        let date = Date(timeIntervalSince1970: seconds + offset)
        if date < now { realTimeOffset = offset + now.timeIntervalSince(date) } else { runSchedule(until: date) }
    }

    /// Returns the time until the next scheduled event, if the store doesn't wait for it yet. An event that is more
    /// than a day away is performed when the store is used then.
    mutating func nextWake() -> (date: Date, delay: TimeInterval)? {
        guard realTimeOffset != nil, let next = schedule.nextDate, wake.map({ next < $0 }) ?? true else { return nil }
        let delay = next.timeIntervalSince(now)
        guard delay < 86_400 else { return nil }
        wake = next
        return (next, max(0, delay) + 0.001)
    }

    /// Performs the events that are due by a date, in order and each at its own time, and advances the clock to the
    /// date.
    mutating func runSchedule(until date: Date) {
        while let due = schedule.popFirst(dueBy: date) {
            now = max(now, due.date)
            switch due.item {
            case .subscription(let event, let key, let generation): perform(event, of: key, generation: generation)
            case .updateFollows(let row, let number):
                onEveryDevice { if $0.device.launch.number == number { $0.announce(row: row) } }
            case .downloadProgresses(let id, let generation): handleDownloadProgress(id, generation: generation)
            case .receiptCatchesUp(let row, let number):
                let acting = activate(number)
                device.receipt.add(row, at: now)
                activate(acting)
            }
        }
        now = max(now, date)
    }
}
