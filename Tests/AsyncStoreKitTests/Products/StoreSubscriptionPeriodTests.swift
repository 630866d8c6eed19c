import AsyncStoreKit
import Foundation
import TestHarness
import Testing

@Suite(.bounded) struct StoreSubscriptionPeriodTests {
    @Test(arguments: [
        (1, StoreSubscriptionPeriod.Unit.day, "1 day"), (3, .day, "3 days"),
        (1, .week, "1 week"), (2, .week, "2 weeks"),
        (1, .month, "1 month"), (6, .month, "6 months"),
        (1, .year, "1 year"), (2, .year, "2 years"),
    ])
    func `a period is formatted with its number`(value: Int, unit: StoreSubscriptionPeriod.Unit, text: String) {
        expectEqual(StoreSubscriptionPeriod(value: value, unit: unit).formatted(in: Locale(identifier: "en_US")), text)
    }

    @Test func `a period is formatted in the language of the locale`() {
        let period = StoreSubscriptionPeriod(value: 3, unit: .month)
        expectEqual(
            ["de_AT", "fr", "pt_BR"].map { period.formatted(in: Locale(identifier: $0)) },
            ["3 Monate", "3 mois", "3 meses"])
    }

    @Test func `a week is not seven days: periods differ in number and unit`() {
        let periods = StoreSubscriptionPeriod.Unit.allCases.flatMap { unit in
            [1, 7].map { StoreSubscriptionPeriod(value: $0, unit: unit) }
        }
        expectEqual(Set(periods + periods).count, 8)
    }
}
