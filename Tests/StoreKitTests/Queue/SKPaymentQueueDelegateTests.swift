import AppStoreSimulator
import Foundation
import StoreKit
import TestHarness
import Testing

@Suite(.bounded) struct SKPaymentQueueDelegateTests {
    // @unchecked because: the test calls it on one thread only.
    private final class Delegate: NSObject, SKPaymentQueueDelegate, @unchecked Sendable {
        var asked: [String] = []

        func paymentQueue(
            _ paymentQueue: SKPaymentQueue, shouldContinue transaction: SKPaymentTransaction,
            in newStorefront: SKStorefront
        )
            -> Bool
        {
            asked.append("\(transaction.payment.productIdentifier) in \(newStorefront.countryCode)")
            return false
        }
    }

    @Test func `the delegate is held weakly`() {
        let queue = SKPaymentQueue(launch: SimulatedAppStore(catalog: .samples, pacing: .manual).launch())
        do {
            let delegate = Delegate()
            queue.delegate = delegate
            #expect(queue.delegate === delegate)
        }
        #expect(queue.delegate == nil)
    }

    @Test func `the delegate is asked once about another storefront, with any number of observers`() throws {
        let store = SimulatedAppStore(catalog: .samples, pacing: .manual)
        let queue = SKPaymentQueue(launch: store.launch())
        let (observer, second, delegate) = (RecordingObserver(), RecordingObserver(), Delegate())
        queue.delegate = delegate
        queue.add(observer)
        queue.add(second)
        let payment = SKMutablePayment()
        payment.productIdentifier = "coins"
        queue.add(payment)
        store.step()
        store.storefront = try #require(SimulatedStorefront(countryCode: "CAN"))
        store.runUntilIdle()
        expectEqual(delegate.asked, ["coins in CAN"])
        expectEqual(observer.latest?.transactionState, .failed)
    }
}
