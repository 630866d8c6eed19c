extension PurchaseStore {
    /// Restores what was bought before. Whoever calls finishes it, unless a delivery is installed, which is asked first.
    ///
    /// Cancelling the task ends the wait, not the restore: what still comes arrives on ``transactions``, and another restore
    /// is refused until this one is over.
    /// - Throws: ``StoreError/Code/restoreInProgress`` at once while another restore is running,
    ///   ``StoreError/Code/timedOut`` when nothing was heard for ``StoreConfiguration/restoreTimeout``,
    ///   ``StoreError/Code/taskCancelled``, ``StoreError/Code/deliveryRejected``, ``StoreError/Code/deliveryPending``, or what StoreKit
    ///   says. After a failure, what had already come is on ``transactions``.
    /// - Parameter account: Only what was bought for this account; `nil` restores everything. StoreKit 1 hands it to the App Store.
    public func restore(account: PurchaseAccount? = nil) async throws(StoreError) -> RestoreOutcome {
        try await core.restore(.init(applicationUsername: account?.applicationUsername, style: .plain))
    }

    /// Restores what was bought before, and delivers each purchase in the closure: finished when it returns.
    ///
    /// The closure runs in the caller's isolation, for one purchase after the other. A purchase for which it throws stays
    /// unfinished and is offered on ``transactions``; the others are delivered all the same. When the task is cancelled, so
    /// is what was not delivered yet.
    ///
    /// If a purchase is being delivered when the restore brings it, the restore waits for that delivery, up to
    /// ``StoreConfiguration/restoreTimeout``. The closure is called only if that delivery fails. Otherwise
    /// ``StorePurchase/isDelivered`` is `true`. A restore inside a delivery doesn't wait for that delivery. Purchases that
    /// were delivered before the restore are delivered again, with ``StorePurchase/isRedelivery``.
    /// - Throws: As ``restore(account:)`` does, and ``StoreError/Code/deliveryFailed`` with the first error that
    ///   the closure threw underneath.
    @discardableResult
    public func restore(
        account: PurchaseAccount? = nil, deliver: (StorePurchase) async throws -> Void
    ) async throws(StoreError) -> RestoreOutcome {
        let outcome = try await core.restore(.init(applicationUsername: account?.applicationUsername, style: .closure))
        let purchases = outcome.purchases
        var failed: [String] = []
        var firstFailure: StoreError?
        for (index, purchase) in purchases.enumerated() {
            guard !purchase.isDelivered else { continue }
            guard !Task.isCancelled else {
                core.enqueue(.undelivered(purchases[index...].filter { !$0.isDelivered }.map(\.transaction.token)))
                throw .cancelled("the delivery of a restore")
            }
            do throws(StoreError) {
                try await core.deliver(purchase, deliver)
            } catch {
                failed.append(purchase.productID)
                firstFailure = firstFailure ?? error
            }
        }
        if let firstFailure {
            let names = failed.map { "\"\($0)\"" }.joined(separator: ", ")
            throw StoreError(
                firstFailure.code, "\(failed.count) of \(purchases.count) restored purchases were not delivered: \(names).",
                underlying: firstFailure.underlying)
        }
        return outcome
    }
}
