import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation

/// Checks the promises: every call ends, every purchase is delivered, and no transaction is finished before its
/// delivery.
final class PromiseKeeper: Sendable {
    private struct State: Sendable {
        var started = 0
        var ended: [Int: Int] = [:]
        /// The purchases of a launch that closures, deliveries or the app are delivering.
        var delivering: [Deliverer: [Purchase: Int]] = [:]
        var delivered: Set<String> = []
        var violations: [String] = []
    }

    /// A purchase in one launch.
    private struct Purchase: Sendable, Hashable {
        let launch: UInt64
        let deliveryKey: String
    }

    private let state = Locked(State())

    var violations: [String] { state.withLock { $0.violations } }
    var waiting: Int { state.withLock { $0.started - $0.ended.count } }

    func isDelivered(_ deliveryKey: String) -> Bool { state.withLock { $0.delivered.contains(deliveryKey) } }

    func violate(_ violation: String) { state.withLock { $0.violations.append(violation) } }

    func start() -> Int {
        state.withLock { state in
            state.started += 1
            return state.started
        }
    }

    func end(_ call: Int) {
        state.withLock { state in
            state.ended[call, default: 0] += 1
            if state.ended[call] != 1 { state.violations.append("call \(call) ended twice") }
        }
    }

    /// The deliverer of a purchase.
    enum Deliverer: Sendable {
        /// A closure, or the installed delivery.
        case store
        /// A loop, or a caller without a closure.
        case app
    }

    /// Delivers, which takes a moment. In one launch, the store never delivers a purchase twice at once. It doesn't
    /// deliver a purchase that the app is delivering, unless StoreKit answers a call with it or the customer restores
    /// it. (A delivery of the previous launch can still run here. In reality, its process has ended.)
    func deliver(_ purchase: StorePurchase, by deliverer: Deliverer) async {
        let transaction = purchase.transaction
        let entry = Purchase(launch: transaction.token.source, deliveryKey: purchase.deliveryKey)
        guard let id = transaction.id, transaction.state == .purchased || transaction.state == .restored else {
            return violate("\(transaction) can't be delivered")
        }
        state.withLock { state in
            // StoreKit 1 answers a payment for an owned product with a restored transaction.
            let isShared = purchase.isPreexisting || purchase.cause == .restored || transaction.state == .restored
            let others = isShared ? [Deliverer.store] : [.store, .app]
            if deliverer == .store, others.contains(where: { state.delivering[$0]?[entry] ?? 0 > 0 }) {
                state.violations.append("\(id) was delivered twice at once")
            }
            state.delivering[deliverer, default: [:]][entry, default: 0] += 1
        }
        await Task.yield()
        state.withLock { state in
            state.delivering[deliverer, default: [:]][entry, default: 0] -= 1
            state.delivered.insert(purchase.deliveryKey)
        }
    }
}

/// A backend that reports finished transactions to a promise keeper, and that can end as a process does.
final class WatchedBackend: RelayBackend {
    let next: any StoreBackend
    private let keeper: PromiseKeeper
    private let seen = Locked<[TransactionToken: StoreTransaction]>([:])
    private let receive = Locked<(@Sendable (QueueEvent) -> Void)?>(nil)
    /// The number of running calls of `finish`.
    private let finishing = Monitor(0)

    init(_ next: any StoreBackend, keeper: PromiseKeeper) {
        self.next = next
        self.keeper = keeper
    }

    func activate(_ receive: @escaping @Sendable (QueueEvent) -> Void) {
        self.receive.withLock { $0 = receive }
        next.activate { [seen] event in
            seen.withLock { seen in for transaction in event.transactions { seen[transaction.token] = transaction } }
            receive(event)
        }
    }

    func finish(_ token: TransactionToken, completion: @escaping @Sendable () -> Void) {
        let transaction = seen.withLock { $0[token] }
        switch transaction?.state {
        case .failed: break
        case .purchased, .restored:
            let key = transaction?.deliveryKey ?? ""
            if !keeper.isDelivered(key) { keeper.violate("\(key) was finished before it was delivered") }
        case .purchasing, .deferred, nil: keeper.violate("\(String(describing: transaction)) was finished")
        }
        finishing.update { $0 += 1 }
        next.finish(token) { [finishing] in
            completion()
            finishing.update { $0 -= 1 }
        }
    }

    /// Waits until the running calls of `finish` have reached the App Store.
    func finished() async throws {
        try await finishing.wait(for: "the App Store to be told") { $0 == 0 ? () : nil }
    }

    /// Fails the waiting calls and stops reporting events.
    func terminate() {
        receive.withLock { $0 }?(.terminated(StoreError(.backendUnavailable, "The process has ended.")))
        next.deactivate()
    }
}

extension QueueEvent {
    /// The transactions that the event reports.
    var transactions: [StoreTransaction] {
        switch self {
        case .updatedTransactions(let batch), .unsolicitedTransactions(let batch), .restoredTransactions(let batch):
            batch
        case .answeredPayment(_, let transaction, _): [transaction]
        default: []
        }
    }
}
