import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Support
import TestHarness
import Testing

@Suite(.bounded) struct CoveringVariantsTests {
    /// The positions of the switches in words, so that the test doesn't share the library's arithmetic.
    private static func switches(of engine: StoreEngine) -> [@Sendable (SimulatorBehavior) -> String] {
        if engine == .storeKit2 {
            return [
                { "\($0.deliveryThread)" }, { "\($0.cancelledTasksReadNothing)" }, { "\($0.cancellingThrows)" },
                { "\($0.cancelledPurchase)" }, { "\($0.duplicateUpdateTiming)" },
                { "\($0.deliversUnfinishedAtLaunch)" },
                { "\($0.sendsStorefrontTwice)" },
            ]
        }
        return [
            { "\($0.deliveryThread)" }, { "\($0.reportsPurchasing)" }, { "\($0.bringsFreshObjects)" },
            { "\($0.reportsTwice)" },
            { "\($0.repeatedPurchaseResult)" }, { "\($0.restoreBatchSize)" }, { "\($0.restoredWithoutOriginal)" },
        ]
    }

    /// The combinations of three switches in some variants.
    private static func combinations(in variants: [SimulatorBehavior], over engine: StoreEngine) -> Set<[String]> {
        let switches = switches(of: engine)
        var combinations: Set<[String]> = []
        for (first, second, third) in triples {
            for variant in variants {
                combinations.insert(
                    ["\(first) \(second) \(third)"] + [first, second, third].map { switches[$0](variant) })
            }
        }
        return combinations
    }

    private static let triples = (0..<7).flatMap { first in
        ((first + 1)..<7).flatMap { second in ((second + 1)..<7).map { (first, second, $0) } }
    }

    @Test(arguments: [StoreEngine.storeKit1, .storeKit2])
    func `the variants are every combination of the switches`(_ engine: StoreEngine) {
        let variants = SimulatorBehavior.variants(over: engine)
        let switches = Self.switches(of: engine)
        let all = Set(variants.map { variant in switches.map { $0(variant) } })
        expectEqual(all.count, variants.count)
        let positions = switches.map { stand in Set(variants.map { stand($0) }).count }
        #expect(positions.allSatisfy { $0 > 1 })
        expectEqual(all.count, positions.reduce(1, *))
    }

    @Test(arguments: [StoreEngine.storeKit1, .storeKit2])
    func `a few variants have every combination of any three switches`(_ engine: StoreEngine) {
        let variants = SimulatorBehavior.variants(over: engine)
        let all = Self.combinations(in: variants, over: engine)
        let covering = SimulatorBehavior.coveringVariants(over: engine)
        expectEqual(Self.combinations(in: covering, over: engine), all)
        #expect(covering.count < variants.count / 8)
        #expect(Self.combinations(in: covering.dropLast(), over: engine) != all, "a missing combination would be found")
    }

    @Test func `the covering variants are the same every time`() {
        let switches = Self.switches(of: .storeKit1)
        let runs = (0..<2).map { _ in
            SimulatorBehavior.coveringVariants(over: .storeKit1).map { variant in switches.map { $0(variant) } }
        }
        expectEqual(runs[0], runs[1])
    }
}
