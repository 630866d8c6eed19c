import AppStoreSimulator
import Foundation
import StoreKit
import Support
import TestHarness
import Testing

@testable import AsyncStoreKit

@Suite(.bounded) struct PaymentQueueObserverTests {
    /// Records for each read whether another thread can have the observer's lock meanwhile.
    // @unchecked because: both properties are locked.
    private final class ProbingQueue: SKPaymentQueue, @unchecked Sendable {
        let observer = Locked<PaymentQueueObserver?>(nil)
        let reads = Recorder<Bool>()

        override var transactions: [SKPaymentTransaction] {
            if let observer = observer.withLock({ $0 }) {
                let hasLock = DispatchSemaphore(value: 0)
                Thread.detachNewThread {
                    observer.state.withLock { _ in }
                    hasLock.signal()
                }
                reads.record(hasLock.wait(timeout: .now() + 5) == .success)
            }
            return super.transactions
        }
    }

    @Test func `the queue is never read under the lock, and equal payments get two tokens`() async throws {
        let appStore = SimulatedAppStore(products: [.consumable("coins", price: 1)])
        let launch = appStore.launch()
        let queue = ProbingQueue(launch: launch)
        let backend = StoreKit1Backend(environment: .over(queue, launch))
        let tokens = Recorder<TransactionToken>()
        backend.activate { event in
            if case .updatedTransactions(let batch) = event { batch.map(\.token).forEach(tokens.record) }
        }
        queue.observer.withLock { $0 = backend.observer }
        _ = try await backend.products(for: ["coins"])
        // The first payment has no identifier when the second one is reported.
        appStore.setNextPurchaseOutcome(.neverAnswered(afterPurchasing: true))
        for _ in 1...2 { try backend.submit(PaymentRequest(productID: "coins"), as: CallID()) }
        // Each payment is reported when it's added, and the second one when it's paid.
        expectEqual(Set(try await tokens.first(3)).count, 2)
        _ = backend.newestToken()
        let reads = queue.reads.elements
        #expect(reads.count > 1 && reads.allSatisfy(\.self), "\(reads)")
        backend.deactivate()
    }
}
