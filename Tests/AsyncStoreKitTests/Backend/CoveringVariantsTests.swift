import AppStoreSimulator
import AsyncStoreKitTesting
import TestHarness
import Testing

@Suite(.bounded) struct CoveringVariantsTests {
    /// How each switch stands, in words, so that nothing is counted the way the library counts it.
    private static let switches: [@Sendable (SimulatorBehavior) -> String] = [
        { "\($0.deliveryThread)" }, { "\($0.reportsPurchasing)" }, { "\($0.bringsFreshObjects)" }, { "\($0.reportsTwice)" },
        { "\($0.repeatedPurchaseAnswer)" }, { "\($0.restoreBatchSize)" }, { "\($0.restoredWithoutOriginal)" },
    ]

    /// The combinations of three switches that there are in some variants.
    private static func combinations(in variants: [SimulatorBehavior]) -> Set<[String]> {
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

    @Test func `the variants are every combination of the switches`() {
        let all = Set(SimulatorBehavior.variants.map { variant in Self.switches.map { $0(variant) } })
        #expect(all.count == SimulatorBehavior.variants.count)
        let positions = Self.switches.map { stand in Set(SimulatorBehavior.variants.map { stand($0) }).count }
        #expect(positions.allSatisfy { $0 > 1 })
        #expect(all.count == positions.reduce(1, *))
    }

    @Test func `a few of them have every combination of any three switches`() {
        let all = Self.combinations(in: SimulatorBehavior.variants)
        let covering = SimulatorBehavior.coveringVariants
        #expect(Self.combinations(in: covering) == all)
        #expect(covering.count < SimulatorBehavior.variants.count / 8)
        #expect(Self.combinations(in: covering.dropLast()) != all, "what is looked for would be found")
    }

    @Test func `they are the same ones every time`() {
        let runs = (0..<2).map { _ in SimulatorBehavior.coveringVariants.map { variant in Self.switches.map { $0(variant) } } }
        #expect(runs[0] == runs[1])
    }
}
