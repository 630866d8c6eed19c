import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation
import Support

/// One launch of the app, which ends at a step of a purchase. After that, no call reaches the queue, and no event
/// reaches the app.
final class AppLife: RelayBackend {
    private let backend: SimulatedBackend
    private let point: CrashPoint?
    private let isOver = Locked(false)
    private let reported = Locked<[TransactionToken: StoreTransaction]>([:])
    private let accepted: Locked<Set<String>>
    /// One element when the app has ended.
    let ended = Recorder<Void>()
    let finished = Recorder<TransactionToken>()
    let violations = Recorder<String>()

    init(_ appStore: SimulatedAppStore, endsAt point: CrashPoint?, accepted: Locked<Set<String>>) {
        backend = SimulatedBackend(appStore, engine: .storeKit1)
        self.point = point
        self.accepted = accepted
    }

    /// Ends the app, if this is the step. Returns whether the app has ended, now or before.
    func reaches(_ point: CrashPoint) -> Bool {
        if point == self.point { end() }
        return isOver.withLock { $0 }
    }

    func end() {
        let wasOver = isOver.withLock { isOver in
            defer { isOver = true }
            return isOver
        }
        guard !wasOver else { return }
        backend.terminate()
        ended.record(())
    }

    /// Records the transactions that the server has.
    func accept(_ transactionIDs: [String]) {
        accepted.withLock { $0.formUnion(transactionIDs) }
    }

    var next: any StoreBackend { backend }

    func activate(_ receive: @escaping @Sendable (QueueEvent) -> Void) {
        backend.activate { [self] event in
            if case .updatedTransactions(let batch) = event {
                for transaction in batch {
                    reported.withLock { $0[transaction.token] = transaction }
                    if transaction.state == .purchasing, reaches(.purchasingIsReported) { return }
                    if transaction.state == .purchased, reaches(.purchasedIsReported) { return }
                }
            }
            receive(event)
        }
    }

    func submit(_ payment: PaymentRequest, as id: CallID) throws(StoreError) {
        try backend.submit(payment, as: id)
        _ = reaches(.paymentIsSubmitted)
    }

    func finish(_ token: TransactionToken, completion: @escaping @Sendable () -> Void) {
        guard !reaches(.finishing) else { return }
        let id = reported.withLock { $0[token]?.id } ?? ""
        if !accepted.withLock({ $0.contains(id) }) { violations.record("\(id) was finished before it was delivered") }
        backend.finish(token, completion: completion)
        finished.record(token)
        _ = reaches(.finished)
    }
}
