package import Foundation

/// A length of time in calendar units.
public struct SimulatedPeriod: Sendable, Hashable {
    /// The unit of a period. Raw values are those of `SKProduct.PeriodUnit`.
    public enum Unit: UInt, Sendable, Hashable, CaseIterable {
        /// A day.
        case day = 0
        /// A week.
        case week = 1
        /// A month.
        case month = 2
        /// A year.
        case year = 3
    }

    /// The number of units.
    public var numberOfUnits: Int
    /// The calendar unit.
    public var unit: Unit

    /// Creates a period.
    public init(_ numberOfUnits: Int, _ unit: Unit) {
        self.numberOfUnits = numberOfUnits
        self.unit = unit
    }

    /// Returns whether a period has the same length in a calendar, such as a year and twelve months.
    package func isAsLong(as other: SimulatedPeriod) -> Bool { length == other.length }

    private var length: (months: Int, days: Int) {
        switch unit {
        case .day: (0, numberOfUnits)
        case .week: (0, numberOfUnits.multipliedReportingOverflow(by: 7).partialValue)
        case .month: (numberOfUnits, 0)
        case .year: (numberOfUnits.multipliedReportingOverflow(by: 12).partialValue, 0)
        }
    }

    /// Returns the end of a period that begins at a date, in the Gregorian calendar and UTC.
    package func end(from date: Date) -> Date {
        SimulatedTimeRate.realTime.end(of: self, times: 1, from: date)
    }
}

// Singular and plural forms, for `.month(1)` and `.months(2)`.
extension SimulatedPeriod {
    /// Returns a number of days.
    public static func days(_ count: Int) -> SimulatedPeriod { SimulatedPeriod(count, .day) }
    /// Returns a number of weeks.
    public static func weeks(_ count: Int) -> SimulatedPeriod { SimulatedPeriod(count, .week) }
    /// Returns a number of months.
    public static func months(_ count: Int) -> SimulatedPeriod { SimulatedPeriod(count, .month) }
    /// Returns a number of years.
    public static func years(_ count: Int) -> SimulatedPeriod { SimulatedPeriod(count, .year) }
    /// Returns a number of days, as ``days(_:)`` does.
    public static func day(_ count: Int) -> SimulatedPeriod { days(count) }
    /// Returns a number of weeks, as ``weeks(_:)`` does.
    public static func week(_ count: Int) -> SimulatedPeriod { weeks(count) }
    /// Returns a number of months, as ``months(_:)`` does.
    public static func month(_ count: Int) -> SimulatedPeriod { months(count) }
    /// Returns a number of years, as ``years(_:)`` does.
    public static func year(_ count: Int) -> SimulatedPeriod { years(count) }
}

extension Date {
    /// The initial date of the virtual clock: January 1, 2026, 00:00 UTC.
    static let startOfSimulation = Date(timeIntervalSince1970: 1_767_225_600)
}
