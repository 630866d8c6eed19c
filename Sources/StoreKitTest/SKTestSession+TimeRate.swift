extension SKTestSession {
    /// The speed of subscriptions that are bought after it was set. Raw values are those of Apple's `SKTestTimeRate`.
    public enum TimeRate: Int, Sendable {
        /// Subscriptions run in real time.
        case realTime = 0
        /// A day takes an hour.
        @available(iOS, deprecated: 15.2) case oneHourIsOneDay = 1
        /// A day takes thirty minutes.
        @available(iOS, deprecated: 15.2) case thirtyMinutesIsOneDay = 2
        /// A day takes five minutes.
        @available(iOS, deprecated: 15.2) case fiveMinutesIsOneDay = 3
        /// A day takes a minute: ``monthlyRenewalEveryThirtyMinutes``.
        @available(iOS, deprecated: 15.2) case oneMinuteIsOneDay = 4
        /// A day takes thirty seconds: ``monthlyRenewalEveryFifteenMinutes``.
        @available(iOS, deprecated: 15.2) case thirtySecondsIsOneDay = 5
        /// A day takes a second.
        @available(iOS, deprecated: 15.2) case oneSecondIsOneDay = 6
        /// A monthly subscription renews every hour.
        case monthlyRenewalEveryHour = 10
        /// A monthly subscription renews every thirty minutes.
        case monthlyRenewalEveryThirtyMinutes = 11
        /// A monthly subscription renews every fifteen minutes.
        case monthlyRenewalEveryFifteenMinutes = 12
        /// A monthly subscription renews every five minutes.
        case monthlyRenewalEveryFiveMinutes = 13
        /// A monthly subscription renews every thirty seconds.
        case monthlyRenewalEveryThirtySeconds = 15
        /// Every subscription renews every fifteen minutes.
        case oneRenewalEveryFifteenMinutes = 1_000
        /// Every subscription renews every five minutes.
        case oneRenewalEveryFiveMinutes = 1_001
        /// Every subscription renews every minute.
        case oneRenewalEveryMinute = 1_002
        /// Every subscription renews every thirty seconds.
        case oneRenewalEveryThirtySeconds = 1_003
        /// Every subscription renews every ten seconds.
        case oneRenewalEveryTenSeconds = 1_004
        /// Every subscription renews every two seconds.
        case oneRenewalEveryTwoSeconds = 1_005
    }
}
