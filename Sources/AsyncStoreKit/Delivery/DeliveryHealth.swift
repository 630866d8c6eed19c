import Foundation

/// Whether the app's server is failing, and when to try again.
///
/// A failed delivery delays all purchases, because the server or the network causes most failures. While the server
/// fails, one purchase at a time probes it, and the others wait. The first success ends the wait for all.
struct DeliveryHealth: Sendable, Hashable {
    /// The number of pauses since the last success.
    private(set) var failures = 0
    /// The pause before the next probe; `nil` if the server doesn't fail.
    private(set) var pause: DeliveryPause?
    /// Whether an event has ended the pause.
    private var isHastened = false
    /// Whether an event had ended the pause before the last purchase was sent.
    private var wasHastened = false

    /// Returns whether a purchase without a waiting call may be sent. A call's purchase always may.
    /// - Parameter isIdle: Whether no other such purchase is on its way.
    func allowsDelivery(isIdle: Bool, now: Date) -> Bool {
        guard let pause else { return true }
        return isIdle && (isHastened || pause.isOver(at: now))
    }

    /// Ends the pause before its end. The next failure doesn't begin a longer one.
    mutating func endPause() {
        isHastened = pause != nil
    }

    /// Records that a purchase without a waiting call is sent.
    mutating func deliveryStarted() {
        (isHastened, wasHastened) = (false, isHastened)
    }

    /// Records that the delivery sent nothing, which says nothing about the server. Another purchase can be the probe.
    mutating func nothingSent() {
        (isHastened, wasHastened) = (isHastened || wasHastened, false)
    }

    /// Records that the server has accepted or rejected a purchase.
    mutating func succeeded() {
        self = DeliveryHealth()
    }

    /// Records that an attempt has failed. Returns whether a pause begins.
    ///
    /// During a pause, a failure is ignored unless it requests a longer one: several attempts may have been on their
    /// way, and customers may have tried again.
    /// - Parameter next: Returns the pause after a number of failures.
    mutating func failed(isRequested: Bool, now: Date, next: (_ failures: Int) -> DeliveryPause) -> Bool {
        if let pause, !pause.isOver(at: now) {
            guard isRequested else { return false }
            let requested = next(failures)
            if requested.end > pause.end { self.pause = requested }
            return false
        }
        failures &+= 1
        pause = next(failures)
        return true
    }
}
