import AppStoreSimulator
import AsyncStoreKitTesting
import Dispatch
import Foundation
import Support
import TestHarness
import Testing

@testable import AsyncStoreKit

/// On which threads a store works, and what it calls there.
@Suite(.bounded) struct StoreThreadsTests {
    private enum Stranger {
        @TaskLocal static var value = 0
    }

    /// Records the threads of payments and finishes, and the task-local value of each payment.
    private struct Listener: RelayBackend {
        let next: any StoreBackend
        let submitsOnMain = Recorder<Bool>()
        let finishesOnMain = Recorder<Bool>()
        let values = Recorder<Int>()

        func submit(_ payment: PaymentRequest, as id: CallID) throws(StoreError) {
            submitsOnMain.record(MainQueue.isCurrent)
            values.record(Stranger.value)
            try next.submit(payment, as: id)
        }

        func finish(_ token: TransactionToken, completion: @escaping @Sendable () -> Void) {
            finishesOnMain.record(MainQueue.isCurrent)
            next.finish(token, completion: completion)
        }
    }

    private let appStore = SimulatedAppStore(catalog: .shop)

    @Test func `a log that waits for the main thread doesn't block a call of the main thread`() async throws {
        let logged = Recorder<Bool>()
        let configuration = StoreConfiguration { event in
            guard event.message.contains("replaces") else { return }
            // As a log view does that is updated on the main thread.
            let isOnMain = MainQueue.isCurrent
            if !isOnMain { DispatchQueue.main.sync {} }
            logged.record(isOnMain)
        }
        let store = PurchaseStore(over: SimulatedBackend(appStore), configuration: configuration)
        store.setDelivery { _ in .accepted }
        DispatchQueue.global().async { for _ in 1...200 { store.setDelivery { _ in .accepted } } }
        try await MainQueue.run {
            for _ in 1...200 { store.setDelivery { _ in .accepted } }
        }
        expectEqual(try await logged.first(400).count, 400)
    }

    @Test(arguments: [false, true])
    func `a store doesn't work on the main thread for its callers, with or without a delivery ledger`(hasLedger: Bool)
        async throws
    {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        var configuration = StoreConfiguration()
        if hasLedger { configuration.deliveryLedger = DeliveryLedger(url: folder.appendingPathComponent("ledger")) }
        let listener = Listener(next: SimulatedBackend(appStore))
        let store = PurchaseStore(over: listener, configuration: configuration)
        _ = try await store.products(for: [StoreWorld.coins])
        let answers = Recorder<Bool>()
        try await MainQueue.run {
            _ = store.callbacks.purchase(StoreWorld.coins) { result in
                guard case .success(.success(let purchase)) = result else { return answers.record(false) }
                store.callbacks.finish(purchase.transaction) { _ in answers.record(true) }
            }
        }
        expectEqual(try await answers.first(1), [true])
        _ = try await Task { @MainActor in try await store.purchase(StoreWorld.coins) { _ in } }.value
        expectEqual(listener.submitsOnMain.elements, [false, false])
        expectEqual(listener.finishesOnMain.elements, [false, false])
    }

    @Test func `deliveries, and payments of other calls, see no task-local values of the call that woke the store`()
        async throws
    {
        let listener = Listener(next: SimulatedBackend(appStore))
        let store = PurchaseStore(over: listener)
        let delivered = Recorder<Int>()
        store.setDelivery { _ in
            delivered.record(Stranger.value)
            return .accepted
        }
        let product = try #require(try await store.products(for: [StoreWorld.coins]).products.first)
        let answers = Recorder<Bool>()
        try await Stranger.$value.withValue(1) {
            _ = try await store.purchase(product)
            store.callbacks.purchase(product) { answers.record((try? $0.get()) != nil) }
            _ = try await answers.first(1)
        }
        expectEqual(delivered.elements, [0, 0])
        // For the call without `await`, a task was woken.
        expectEqual(listener.values.elements.last, 0)
    }
}
