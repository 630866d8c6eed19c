public import AppStoreSimulator

extension SimulatorBehavior {
    /// Every combination of the switches that must make no difference to a store: on which thread events come, what is
    /// reported first, twice or with fresh objects, how an owned product is answered, how restored transactions come.
    public static var variants: [SimulatorBehavior] {
        var variants = [SimulatorBehavior()]
        func vary<Value>(_ switchable: WritableKeyPath<SimulatorBehavior, Value>, _ values: [Value]) {
            variants = variants.flatMap { variant in
                values.map { value in
                    var variant = variant
                    variant[keyPath: switchable] = value
                    return variant
                }
            }
        }
        vary(\.deliveryThread, DeliveryThread.allCases)
        vary(\.reportsPurchasing, [true, false])
        vary(\.bringsFreshObjects, [false, true])
        vary(\.reportsTwice, [false, true])
        vary(\.repeatedPurchaseResult, RepeatedPurchaseResult.allCases)
        vary(\.restoreBatchSize, [100, 1])
        vary(\.restoredWithoutOriginal, [false, true])
        return variants
    }
}
