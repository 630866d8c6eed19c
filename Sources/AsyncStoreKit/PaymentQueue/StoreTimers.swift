import Foundation

/// A timer of a store.
enum StoreTimer: Sendable, Hashable {
    /// The timeout of a call.
    case paymentTimeout(CallID)
    /// The delay in which a payment that StoreKit answered with an older transaction can still get another one.
    case preexistingAnswer(CallID)
    /// The time that StoreKit may be silent about a payment while other calls wait.
    case paymentSilence
    case restoreInactivity(CallID)
    /// The pause before deliveries are tried again.
    case deliveryRetry
    /// The time after which the developer is warned about a purchase that isn't finished.
    case unfinishedWarning
    /// The time that answers wait for StoreKit.
    case answerLimit
}

/// The running timers of a store. A timer that has run out is an input of the store's queue.
struct StoreTimers: Sendable {
    private let clock: any StoreClock
    private let inputs: InputQueue<PaymentQueueActor>
    private var running = [StoreTimer: (id: CallID, cancel: @Sendable () -> Void)]()

    init(clock: any StoreClock, inputs: InputQueue<PaymentQueueActor>) {
        self.clock = clock
        self.inputs = inputs
    }

    /// Starts a timer, and restarts one that is running.
    mutating func start(_ timer: StoreTimer, seconds: TimeInterval, now: Date) {
        stop(timer)
        let id = CallID()
        let fire: @Sendable () -> Void = { [inputs] in inputs.enqueue(StoreInput { $0.fire(timer, id) }) }
        let cancel =
            switch timer {
            case .unfinishedWarning, .answerLimit: clock.startWarningTimer(seconds, fire)
            // A pause passes while the app is suspended, but a suspended app doesn't receive StoreKit's answers.
            case .deliveryRetry: clock.startTimer(fire) { [clock] in try await clock.sleep(until: now + seconds) }
            default: clock.startTimer(whileRunningFor: seconds, fire)
            }
        running[timer] = (id, cancel)
    }

    /// Stops a timer. Has no effect if the timer isn't running.
    mutating func stop(_ timer: StoreTimer) {
        running.removeValue(forKey: timer)?.cancel()
    }

    mutating func stopAll() {
        running.values.forEach { $0.cancel() }
        running = [:]
    }

    /// Ends a timer that has run out. Returns `false` if the timer was stopped or restarted in the meantime.
    mutating func fire(_ timer: StoreTimer, _ id: CallID) -> Bool {
        guard running[timer]?.id == id else { return false }
        running[timer] = nil
        return true
    }
}
