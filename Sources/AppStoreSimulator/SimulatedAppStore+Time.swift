public import Foundation

extension SimulatedAppStore {
    /// The time of the virtual clock, which starts on January 1, 2026, at 00:00 UTC. Time doesn't pass until you
    /// advance the clock.
    public var now: Date {
        read { $0.now }
    }

    /// The time by which the device's clock is ahead of the App Store's clock, in seconds; negative if it's behind.
    ///
    /// The app and its stores use the device's clock. Running timers keep their duration. A value that isn't finite
    /// counts as 0.
    public var deviceClockOffset: TimeInterval {
        get { read { $0.device.clockOffset } }
        set { withEngine { $0.device.clockOffset = newValue.isFinite ? newValue : 0 } }
    }

    /// Advances the clock by a number of seconds, up to a hundred years. Renewals, expirations, download steps, late
    /// receipts and timers occur in order, each at its own time. The clock never goes back.
    public func advance(by seconds: TimeInterval) {
        // NaN isn't greater than 0 and doesn't advance the clock.
        let interval = seconds > 0 ? min(seconds, EngineState.longestAdvance) : 0
        advance { $0.addingTimeInterval(interval) }
    }

    /// Advances the clock by a period of the Gregorian calendar in UTC, independently of
    /// ``SimulatorBehavior/timeRate``. For example, `advance(by: .months(2))` advances the clock to the same day and
    /// time two months later.
    public func advance(by period: SimulatedPeriod) {
        advance { period.end(from: $0) }
    }

    /// Advances the clock to a date, up to a hundred years ahead. A date in the past has no effect.
    public func advance(to date: Date) {
        advance { $0 < date ? min(date, $0.addingTimeInterval(EngineState.longestAdvance)) : $0 }
    }

    /// Advances from timer to timer. During a handler, the clock shows the date of its timer. A handler may add timers.
    private func advance(_ end: (Date) -> Date) {
        var target: Date?
        while true {
            let (handlers, isThere) = mutate { engine in
                let date = target ?? end(engine.now)
                target = date
                let stop = min(engine.timers.nextDate ?? date, date)
                engine.runSchedule(until: stop)
                return (engine.timers.takeDue(by: engine.now), stop == date)
            }
            for handler in handlers {
                handler()
            }
            guard !isThere else { return }
        }
    }

    /// The date of the next scheduled event: a renewal, an expiration, a download step, a late receipt or a timer.
    /// `nil` if no event is scheduled.
    public var nextEventDate: Date? {
        read { engine in [engine.schedule.nextDate, engine.timers.nextDate].compactMap(\.self).min() }
    }

    /// Schedules a handler for a date of the virtual clock.
    ///
    /// The thread that advances the clock calls the handler once, from inside that call, while ``now`` is the date.
    /// Timers with the same date run in the order of their creation. For a past date, the handler is called
    /// immediately.
    ///
    /// - Returns: The timer. Use ``SimulatedTimer/cancel()`` to cancel it; releasing the timer doesn't cancel it.
    @discardableResult
    public func schedule(at date: Date, _ handler: @escaping @Sendable () -> Void) -> SimulatedTimer {
        let (id, isDue) = withEngine { engine in
            let isDue = date <= engine.now
            return (engine.timers.add(isDue ? nil : handler, at: date), isDue)
        }
        if isDue {
            handler()
        }
        return SimulatedTimer(store: self, id: id)
    }
}

/// A timer on the virtual clock of a ``SimulatedAppStore``.
public struct SimulatedTimer: Sendable {
    fileprivate let store: SimulatedAppStore
    fileprivate let id: UInt64

    /// Cancels the timer.
    ///
    /// - Returns: Whether the cancellation prevented the call of the handler. The function doesn't wait for a running
    ///   handler.
    @discardableResult
    public func cancel() -> Bool {
        // Deallocate the handler after the lock is released, because its deallocation may run code that calls the
        // store.
        let handler = store.withEngine { $0.timers.remove(id) }
        return handler != nil
    }
}
