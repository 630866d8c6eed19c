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
    /// is treated as 0.
    public var deviceClockOffset: TimeInterval {
        get { read { $0.device.clockOffset } }
        set { withEngine { $0.device.clockOffset = newValue.isFinite ? newValue : 0 } }
    }

    /// Advances the clock by a number of seconds, up to a hundred years. Renewals, expirations, download steps, late
    /// receipts and timers occur in order, each at its own time.
    ///
    /// The clock never goes back. After a negative number, the next control throws
    /// ``SimulatorError/Code/invalidValue``.
    public func advance(by seconds: TimeInterval) {
        guard check(seconds >= 0, "\(seconds) seconds") else { return }
        advance { $0.addingTimeInterval(min(seconds, EngineState.longestAdvance)) }
    }

    /// Advances the clock by a period of the Gregorian calendar in UTC, independently of
    /// ``SimulatorBehavior/timeRate``. For example, `advance(by: .months(2))` advances the clock to the same day and
    /// time two months later.
    public func advance(by period: SimulatedPeriod) {
        guard check(period.numberOfUnits >= 0, "\(period.numberOfUnits) \(period.unit)s") else { return }
        advance { period.numberOfUnits == 0 ? $0 : period.end(from: $0) }
    }

    /// Advances the clock by a number of seconds if a transaction appears in the lists in that time.
    package func advanceIfListsChange(within seconds: TimeInterval) {
        let changes = read { engine in
            let end = engine.now.addingTimeInterval(seconds)
            return engine.account.rows.contains { $0.listedFrom > engine.now && $0.listedFrom <= end }
        }
        if changes { advance(by: seconds) }
    }

    /// Records the error of an interval by which the clock can't be advanced.
    private func check(_ isPossible: Bool, _ interval: String) -> Bool {
        guard !isPossible else { return true }
        withEngine {
            $0.inputProblem = SimulatorError(.invalidValue, "The App Store's clock can't be advanced by \(interval).")
        }
        return false
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
                // An advance brings the next event closer in real time.
                engine.wake = nil
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
