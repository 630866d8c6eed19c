import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting

extension BackendBehavior {
    static let pendingPurchases: [BackendBehavior] = [
        .finishing("an approved Ask to Buy purchase arrives on the stream with its pending purchase") { world, store in
            let updates = StreamListener(store.transactions)
            let pending = try await world.askToBuy(store)
            try await world.settle(store)
            let entry = try world.entry(.deferred)
            try world.appStore.approveAskToBuyTransaction(id: entry)
            let update = try await world.next(of: updates)
            try world.expect(update.transaction.productID, is: StoreWorld.pro, "approved")
            try world.expect(update.pendingPurchase, is: pending, "the pending purchase")
            await update.finish()
        },
        .finishing("a declined Ask to Buy purchase is a failure with its pending purchase", requires: [.declines]) {
            world, store in
            let failures = StreamListener(store.purchaseFailures)
            let pending = try await world.askToBuy(store)
            try await world.settle(store)
            try world.appStore.declineAskToBuyTransaction(id: try world.entry(.deferred))
            let failure = try await world.next(of: failures)
            try world.expect(failure.pendingPurchase, is: pending, "the pending purchase")
        },
        BackendBehavior(
            "an Ask to Buy purchase doesn't block other payments, and can be approved in another launch"
        ) { world in
            let first = world.launch()
            _ = try await world.askToBuy(first)
            try await first.purchase(StoreWorld.coins) { _ in }
            let second = world.launch()
            let updates = StreamListener(second.transactions)
            try await world.settle(second)
            let unfinished = await second.unfinishedTransactions
            try world.expect(unfinished.isEmpty, "unfinished before the approval: \(unfinished)")
            try world.appStore.approveAskToBuyTransaction(id: try world.entry(.deferred))
            let update = try await world.next(of: updates)
            try world.expect(update.transaction.productID, is: StoreWorld.pro, "approved")
            await update.finish()
            try await world.expectFinished(second)
        },
        .finishing("an interrupted purchase fails, and arrives on the stream when it's resolved") { world, store in
            let updates = StreamListener(store.transactions)
            world.appStore.setNextPurchaseOutcome(.interrupted)
            do {
                let outcome = try await store.purchase(StoreWorld.pro)
                try world.expect(outcome, is: .userCancelled, "the outcome")
            } catch let error as StoreError {
                try world.expect(error.code != .timedOut, "timed out")
            }
            try await world.settle(store)
            try world.appStore.resolveIssueForTransaction(id: try world.entry(.interrupted))
            let update = try await world.next(of: updates)
            try world.expect(update.transaction.productID, is: StoreWorld.pro, "resolved")
            await update.finish()
        },
    ]
}

extension StoreWorld {
    fileprivate func askToBuy(_ store: PurchaseStore) async throws -> PendingPurchase {
        appStore.setNextPurchaseOutcome(.deferred)
        guard case .pending(let pending) = try await store.purchase(Self.pro) else {
            throw BehaviorViolation(description: "the purchase isn't pending", line: #line)
        }
        return pending
    }

    fileprivate func entry(_ state: SimulatedHistoryRecord.State) throws -> SimulatedTransaction.ID {
        guard let record = appStore.allTransactions().first(where: { $0.state == state }) else {
            throw BehaviorViolation(description: "no transaction is \(state)", line: #line)
        }
        return record.id
    }
}
