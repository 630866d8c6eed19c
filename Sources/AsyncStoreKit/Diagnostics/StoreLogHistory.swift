import Foundation

/// The last log events of a store in memory, from notices up. Support reads them when a customer writes.
final class StoreLogHistory: Sendable {
    /// The number of events that are kept.
    static let capacity = 100

    private let recorded = Locked<[(event: StoreLogEvent, date: Date)]>([])
    private let clock: any StoreClock

    init(clock: any StoreClock) {
        self.clock = clock
    }

    /// The events as lines with time and level, oldest first.
    var events: [String] {
        recorded.withLock { $0 }.map { StoreLogSink.line($0.event, at: $0.date) }
    }

    func record(_ event: StoreLogEvent) {
        guard event.level >= .notice else { return }
        let date = clock.now
        recorded.withLock { recorded in
            recorded.append((event, date))
            if recorded.count > Self.capacity { recorded.removeFirst(recorded.count - Self.capacity) }
        }
    }
}

extension Error {
    /// The part of an error that may be logged: a domain, a code, and the last component of a path. A description often
    /// contains a URL, a path or a name.
    package var nameForLog: String {
        switch self {
        case let error as StoreError: return error.description
        case is CancellationError: return "cancelled"
        default: break
        }
        let error = self as NSError
        let path = error.userInfo[NSFilePathErrorKey] as? String
        let url = path.map { URL(fileURLWithPath: $0) } ?? (error.userInfo[NSURLErrorKey] as? URL)
        let file = url.flatMap { $0.isFileURL ? " (\($0.lastPathComponent))" : nil } ?? ""
        return "\(error.domain) \(error.code)\(file)"
    }
}
