import Foundation

/// A length of time in calendar units, such as the period of a subscription.
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

    /// The number of units.
    public let value: Int
    /// The unit.
    public let unit: Unit

    /// Creates a period.
    public init(value: Int, unit: Unit) {
        self.value = value
        self.unit = unit
    }

    /// Returns when a period ends that begins at a date, by the Gregorian calendar; `nil` if there is no such date.
    func end(from date: Date) -> Date? {
        let component: Calendar.Component
        switch unit {
        case .day: component = .day
        case .week: component = .weekOfYear
        case .month: component = .month
        case .year: component = .year
        }
        return Calendar(identifier: .gregorian).date(byAdding: component, value: value, to: date)
    }
}
