import Foundation

/// When the device is read again while a read has left a question open.
struct RereadPolicy: Sendable {
    /// The seconds between the first reads. Each pause follows a read that settled nothing.
    var firstPauses: [TimeInterval] = [1, 2, 5, 15, 60]
    /// The seconds between all later reads.
    var laterPause: TimeInterval = 300

    /// Returns the seconds to wait after a number of reads in a row that settled nothing, 1 or more.
    func pause(afterUnsettledReads count: Int) -> TimeInterval {
        firstPauses.indices.contains(count - 1) ? firstPauses[count - 1] : laterPause
    }
}
