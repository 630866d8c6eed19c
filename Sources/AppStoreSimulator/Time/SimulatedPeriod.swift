import Foundation

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
}

extension Date {
    /// When the virtual clock starts: 1 January 2026, 00:00 UTC.
    static let startOfSimulation = Date(timeIntervalSince1970: 1_767_225_600)
}
