import AppReceipt
import Foundation

/// The pauses before failed deliveries are tried again.
struct DeliveryRetryPolicy: Sendable, Hashable {
    /// The longest pause that the policy chooses, in seconds: an hour.
    var longestBackoff: TimeInterval = 3_600
    /// The longest pause that a delivery may request, in seconds: a day. The next launch tries again anyway.
    var longestPause: TimeInterval = 86_400

    /// Returns the pause before another attempt.
    /// - Parameter asked: The requested pause in seconds; `nil` for a pause that grows with the failures in a row.
    func pause(
        failures: Int, asked: TimeInterval?, because answer: DeliveryAnswer?, key: String, now: Date
    ) -> DeliveryPause {
        let seconds = seconds(failures: failures, asked: asked, key: key)
        // A return of the app doesn't shorten a pause that was requested, or that follows a server's response. After an
        // hour it does, because the request may be wrong.
        let isRequested = asked.map { $0 >= 0 } ?? false || answer?.status != nil
        let end = now + seconds
        return DeliveryPause(
            begin: now, end: end, endOnReturn: isRequested ? min(end, now + longestBackoff) : now)
    }

    /// Returns the length of a pause: the requested one if it's valid, or else an exponential backoff minus jitter.
    ///
    /// A server or an app asks all customers for the same pause, often until the same date. A requested pause is
    /// therefore extended by a jitter of up to its own length, at most an hour. The limit of a day applies before the
    /// jitter.
    func seconds(failures: Int, asked: TimeInterval?, key: String) -> TimeInterval {
        let jitter = jitter(attempt: failures, key: key)
        guard let asked, asked >= 0 else { return backoff(failures: failures) * (1 - jitter / 3) }
        let pause = min(asked, longestPause)
        return pause + min(pause, longestBackoff) * jitter
    }

    /// The longest pause after a number of failures, in seconds: four times as long each time.
    func backoff(failures: Int) -> TimeInterval {
        min(longestBackoff, pow(4, Double(max(1, min(failures, 12)) - 1)))
    }

    /// A number from 0 up to 1 that differs between purchases and attempts.
    ///
    /// The jitter spreads the requests of many devices after an outage of a server. It's derived from the delivery key,
    /// so that the same purchase always has the same pauses.
    func jitter(attempt: Int, key: String) -> Double {
        // FNV-1a, whose low bits change most with the last bytes, then the finalizer of MurmurHash3, which spreads
        // them.
        var hash = FNV1a.hash("\(key)#\(attempt)".utf8)
        hash = (hash ^ (hash >> 33)) &* 0xff51_afd7_ed55_8ccd
        hash = (hash ^ (hash >> 33)) &* 0xc4ce_b9fe_1a85_ec53
        hash ^= hash >> 33
        return Double(hash >> 11) / Double(1 << 53 as UInt64)
    }
}

/// A pause between two attempts.
struct DeliveryPause: Sendable, Hashable {
    let begin: Date
    let end: Date
    /// When a return of the app or of the network ends the pause.
    let endOnReturn: Date

    /// A clock that was set back ends the pause, which could otherwise last for years.
    func isOver(at now: Date, isReturn: Bool = false) -> Bool {
        now < begin || now >= (isReturn ? endOnReturn : end)
    }
}
