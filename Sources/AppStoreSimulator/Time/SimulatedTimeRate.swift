import Foundation

/// The speed of subscriptions on the virtual clock, as in `SKTestSession.SimulatedTimeRate`.
public enum SimulatedTimeRate: Sendable, Hashable, CaseIterable {
    /// Subscriptions run in real time.
    case realTime
    /// A day of a subscription takes one hour.
    case oneHourIsOneDay
    /// A day of a subscription takes thirty minutes.
    case thirtyMinutesIsOneDay
    /// A day of a subscription takes five minutes.
    case fiveMinutesIsOneDay
    /// A day of a subscription takes one second.
    case oneSecondIsOneDay
    /// A monthly subscription renews every thirty seconds.
    case monthlyRenewalEveryThirtySeconds
    /// A monthly subscription renews every minute.
    case monthlyRenewalEveryMinute
    /// A monthly subscription renews every five minutes, as in Apple's sandbox.
    case monthlyRenewalEveryFiveMinutes
    /// A monthly subscription renews every fifteen minutes.
    case monthlyRenewalEveryFifteenMinutes
    /// A monthly subscription renews every half hour.
    case monthlyRenewalEveryThirtyMinutes
    /// A monthly subscription renews every hour.
    case monthlyRenewalEveryHour
    /// Every subscription renews every two seconds.
    case oneRenewalEveryTwoSeconds
    /// Every subscription renews every ten seconds.
    case oneRenewalEveryTenSeconds
    /// Every subscription renews every thirty seconds.
    case oneRenewalEveryThirtySeconds
    /// Every subscription renews every minute.
    case oneRenewalEveryMinute
    /// Every subscription renews every five minutes.
    case oneRenewalEveryFiveMinutes
    /// Every subscription renews every fifteen minutes.
    case oneRenewalEveryFifteenMinutes
}

extension SimulatedTimeRate {
    private static let day: TimeInterval = 86_400

    /// Returns the end of a number of periods that begin at a date.
    ///
    /// In real time, a month is a month of the Gregorian calendar in UTC. A month that begins on the 31st ends on the
    /// last day of a shorter month.
    func end(of period: SimulatedPeriod, times: Int, from start: Date) -> Date {
        let periods = max(1, min(times, 100_000))
        let units = max(1, min(period.numberOfUnits, 10_000)) * periods
        switch self {
        case .realTime:
            var calendar = Calendar(identifier: .gregorian)
            calendar.timeZone = TimeZone(secondsFromGMT: 0) ?? calendar.timeZone
            let component: Calendar.Component
            var value = units
            switch period.unit {
            case .day: component = .day
            case .week:
                component = .day
                value *= 7
            case .month: component = .month
            case .year: component = .year
            }
            return calendar.date(byAdding: component, value: value, to: start)
                ?? start.addingTimeInterval(TimeInterval(units) * Self.days(of: period.unit) * Self.day)
        default:
            let time =
                switch pace {
                case .day(let time): TimeInterval(units) * Self.days(of: period.unit) * time
                case .period(let time): TimeInterval(periods) * time
                case .month(_, let week) where period.unit == .week: TimeInterval(units) * week
                case .month(let time, _): TimeInterval(units) * Self.months(in: period.unit) * time
                }
            return start.addingTimeInterval(time)
        }
    }

    /// Returns the time that a number of subscription days takes on the clock.
    ///
    /// If every period takes the same time, a grace period takes one period, and the 60 days of billing retry take two,
    /// by Apple's documentation of `SKTestSession.TimeRate`.
    func interval(days: Double) -> TimeInterval {
        switch pace {
        case .day(let time): days * time
        case .period(let time): days < 60 ? time : 2 * time
        case .month(let time, _): days / 30 * time
        }
    }

    /// What takes a fixed time on the clock: a day, a month, or every period, whatever its length. Apple documents the
    /// times of a month and of a week separately.
    private enum Pace {
        case day(TimeInterval)
        case month(TimeInterval, week: TimeInterval)
        case period(TimeInterval)
    }

    private var pace: Pace {
        switch self {
        case .realTime: .day(Self.day)
        case .oneHourIsOneDay: .day(3_600)
        case .thirtyMinutesIsOneDay: .day(1_800)
        case .fiveMinutesIsOneDay: .day(300)
        case .oneSecondIsOneDay: .day(1)
        case .monthlyRenewalEveryThirtySeconds: .month(30, week: 10)
        case .monthlyRenewalEveryMinute: .month(60, week: 20)
        case .monthlyRenewalEveryFiveMinutes: .month(300, week: 180)
        case .monthlyRenewalEveryFifteenMinutes: .month(900, week: 300)
        case .monthlyRenewalEveryThirtyMinutes: .month(1_800, week: 600)
        case .monthlyRenewalEveryHour: .month(3_600, week: 900)
        case .oneRenewalEveryTwoSeconds: .period(2)
        case .oneRenewalEveryTenSeconds: .period(10)
        case .oneRenewalEveryThirtySeconds: .period(30)
        case .oneRenewalEveryMinute: .period(60)
        case .oneRenewalEveryFiveMinutes: .period(300)
        case .oneRenewalEveryFifteenMinutes: .period(900)
        }
    }

    private static func days(of unit: SimulatedPeriod.Unit) -> TimeInterval {
        switch unit {
        case .day: 1
        case .week: 7
        case .month: 30
        case .year: 365
        }
    }

    private static func months(in unit: SimulatedPeriod.Unit) -> Double {
        switch unit {
        case .day: 1 / 30
        case .week: 7 / 30
        case .month: 1
        case .year: 12
        }
    }
}

extension SimulatedTimeRate {
    // The numbers of SKTestTimeRate in Apple's SKTestSession.h, with the documented replacements of the deprecated 4
    // and 5.
    private static let testTimeRates: [(number: Int, rate: SimulatedTimeRate)] = [
        (0, .realTime), (1, .oneHourIsOneDay), (2, .thirtyMinutesIsOneDay), (3, .fiveMinutesIsOneDay),
        (6, .oneSecondIsOneDay), (10, .monthlyRenewalEveryHour), (11, .monthlyRenewalEveryThirtyMinutes),
        (12, .monthlyRenewalEveryFifteenMinutes), (13, .monthlyRenewalEveryFiveMinutes),
        (15, .monthlyRenewalEveryThirtySeconds), (4, .monthlyRenewalEveryThirtyMinutes),
        (5, .monthlyRenewalEveryFifteenMinutes), (1_000, .oneRenewalEveryFifteenMinutes),
        (1_001, .oneRenewalEveryFiveMinutes), (1_002, .oneRenewalEveryMinute), (1_003, .oneRenewalEveryThirtySeconds),
        (1_004, .oneRenewalEveryTenSeconds), (1_005, .oneRenewalEveryTwoSeconds),
    ]

    /// Creates the rate with Apple's number; `nil` for an unknown number.
    package init?(testTimeRate number: Int) {
        guard let rate = Self.testTimeRates.first(where: { $0.number == number })?.rate else { return nil }
        self = rate
    }

    /// Apple's number; `nil` for a rate that StoreKit Test doesn't have.
    package var testTimeRate: Int? { Self.testTimeRates.first { $0.rate == self }?.number }
}
