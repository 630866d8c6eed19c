/// A length of time in calendar units, such as a subscription renews by.
public struct StoreSubscriptionPeriod: Sendable, Hashable {
    /// A calendar unit.
    public enum Unit: Sendable, Hashable, CaseIterable {
        /// A day.
        case day
        /// A week.
        case week
        /// A month.
        case month
        /// A year.
        case year
    }

    /// How many units.
    public let value: Int
    /// The unit.
    public let unit: Unit

    /// Makes a period.
    public init(value: Int, unit: Unit) {
        self.value = value
        self.unit = unit
    }
}
