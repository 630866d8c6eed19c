package import AppStoreSimulator
package import AsyncStoreKit
import AsyncStoreKitTesting

extension SimulatorBehavior {
    /// Returns every combination of the switches that must not affect a store over an engine: the thread and order of
    /// events, duplicate reports, new objects, the answer for an owned product, and the form of restored transactions.
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

    /// Returns a small subset of the ``variants(over:)`` for frequent tests, which contains every combination of the
    /// positions of any three switches.
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
        // Tests of entitlements cover the lag of lists.
        if engine == .storeKit2 { behavior.listingLag = 0 }
        return behavior
    }

    /// Returns, for each switch, a closure for each of its positions.
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
