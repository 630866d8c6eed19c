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
    /// How long reads have to be the same to confirm an answer that the device contradicts.
    var contradiction: TimeInterval = 80
    /// The seconds between the first reads. Each pause follows a read that has left a question open.
    var firstPauses: [TimeInterval] = [1, 2, 5, 15, 60]
    /// The pauses after those: every five minutes for an hour, and every 15 minutes for a day.
    var laterPauses: [(count: Int, seconds: TimeInterval)] = [(12, 300), (92, 900)]
    /// The seconds between all later reads.
    var lastPause: TimeInterval = 3_600

    /// Returns the seconds to wait after a number of reads in a row that have left a question open, 1 or more.
    func pause(afterUnsettledReads count: Int) -> TimeInterval {
        if firstPauses.indices.contains(count - 1) { return firstPauses[count - 1] }
        var later = count - firstPauses.count
        for pauses in laterPauses {
            if later <= pauses.count { return pauses.seconds }
            later -= pauses.count
        }
        return lastPause
    }
}
