import AppStoreSimulator
import AsyncStoreKitTesting
import Foundation
import Support
import TestHarness
import Testing

@testable import AsyncStoreKit

/// Questions about the unfinished transactions in the first moment of a launch.
@Suite(.bounded) struct FirstListTests {
    private let appStore = SimulatedAppStore(catalog: .shop)

    @Test(arguments: [StoreEngine.storeKit1, .storeKit2])
    func `the first question of a launch has the transactions of earlier launches`(engine: StoreEngine) async throws {
        let first = PurchaseStore(simulating: appStore, engine: engine)
        expectEqual(await first.unfinishedTransactions, [], "nothing is unfinished, and the answer comes at once")
        _ = try await first.purchase(StoreWorld.coins)
        for _ in 0..<50 {
            let store = appStore.relaunch(engine: engine)
            expectEqual(await store.unfinishedTransactions.map(\.productID), [StoreWorld.coins])
        }
        let answers = Recorder<[String]>()
        let store = appStore.relaunch(engine: engine)
        store.core.unfinishedTransactions { answers.record($0.map(\.productID)) }
        expectEqual(try await answers.first(1), [[StoreWorld.coins]], "a callback has them, too")
    }

    @Test func `a closed store answers at once that it has no unfinished transactions`() async throws {
        let backend = SimulatedBackend(appStore)
        let store = PurchaseStore(over: backend)
        backend.terminate()
        expectEqual(await store.unfinishedTransactions, [])
    }

    private static func held(_ store: inout StoreStateMachine) -> CallID {
        let id = CallID()
        store.answerKnowingInitialTransactions(id)
        return id
    }

    @Test func `an answer waits for the first report, and later ones don't`() {
        var store = StoreStateMachine()
        let id = Self.held(&store)
        expectEqual(store.perform().seconds(of: .answerLimit), 2)
        store.initialTransactionsReported()
        expectEqual(store.perform(), [.answer(id, nil)])
        let later = Self.held(&store)
        expectEqual(store.perform(), [.answer(later, nil)])
    }

    @Test func `without a report, the first question waits for the limit, and later ones don't`() {
        var store = StoreStateMachine()
        let (id, other) = (Self.held(&store), Self.held(&store))
        _ = store.perform()
        expectEqual(store.fire(.answerLimit, at: .seconds(2)), [.answer(id, nil), .answer(other, nil)])
        let later = Self.held(&store)
        expectEqual(store.perform(), [.answer(later, nil)])
    }

    @Test func `the first transactions that StoreKit 1 reports are those of the launch`() {
        var store = StoreStateMachine()
        let id = Self.held(&store)
        _ = store.perform()
        #expect(store.report(.entry(1, .purchased)).contains(.answer(id, nil)))
    }

    @Test func `the shorter of two limits ends first`() {
        var store = StoreStateMachine()
        store.answers.waitsForFinish = true
        store.requestFinish(.entry(1))
        let finished = CallID()
        store.answer(finished, afterFinishing: [.entry(1)])
        expectEqual(store.perform().seconds(of: .answerLimit), 5)
        let listed = Self.held(&store)
        expectEqual(store.perform().seconds(of: .answerLimit), 2)
        let actions = store.fire(.answerLimit, at: .seconds(2))
        #expect(actions.contains(.answer(listed, nil)) && !actions.contains(.answer(finished, nil)))
        expectEqual(actions.seconds(of: .answerLimit), 3)
        #expect(store.fire(.answerLimit, at: .seconds(5)).contains(.answer(finished, nil)))
    }
}
