import Foundation

/// What is due at a time of the virtual clock, the earliest first; what is due at the same time, in the order in which it was added.
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

    /// Takes out the first item that is due at this time, with its own time.
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
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && heap[child].isBefore(heap[least]) {
                least = child
            }
            guard least != parent else { return }
            heap.swapAt(parent, least)
            parent = least
        }
    }
}

extension EngineState {
    /// The most by which the clock is advanced at once, in seconds: a hundred years.
    static let longestAdvance: TimeInterval = 100 * 365.25 * 86_400

    /// Does everything that is due by a date, in order and each at its own time; the clock stands at the date afterwards.
    mutating func runSchedule(until date: Date) {
        while let due = schedule.popFirst(dueBy: date) {
            now = max(now, due.date)
            switch due.item {
            case .periodEnds(let key, let generation): periodEnds(key, generation: generation)
            case .gracePeriodEnds(let key, let generation): gracePeriodEnds(key, generation: generation)
            case .flickerEnds(let key, let generation): flickerEnds(key, generation: generation)
            case .billingRetries(let key, let generation): billingRetries(key, generation: generation)
            case .billingRetryEnds(let key, let generation): billingRetryEnds(key, generation: generation)
            case .updateFollows(let row, let number):
                onEveryDevice { if $0.device.launch.number == number { $0.announce(row: row) } }
            case .downloadProgresses(let id, let generation): downloadProgresses(id, generation: generation)
            case .receiptCatchesUp(let row, let number):
                let acting = activate(number)
                device.receipt.hold(row, at: now)
                activate(acting)
            }
        }
        now = max(now, date)
    }
}
