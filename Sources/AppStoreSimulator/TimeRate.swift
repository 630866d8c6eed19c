/// How fast subscriptions run against the virtual clock, as in `SKTestSession.TimeRate`.
public enum TimeRate: Sendable, Hashable, CaseIterable {
    /// A month is a month.
    case realTime
    /// A second on the clock is a day of a subscription.
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
}
