import AppStoreSimulator
import Foundation
import TestHarness
import Testing

@Suite(.bounded) struct DeterminismTests {
    /// A random history of a store and all its events.
    private func story(seed: UInt64) -> [String] {
        var generator = StoryGenerator(state: seed)
        let store = SimulatedAppStore.stepped(seed: seed)
        var launch = store.launch()
        var log: [String] = []
        var observers = [RecordingObserver.finishing(), RecordingObserver()]
        observers.forEach { launch.add($0) }
        for _ in 0..<200 {
            switch Int.random(in: 0..<14, using: &generator) {
            case 0...3:
                let product = store.catalog.products.randomElement(using: &generator)?.productID ?? ""
                launch.add(SimulatedPayment(productID: product))
            case 4: launch.restoreCompletedTransactions()
            case 5: store.advance(by: .random(in: 0...1_000_000, using: &generator))
            case 6: store.behavior.reportsTwice.toggle()
            case 7: store.behavior.insertsCompetingPayment.toggle()
            case 8: store.behavior.askToBuyEnabled.toggle()
            case 9: store.behavior.bringsFreshObjects.toggle()
            case 10:
                for record in store.allTransactions() where record.state == .deferred {
                    try? store.approveAskToBuyTransaction(id: record.id)
                }
            case 11:
                log += observers.flatMap { $0.events.map { "\($0)" } }
                launch = store.launch()
                observers = [RecordingObserver.finishing(), RecordingObserver()]
                observers.forEach { launch.add($0) }
            default: store.step()
            }
        }
        store.runUntilIdle()
        log += observers.flatMap { $0.events.map { "\($0)" } }
        log += store.allTransactions().map { "\($0)" }
        return log
    }

    @Test func `the same seed and the same calls lead to the same identifiers, dates and order`() {
        for seed in UInt64(1)...6 {
            let first = story(seed: seed)
            #expect(first.count > 20)
            expectEqual(first, story(seed: seed))
        }
        #expect(story(seed: 1) != story(seed: 2))
    }

    @Test func `another seed leads to other identifiers`() {
        let identifiers = (UInt64(1)...50).map { seed in
            let store = SimulatedAppStore.stepped(seed: seed)
            store.own("coins")
            return store.allTransactions().first?.transactionID
        }
        expectEqual(Set(identifiers).count, 50)
    }

    @Test func `automatic pacing has the same results on every thread`() async {
        var histories: Set<[SimulatedHistoryRecord]> = []
        for thread in SimulatorBehavior.DeliveryThread.allCases {
            let store = SimulatedAppStore(catalog: .example, seed: 7)
            store.behavior.deliveryThread = thread
            let observer = RecordingObserver()
            let launch = store.launch(observer)
            for product in ["coins", "pro", "monthly", "pro"] {
                launch.add(SimulatedPayment(productID: product))
                store.advance(by: 1)
            }
            await store.waitUntilIdle()
            histories.insert(store.allTransactions())
            withExtendedLifetime(observer) {}
        }
        expectEqual(histories.count, 1)
    }
}

/// A linear congruential generator (Knuth, MMIX), so that a history depends only on its seed.
private struct StoryGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ (state >> 33)
    }
}
