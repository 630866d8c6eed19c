package import AppStoreSimulator

/// Draws the same schedule for the same seed.
package typealias ScheduleGenerator = SeededGenerator

extension ScheduleGenerator {
    package mutating func chance(_ percent: Int) -> Bool {
        Int.random(in: 0..<100, using: &self) < percent
    }
}

extension SimulatorBehavior {
    /// Draws a random behavior of StoreKit 2 within its observed behavior.
    package mutating func varyStoreKit2(using random: inout ScheduleGenerator) {
        cancellingThrows = random.chance(40)
        duplicateUpdateTiming = random.pick()
        interruptedPurchase = random.chance(50) ? .throwsUnknown : .isPending
        syncRepeatsFinishedRenewals = random.chance(50)
        refundEndsSubscription = random.chance(50)
    }

    /// Returns a random behavior within the observed behavior of StoreKit.
    mutating func varyQueue(using random: inout ScheduleGenerator) {
        reportsPurchasing = random.chance(70)
        bringsFreshObjects = random.chance(20)
        reportsTwice = random.chance(30)
        insertsCompetingPayment = random.chance(10)
        repeatedPurchaseResult = random.chance(50) ? .purchased : .restored
        restoreBatchSize = random.chance(50) ? 1 : 100
        restoredRowsAfterFinished = random.chance(20) ? 1 : 0
        restoredWithoutOriginal = random.chance(20)
        redeliversFinishedTransactions = random.chance(10)
        finishingFails = random.chance(10)
        if random.chance(15) { restoreEnding = .fails(.notConnectedToInternet, afterRows: 1) }
    }
}
