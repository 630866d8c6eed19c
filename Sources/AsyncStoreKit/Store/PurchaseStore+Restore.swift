extension PurchaseStore {
    /// Restores purchases. Call `finish()` on each purchase, unless a delivery is installed; then the delivery handles
    /// the purchases first.
    ///
    /// The outcome has the purchases that StoreKit restores, and those of other products in the last answer of
    /// ``entitlements``: purchases that StoreKit's lists lack, and those that wait in the queue.
    ///
    /// Canceling the task only ends the wait. The restore continues, its purchases arrive on ``transactions``, and
    /// another restore fails until it has ended.
    /// - Throws: ``StoreError/Code/restoreInProgress`` immediately while another restore is running,
    ///   ``StoreError/Code/timedOut`` if StoreKit is silent for ``StoreConfiguration/restoreTimeout``,
    ///   ``StoreError/Code/taskCancelled``, ``StoreError/Code/deliveryRejected``, ``StoreError/Code/deliveryPending``,
    ///   ``StoreError/Code/invalidAccount`` over StoreKit 2 for a user name that isn't a UUID, or the StoreKit error.
    ///   After a failure, purchases that arrived before it are on ``transactions``.
    /// - Parameter account: Restores only purchases that name this account; `nil` restores all. StoreKit 1 doesn't say
    ///   who paid for a purchase in an earlier launch, and restores it for every account. See <doc:SeveralAccounts>.
    public func restore(account: PurchaseAccount? = nil) async throws(StoreError) -> RestoreOutcome {
        try await core.restore(account, .plain)
    }

    /// Restores purchases and delivers each one in the closure. A transaction is finished when the closure returns.
    ///
    /// The closure runs in the caller's isolation, for one purchase at a time. If the closure throws for a
    /// purchase, the purchase stays unfinished and is offered on ``transactions``. The other purchases are still
    /// delivered. If the task is canceled, the purchase whose closure hasn't returned yet and all later ones are
    /// offered in the same way; see ``purchase(_:options:deliver:)-(String,_,_)``.
    ///
    /// If a purchase is being delivered when the restore brings it, the restore waits for that delivery, up to
    /// ``StoreConfiguration/restoreTimeout``. The closure is called only if that delivery fails. Otherwise
    /// ``StorePurchase/isHandledElsewhere`` is `true`. A restore inside a delivery doesn't wait for that delivery.
    /// Purchases that were delivered before the restore are delivered again, with ``StorePurchase/isRedelivery``.
    /// - Throws: As ``restore(account:)`` does, and ``StoreError/Code/deliveryFailed`` with the first error that
    ///   the closure threw underneath.
    @discardableResult
    nonisolated(nonsending) public func restore(
        account: PurchaseAccount? = nil, deliver: nonisolated(nonsending) (StorePurchase) async throws -> Void
    ) async throws(StoreError) -> RestoreOutcome {
        let outcome = try await core.restore(account, .closure)
        let purchases = outcome.purchases
        var failed: [String] = []
        var firstFailure: StoreError?
        for (index, purchase) in purchases.enumerated() {
            guard !purchase.isHandledElsewhere else { continue }
            guard !Task.isCancelled else {
                let rest = purchases[index...].filter { !$0.isHandledElsewhere }.map(\.transaction.token)
                core.enqueue(.change { $0.closureEnded(rest, delivered: false) })
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
                firstFailure.code,
                "\(failed.count) of \(purchases.count) restored purchases were not delivered: \(names).",
                underlying: firstFailure.underlying)
        }
        return outcome
    }
}
