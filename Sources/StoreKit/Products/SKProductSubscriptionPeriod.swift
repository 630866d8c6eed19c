package import AppStoreSimulator
public import Foundation

/// The length of a subscription period in calendar units.
@available(iOS, deprecated: 18.0)
// @unchecked because: the contents are behind a lock.
open class SKProductSubscriptionPeriod: NSObject, @unchecked Sendable {
    private let contents = Protected(SimulatedPeriod(0, .day))

    package convenience init(_ period: SimulatedPeriod) {
        self.init()
        contents.withLock { $0 = period }
    }

    /// The number of units.
    open var numberOfUnits: Int {
        contents.current.numberOfUnits
    }

    /// The calendar unit.
    open var unit: SKProduct.PeriodUnit {
        switch contents.current.unit {
        case .day: .day
        case .week: .week
        case .month: .month
        case .year: .year
        }
    }
}
