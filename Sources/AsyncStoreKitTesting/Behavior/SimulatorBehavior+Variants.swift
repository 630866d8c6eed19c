package import AppStoreSimulator
package import AsyncStoreKit

extension SimulatorBehavior {
    /// Every combination of the switches that must make no difference to a store over an engine: on which thread events come, what is
    /// told first, twice or with fresh objects, how an owned product is answered, how restored transactions come.
    package static func variants(over engine: StoreEngine) -> [SimulatorBehavior] {
        switches(of: engine).reduce([usual(for: engine)]) { variants, turns in
            variants.flatMap { variant in
                turns.map { turn in
                    var variant = variant
                    turn(&variant)
                    return variant
                }
            }
        }
    }

    /// So few of the ``variants(over:)`` that a test can play them every time, and so many that any three switches stand in each of their
    /// combinations in some of them.
    package static func coveringVariants(over engine: StoreEngine) -> [SimulatorBehavior] {
        let switches = switches(of: engine)
        return CoveringArray(positions: switches.map(\.count)).rows.map { row in
            var variant = usual(for: engine)
            for (turns, position) in zip(switches, row) { turns[position](&variant) }
            return variant
        }
    }

    private static func usual(for engine: StoreEngine) -> SimulatorBehavior {
        var behavior = SimulatorBehavior()
        // A listing that lags behind what was bought a moment ago is for entitlements to bear with.
        if engine == .storeKit2 { behavior.listingLag = 0 }
        return behavior
    }

    /// For each switch, what turns it to each of its positions.
    private static func switches(of engine: StoreEngine) -> [[(inout SimulatorBehavior) -> Void]] {
        func positions<Value>(
            _ property: WritableKeyPath<SimulatorBehavior, Value>, _ values: [Value]
        ) -> [(inout SimulatorBehavior) -> Void] {
            values.map { value in { $0[keyPath: property] = value } }
        }
        guard engine == .storeKit2 else {
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
        return [
            positions(\.deliveryThread, DeliveryThread.allCases),
            positions(\.cancelledTasksReadNothing, [true, false]),
            positions(\.cancellingThrows, [false, true]),
            positions(\.cancelledPurchase, CancelledPurchase.allCases),
            positions(\.duplicateUpdateTiming, DuplicateUpdateTiming.allCases),
            positions(\.deliversUnfinishedAtLaunch, [true, false]),
            positions(\.sendsStorefrontTwice, [true, false]),
        ]
    }
}
