import Foundation

/// When the device is read again because reads have left a question open.
struct RereadSchedule: Sendable {
    private let timing: EntitlementTiming
    /// How many reads in a row have left a question open.
    private var unsettledReads = 0
    /// The date of the next read, if any.
    private(set) var next: Date?

    init(_ timing: EntitlementTiming) {
        self.timing = timing
    }

    /// Ends the repetition: no question is open, or an event causes a read. After that, the pauses start over.
    mutating func reset() {
        (unsettledReads, next) = (0, nil)
    }

    /// Schedules the read after one that has left a question open.
    /// - Parameters:
    ///   - begun: When that read began. A requested read doesn't delay the scheduled one.
    ///   - isRepeatedForever: Whether the device may answer without an event. Otherwise, only the first pauses follow.
    mutating func addUnsettledRead(begun: Date, isRepeatedForever: Bool, at now: Date) {
        if let next, begun < next { return }
        unsettledReads += 1
        let ends = !isRepeatedForever && unsettledReads > timing.firstPauses.count
        next = ends ? nil : now.addingTimeInterval(timing.pause(afterUnsettledReads: unsettledReads))
    }
}
