import AppReceipt
import Foundation

/// The pauses before failed deliveries are tried again.
struct DeliveryRetryPolicy: Sendable, Hashable {
    /// The longest pause that the policy chooses, in seconds.
    var longestBackoff: TimeInterval = 300
    /// The longest pause that a delivery may ask for, in seconds: a day. The next launch tries again anyway.
    var longestPause: TimeInterval = 86_400

    /// The pause before an attempt, 1-based, in seconds: the requested one if it's valid, or else an exponential
    /// backoff minus jitter.
    /// - Parameter key: The delivery key, from which the jitter is derived.
    func pause(asked: TimeInterval?, attempt: Int, key: String) -> TimeInterval {
        if let asked, asked >= 0 { return min(asked, longestPause) }
        return backoff(attempt: attempt) * (1 - jitter(attempt: attempt, key: key) / 2)
    }

    /// The longest wait before the given attempt, 1-based, in seconds: doubled each time.
    func backoff(attempt: Int) -> TimeInterval {
        min(longestBackoff, pow(2, Double(max(1, min(attempt, 12)) - 1)))
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
