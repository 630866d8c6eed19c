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

    /// How many units.
    public var numberOfUnits: Int
    /// The unit.
    public var unit: Unit

    /// Makes a period.
    public init(_ numberOfUnits: Int, _ unit: Unit) {
        self.numberOfUnits = numberOfUnits
        self.unit = unit
    }

    /// Returns when a period ends that begins at a date, by the Gregorian calendar in UTC.
    package func end(from date: Date) -> Date {
        SimulatedTimeRate.realTime.end(of: self, times: 1, from: date)
    }
}

// Singular and plural, so that both `.month(1)` and `.months(2)` read well.
extension SimulatedPeriod {
    /// So many days.
    public static func days(_ count: Int) -> SimulatedPeriod { SimulatedPeriod(count, .day) }
    /// So many weeks.
    public static func weeks(_ count: Int) -> SimulatedPeriod { SimulatedPeriod(count, .week) }
    /// So many months.
    public static func months(_ count: Int) -> SimulatedPeriod { SimulatedPeriod(count, .month) }
    /// So many years.
    public static func years(_ count: Int) -> SimulatedPeriod { SimulatedPeriod(count, .year) }
    /// The same as ``days(_:)``.
    public static func day(_ count: Int) -> SimulatedPeriod { days(count) }
    /// The same as ``weeks(_:)``.
    public static func week(_ count: Int) -> SimulatedPeriod { weeks(count) }
    /// The same as ``months(_:)``.
    public static func month(_ count: Int) -> SimulatedPeriod { months(count) }
    /// The same as ``years(_:)``.
    public static func year(_ count: Int) -> SimulatedPeriod { years(count) }
}

extension Date {
    /// When the virtual clock starts: 1 January 2026, 00:00 UTC.
    static let startOfSimulation = Date(timeIntervalSince1970: 1_767_225_600)
}
