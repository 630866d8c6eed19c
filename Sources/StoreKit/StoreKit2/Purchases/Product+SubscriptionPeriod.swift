import AppStoreSimulator
public import Foundation

extension Product {
    /// A length of time in calendar units.
    public struct SubscriptionPeriod: Hashable, Sendable {
        /// The unit of a period.
        public enum Unit: Comparable, Hashable, Sendable {
            /// A day.
            case day
            /// A week.
            case week
            /// A month.
            case month
            /// A year.
            case year

            /// Returns whether the left unit is shorter than the right unit.
            public static func < (lhs: Product.SubscriptionPeriod.Unit, rhs: Product.SubscriptionPeriod.Unit) -> Bool {
                lhs.rank < rhs.rank
            }

            private var rank: Int {
                switch self {
                case .day: 0
                case .week: 1
                case .month: 2
                case .year: 3
                }
            }
        }

        /// The calendar unit.
        public let unit: Product.SubscriptionPeriod.Unit
        /// The number of units.
        public let value: Int

        /// A week.
        public static var weekly: Product.SubscriptionPeriod { SubscriptionPeriod(unit: .week, value: 1) }
        /// A month.
        public static var monthly: Product.SubscriptionPeriod { SubscriptionPeriod(unit: .month, value: 1) }
        /// A year.
        public static var yearly: Product.SubscriptionPeriod { SubscriptionPeriod(unit: .year, value: 1) }
        /// Three days.
        public static var everyThreeDays: Product.SubscriptionPeriod { SubscriptionPeriod(unit: .day, value: 3) }
        /// Two weeks.
        public static var everyTwoWeeks: Product.SubscriptionPeriod { SubscriptionPeriod(unit: .week, value: 2) }
        /// Two months.
        public static var everyTwoMonths: Product.SubscriptionPeriod { SubscriptionPeriod(unit: .month, value: 2) }
        /// Three months.
        public static var everyThreeMonths: Product.SubscriptionPeriod { SubscriptionPeriod(unit: .month, value: 3) }
        /// Six months.
        public static var everySixMonths: Product.SubscriptionPeriod { SubscriptionPeriod(unit: .month, value: 6) }

        /// Returns the range of a period that begins at a date, in the Gregorian calendar.
        public func dateRange(referenceDate: Date = .now) -> Range<Date> {
            let component: Calendar.Component
            var count = max(0, min(value, 10_000))
            switch unit {
            case .day: component = .day
            case .week:
                component = .day
                count *= 7
            case .month: component = .month
            case .year: component = .year
            }
            let end = Self.calendar.date(byAdding: component, value: count, to: referenceDate) ?? referenceDate
            // A date whose value is NaN has no order, and a checked range would trap.
            return Range(uncheckedBounds: (referenceDate, max(referenceDate, end)))
        }
    }
}

extension Product.SubscriptionPeriod {
    /// The calendar for computing periods.
    static var calendar: Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar
    }

    init(_ period: SimulatedPeriod) {
        value = period.numberOfUnits
        unit =
            switch period.unit {
            case .day: .day
            case .week: .week
            case .month: .month
            case .year: .year
            }
    }

    /// The period as an ISO 8601 duration.
    var duration: String {
        switch unit {
        case .day: "P\(value)D"
        case .week: "P\(value)W"
        case .month: "P\(value)M"
        case .year: "P\(value)Y"
        }
    }
}

extension Product.SubscriptionPeriod: CustomDebugStringConvertible {
    /// The number and the unit.
    public var debugDescription: String { "\(value) \(unit)" }
}

extension Product.SubscriptionPeriod.Unit: CustomDebugStringConvertible {
    /// The name of the unit.
    public var debugDescription: String { word }

    /// The name of the unit, in lower case.
    var word: String {
        switch self {
        case .day: "day"
        case .week: "week"
        case .month: "month"
        case .year: "year"
        }
    }
}
