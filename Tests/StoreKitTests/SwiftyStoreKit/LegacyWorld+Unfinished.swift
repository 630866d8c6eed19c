import AppStoreSimulator
import StoreKit
import Support
import SwiftyStoreKit

@testable import AsyncStoreKit

extension LegacyWorld {
    /// Notes how many transactions the store holds that are not finished, asked from inside a callback: when it has done everything that
    /// it was told before this, and nothing that it is told when the callback has returned.
    func note(unfinishedOf legacy: LegacyStore, in answers: Answers<Int?>) {
        let reply = Reply<StoreDiagnostics> { result in
            answers.completion()(try? result.get().held.count)
        }
        legacy.store.core.enqueue(reply) { .diagnostics($0) }
    }
}

extension StoreKit1Environment {
    /// An environment over a queue of the test's own.
    static func over(_ queue: SKPaymentQueue, _ launch: SimulatedLaunch) -> StoreKit1Environment {
        let usual = StoreKit1Environment(launch: launch)
        return StoreKit1Environment(
            queue: queue, canMakePayments: usual.canMakePayments, productsRequest: usual.productsRequest, receipt: usual.receipt,
            trust: usual.trust)
    }
}

extension LegacyStore {
    /// Has the app enter the background, or return, without the network.
    func move(toBackground isInBackground: Bool) {
        if isInBackground { store.core.life.receive(.networkLost) }
        store.core.life.receive(isInBackground ? .enteredBackground : .becameActive)
    }
}
