import AppStoreSimulator
import Foundation
import TestHarness
import Testing

@testable import StoreKit

@Suite(.bounded) struct SKPaymentQueueConcurrencyTests {
    // These tests need the thread sanitizer: objects change while other threads read them.
    @Test func `transactions can be read from anywhere while the queue changes them`() async {
        let store = SimulatedAppStore(catalog: .samples)
        let queue = SKPaymentQueue(launch: store.launch())
        let observer = RecordingObserver()
        queue.add(observer)
        let count = 100
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<count {
                group.addTask {
                    let payment = SKMutablePayment()
                    payment.productIdentifier = "map"
                    queue.add(payment)
                }
            }
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<50 {
                        for transaction in queue.transactions {
                            _ = (
                                transaction.transactionState, transaction.transactionIdentifier,
                                transaction.downloads.map(\.state)
                            )
                        }
                        await Task.yield()
                    }
                }
            }
        }
        await store.waitUntilIdle()
        expectEqual(queue.transactions.count, count)
        #expect(queue.transactions.allSatisfy { $0.transactionState == .purchased || $0.transactionState == .restored })
        expectEqual(Set(observer.updates.joined().map(ObjectIdentifier.init)).count, count)
    }

    @Test func `an outdated listing doesn't revert a report`() {
        let registry = TransactionRegistry()
        let id = SimulatedTransaction.ID(rawValue: 1)
        func entry(_ object: UInt64) -> SimulatedTransaction {
            SimulatedTransaction(
                id: id, object: object, payment: SimulatedPayment(productID: "coins"), state: .purchasing)
        }
        let first = registry.object(reporting: entry(1))
        let second = registry.object(reporting: entry(2))
        #expect(first !== second)
        #expect(registry.object(for: id) { entry(1) } === second)
        #expect(registry.object(reporting: entry(2)) === second)
    }

    @Test func `observers can be added and removed while the queue reports`() async {
        let store = SimulatedAppStore(catalog: .samples)
        let queue = SKPaymentQueue(launch: store.launch())
        let steady = RecordingObserver()
        queue.add(steady)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<20 {
                        let passing = RecordingObserver()
                        queue.add(passing)
                        let payment = SKMutablePayment()
                        payment.productIdentifier = "coins"
                        queue.add(payment)
                        queue.remove(passing)
                    }
                }
            }
        }
        await store.waitUntilIdle()
        expectEqual(queue.transactionObservers.count, 1)
        expectEqual(queue.transactions.count, 160)
        expectEqual(Set(steady.updates.joined().map(ObjectIdentifier.init)).count, 160)
    }
}
