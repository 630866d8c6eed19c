package import AppStoreSimulator

extension SimulatorBehavior {
    /// Every combination of the switches that must make no difference to a store: on which thread events come, what is
    /// reported first, twice or with fresh objects, how an owned product is answered, how restored transactions come.
    package static var variants: [SimulatorBehavior] {
        switches.reduce([SimulatorBehavior()]) { variants, turns in
            variants.flatMap { variant in
                turns.map { turn in
                    var variant = variant
                    turn(&variant)
                    return variant
                }
            }
        }
    }

    /// So few of the ``variants`` that a test can play them every time, and so many that any three switches stand in each of their
    /// combinations in some of them.
    package static var coveringVariants: [SimulatorBehavior] {
        let switches = switches
        return CoveringArray(positions: switches.map(\.count)).rows.map { row in
            var variant = SimulatorBehavior()
            for (turns, position) in zip(switches, row) { turns[position](&variant) }
            return variant
        }
    }

    /// For each switch, what turns it to each of its positions.
    private static var switches: [[(inout SimulatorBehavior) -> Void]] {
        func positions<Value>(
            _ property: WritableKeyPath<SimulatorBehavior, Value>, _ values: [Value]
        ) -> [(inout SimulatorBehavior) -> Void] {
            values.map { value in { $0[keyPath: property] = value } }
        }
        return [
            positions(\.deliveryThread, DeliveryThread.allCases),
            positions(\.reportsPurchasing, [true, false]),
            positions(\.bringsFreshObjects, [false, true]),
            positions(\.reportsTwice, [false, true]),
            positions(\.repeatedPurchaseResult, RepeatedPurchaseResult.allCases),
            positions(\.restoreBatchSize, [100, 1]),
            positions(\.restoredWithoutOriginal, [false, true]),
        ]
    }
}
