import Foundation

/// The scheduled events of the virtual clock, earliest first. Events with the same date are in the order of their
/// addition.
struct Schedule<Item> {
    private struct Entry {
        let date: Date
        let sequence: UInt64
        let item: Item

        func isBefore(_ other: Entry) -> Bool {
            date == other.date ? sequence < other.sequence : date < other.date
        }
    }

    /// A binary heap.
    private var heap: [Entry] = []
    private var sequence: UInt64 = 0

    var nextDate: Date? { heap.first?.date }

    mutating func add(_ item: Item, at date: Date) {
        sequence += 1
        heap.append(Entry(date: date, sequence: sequence, item: item))
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child].isBefore(heap[parent]) else { return }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    /// Removes and returns the first item that is due by a date, with its own date.
    mutating func popFirst(dueBy date: Date) -> (date: Date, item: Item)? {
        guard let first = heap.first, first.date <= date else { return nil }
        let last = heap.removeLast()
        if !heap.isEmpty {
            heap[0] = last
            sink()
        }
        return (first.date, first.item)
    }

    mutating func removeAll() {
        heap = []
    }

    private mutating func sink() {
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && heap[child].isBefore(heap[least])
            {
                least = child
            }
            guard least != parent else { return }
            heap.swapAt(parent, least)
            parent = least
        }
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
    mutating func delayOfNextWake() -> TimeInterval? {
        guard realTimeOffset != nil, let next = schedule.nextDate, wake.map({ next < $0 }) ?? true else { return nil }
        let delay = next.timeIntervalSince(now)
        guard delay < 86_400 else { return nil }
        wake = next
        return max(0, delay) + 0.001
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
