import AsyncStoreKit
import Foundation

/// Compares ratios of costs with ``RecordedRatios``.
///
/// A ratio is the cost of an operation divided by the cost of another one in the same run, so that the speed of the
/// machine matters little. Costs are processor time, in rounds that alternate between both operations, so that other
/// programs matter little.
enum RatioCheck {
    /// Two operations, each as a function that returns the processor seconds of one operation; `nil` if it fails.
    struct Comparison {
        let name: String
        let base: String
        let recorded: Double
        let rounds: Int
        let cost: () async -> Double?
        let baseCost: () async -> Double?
    }

    /// Measures and prints. Returns whether no ratio is too large.
    @concurrent static func run() async -> Bool {
        var isPassed = true
        for comparison in await comparisons() {
            isPassed = await check(comparison) && isPassed
        }
        return isPassed
    }

    private static func comparisons() async -> [Comparison] {
        var comparisons = [purchase]
        if let blockPurchase = await LegacyFlowBenchmarks.comparison() { comparisons.append(blockPurchase) }
        return comparisons
    }

    private static func check(_ comparison: Comparison) async -> Bool {
        var costs: [Double] = []
        var baseCosts: [Double] = []
        // The first round, which fills caches, isn't measured.
        for round in 0...comparison.rounds {
            guard let base = await comparison.baseCost() else {
                print("\(comparison.name): not compared, because \(comparison.base) can't be measured.")
                return true
            }
            guard let cost = await comparison.cost(), cost.isFinite, base > 0 else {
                print("\(comparison.name) fails.")
                return false
            }
            if round > 0 {
                costs.append(cost)
                baseCosts.append(base)
            }
        }
        let (cost, base) = (median(costs), median(baseCosts))
        let ratio = cost / base
        let isPassed = ratio <= comparison.recorded * RecordedRatios.tolerance
        let figures = String(
            format: "%.2f µs / %.3f µs = %.2f, recorded: %.2f", cost * 1e6, base * 1e6, ratio, comparison.recorded)
        print("\(isPassed ? "ok  " : "FAIL") \(comparison.name) / \(comparison.base): \(figures)")
        if !isPassed {
            print(
                String(
                    format: "     The ratio is %.2f, more than %g times the recorded %.2f.", ratio,
                    RecordedRatios.tolerance,
                    comparison.recorded))
        }
        return isPassed
    }

    private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

    /// Returns the processor seconds of one of `count` operations.
    static func cost(of count: Int, _ work: () async -> Void) async -> Double {
        let start = Machine.processorSeconds
        await work()
        return (Machine.processorSeconds - start) / Double(count)
    }

    private actor Empty {
        func call() {}
    }

    private static var purchase: Comparison {
        let empty = Empty()
        return Comparison(
            name: "a purchase", base: "an empty round trip to an actor", recorded: RecordedRatios.purchase, rounds: 9,
            cost: {
                let store = PurchaseStore(over: InstantBackend())
                return await cost(of: 5_000) { await PurchaseBenchmarks.oneAfterTheOther(5_000, store) }
            },
            baseCost: {
                await cost(of: 20_000) { for _ in 0..<20_000 { await Task { await empty.call() }.value } }
            })
    }
}

/// The ratios that `Benchmarks --check` expects.
///
/// Measured on an AMD EPYC with two cores, Debian 12, Swift 6.3, on 2026-11-28, as means of two runs. After a change
/// that improves a ratio, record the new one.
enum RecordedRatios {
    /// A purchase over a backend that answers immediately, and an empty call of an actor by a new task.
    static let purchase = 4.5
    /// A purchase with the block API, and the same purchase with the simulated payment queue alone.
    static let blockPurchase = 10.3

    /// The factor by which a ratio may exceed the recorded one.
    static let tolerance = 2.0
}
