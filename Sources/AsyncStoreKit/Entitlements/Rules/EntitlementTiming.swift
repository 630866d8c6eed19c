import Foundation

/// How long the rules wait for evidence, and when the device is read again, in seconds.
struct EntitlementTiming: Sendable {
    /// How long the end of a period, and the absence of a purchase, has to last. StoreKit 2 says "expired" for up to
    /// 0.7 seconds before each renewal.
    var lapse: TimeInterval = 2
    /// How late a renewal may be, unless Apple has signed that the subscription won't renew.
    var renewalDelay: TimeInterval = 60
    /// How long a reported purchase may be missing from the listing.
    var reportDuration: TimeInterval = 300
    /// How long access lasts that no read confirms, ``StoreConfiguration/entitlementCacheLifetime``.
    var unconfirmedAccess: TimeInterval = 35 * 86_400
    /// How long a status may give access after the period, by signed dates: longer than Apple's longest grace period.
    var statusDuration: TimeInterval = 35 * 86_400
    /// How long reads have to be the same to confirm an answer that the device contradicts.
    var contradiction: TimeInterval = 80
    /// The pauses before the checks of a launch's first answer, in seconds: a list can lag behind the purchases.
    var launchChecks: [TimeInterval] = [5, 15]
    /// The seconds between the first reads. Each pause follows a read that has left a question open.
    var firstPauses: [TimeInterval] = [1, 2, 5, 15, 60]
    /// The seconds between all reads after every five minutes for an hour, and every 15 minutes for a day.
    var lastPause: TimeInterval = 3_600

    /// Returns the seconds to wait after a number of reads in a row that have left a question open, 1 or more.
    func pause(afterUnsettledReads count: Int) -> TimeInterval {
        switch count - firstPauses.count {
        case ...0: firstPauses[count - 1]
        case ...12: 300
        case ...104: 900
        default: lastPause
        }
    }
}

/// When the device is read again: because reads have left a question open, or to check the first answer of a launch.
struct RereadSchedule: Sendable {
    private let timing: EntitlementTiming
    /// How many reads in a row have left a question open.
    private var unsettledReads = 0
    /// The pauses before the checks that are left.
    var checks: ArraySlice<TimeInterval>
    /// The date of the next read, if any.
    private(set) var next: Date?

    init(_ timing: EntitlementTiming) {
        self.timing = timing
        checks = timing.launchChecks[...]
    }

    /// Starts the pauses over, because an event causes a read.
    mutating func reset() {
        (unsettledReads, next) = (0, nil)
    }

    /// Schedules the check after a read that has left no question open.
    /// - Parameter begun: When that read began. A requested read doesn't delay the scheduled one.
    mutating func addSettledRead(begun: Date, at now: Date) {
        if unsettledReads == 0, let next, begun < next { return }
        reset()
        next = checks.popFirst().map(now.addingTimeInterval)
    }

    /// Schedules the read after one that has left a question open.
    /// - Parameters:
    ///   - begun: When that read began. A requested read doesn't delay the scheduled one.
    ///   - isRepeatedForever: Whether the device may answer without an event. Otherwise, only the first pauses follow.
    mutating func addUnsettledRead(begun: Date, isRepeatedForever: Bool, at now: Date) {
        if unsettledReads > 0, let next, begun < next { return }
        unsettledReads += 1
        let ends = !isRepeatedForever && unsettledReads > timing.firstPauses.count
        next = ends ? nil : now.addingTimeInterval(timing.pause(afterUnsettledReads: unsettledReads))
    }
}

/// The reads of the device, one at a time, and the calls that wait for them.
struct EntitlementReads: Sendable {
    /// A read of the device.
    struct Reading: Sendable {
        let id = CallID()
        /// How many events had been received when the read began.
        let events: Int
        /// When the read began; before that, when it was requested.
        var begun: Date
        /// The subscription groups whose status is to be read in any case.
        let groups: Set<String>
    }

    private(set) var running: Reading?
    /// The last read that has ended.
    private(set) var last: Reading?
    /// How many events have been received, and requests for a new read.
    var events = 0
    /// The calls that wait for a read that begins after a number of events.
    var waiters: [(call: CallID, events: Int)] = []

    /// Returns the next read; `nil` while one is running.
    mutating func begin(_ groups: Set<String>, at now: Date) -> Reading? {
        guard running == nil else { return nil }
        running = Reading(events: events, begun: now, groups: groups)
        return running
    }

    /// Ends a read. Returns the calls that it answers; `nil` for a read that was abandoned.
    mutating func end(_ read: Reading) -> [CallID]? {
        guard running?.id == read.id else { return nil }
        (running, last) = (nil, read)
        defer { waiters.removeAll { $0.events <= read.events } }
        return waiters.filter { $0.events <= read.events }.map(\.call)
    }
}
