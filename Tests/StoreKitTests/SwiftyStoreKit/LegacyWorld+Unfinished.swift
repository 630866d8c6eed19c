import AppStoreSimulator
import StoreKit
import Support
import SwiftyStoreKit

@testable import AsyncStoreKit

extension LegacyWorld {
    /// Records the number of the store's unfinished transactions from inside a callback, after all earlier inputs and
    /// before the inputs that follow the callback.
    func note(unfinishedOf legacy: LegacyStore, in answers: Answers<Int?>) {
        let reply: Reply<StoreDiagnostics> = { answers.completion()(try? $0.get().held.count) }
        legacy.store.core.enqueue(reply) { $0.awaitDiagnostics({ _ in true }, $1) }
    }
}

extension StoreKit1Environment {
    /// An environment over a separate queue.
    static func over(_ queue: SKPaymentQueue, _ launch: SimulatedLaunch) -> StoreKit1Environment {
        let usual = StoreKit1Environment(launch: launch)
        return StoreKit1Environment(
            queue: queue, canMakePayments: usual.canMakePayments, productsRequest: usual.productsRequest,
            receipt: usual.receipt,
            trust: usual.trust)
    }
}

extension LegacyStore {
    /// Moves the app to the background or the foreground.
    func move(toBackground isInBackground: Bool) {
        store.core.lifecycle.receive(isInBackground ? .enteredBackground : .becameActive)
    }
}
