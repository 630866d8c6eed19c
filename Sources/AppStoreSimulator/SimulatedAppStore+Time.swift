public import Foundation

extension SimulatedAppStore {
    /// The time on the virtual clock, which starts at 1 January 2026, 00:00 UTC, and stands still unless it is advanced.
    public var now: Date {
        withEngine { $0.now }
    }

    /// How far the device's clock is ahead of the App Store's, in seconds; negative if it's behind.
    ///
    /// The device's clock is what the app and its stores see. Timers that run already keep their duration. A value that
    /// isn't finite counts as 0.
    public var deviceClockOffset: TimeInterval {
        get { withEngine { $0.device.clockOffset } }
        set { withEngine { $0.device.clockOffset = newValue.isFinite ? newValue : 0 } }
    }

    /// Advances the clock by so many seconds, a hundred years at most. Renewals, expirations, steps of downloads, late receipts and
    /// timers that are due by then happen, in order, each at its own time. The clock never goes back.
    public func advance(by seconds: TimeInterval) {
        // NaN is not greater, and advances by nothing.
        let interval = seconds > 0 ? min(seconds, EngineState.longestAdvance) : 0
        advance { $0.addingTimeInterval(interval) }
    }

    /// Advances the clock by a period of the Gregorian calendar in UTC, whatever the ``SimulatorBehavior/timeRate``: after
    /// `advance(by: .months(2))` it stands at the same time of the same day two months later.
    public func advance(by period: SimulatedPeriod) {
        advance { period.end(from: $0) }
    }

    /// Advances the clock to a date, a hundred years ahead at most. A date in the past changes nothing.
    public func advance(to date: Date) {
        advance { $0 < date ? min(date, $0.addingTimeInterval(EngineState.longestAdvance)) : $0 }
    }

    /// Advances from timer to timer: a handler sees the clock stand at the time of its timer, and may set another one.
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

    /// When the next thing happens by itself: a renewal, an expiration, a step of a download, a late receipt or a timer. `nil` when
    /// nothing does, however far the clock is advanced.
    public var nextEventDate: Date? {
        withEngine { engine in [engine.schedule.nextDate, engine.timers.nextDate].compactMap(\.self).min() }
    }

    /// Has a handler called when the clock reaches a date: for whoever lives by this App Store's time.
    ///
    /// It is called once, by the thread that advances the clock and from inside that call, while ``now`` is the date; timers of the
    /// same date in the order in which they were made. With a date that has passed, it is called at once.
    ///
    /// - Returns: The timer, to cancel it. Dropping it does not.
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
    /// - Returns: Whether its handler was not called, and will not be. A call that is under way on another thread is not awaited.
    @discardableResult
    public func cancel() -> Bool {
        // Released when the lock is open: what ends with it may call the store.
        let handler = store.withEngine { $0.timers.remove(id) }
        return handler != nil
    }
}
