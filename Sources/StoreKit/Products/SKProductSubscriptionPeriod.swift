package import AppStoreSimulator
public import Foundation

/// The length of a subscription period in calendar units.
@available(iOS, deprecated: 18.0)
// @unchecked because: the contents never change, but a subclass could add properties that do.
open class SKProductSubscriptionPeriod: NSObject, @unchecked Sendable {
    private let contents: SimulatedPeriod

    /// Creates a period of zero days.
    public override init() {
        contents = SimulatedPeriod(0, .day)
    }

    package init(_ period: SimulatedPeriod) {
        contents = period
    }

    /// The number of units.
    open var numberOfUnits: Int {
        contents.numberOfUnits
    }

    /// The calendar unit.
    open var unit: SKProduct.PeriodUnit {
        switch contents.unit {
        case .day: .day
        case .week: .week
        case .month: .month
        case .year: .year
        }
    }
}
