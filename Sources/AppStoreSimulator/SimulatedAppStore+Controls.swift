public import Foundation

extension SimulatedAppStore {
    /// The history of the account: everything that was paid, and payments that wait for an approval or were interrupted.
    public func allTransactions() -> [SimulatedHistoryRecord] {
        withEngine { $0.history }
    }

    /// Approves a payment that waits for it: its transaction becomes purchased, in whatever launch is current.
    ///
    /// - Throws: ``SimulatorError/Code/notAwaitingApproval``
    public func approveAskToBuyTransaction(identifier: SimulatedTransaction.ID) throws(SimulatorError) {
        try mutate { state throws(SimulatorError) in try state.answerApproval(identifier, approves: true) }
    }

    /// Declines a payment that waits for an approval: its transaction fails.
    ///
    /// - Throws: ``SimulatorError/Code/notAwaitingApproval``
    public func declineAskToBuyTransaction(identifier: SimulatedTransaction.ID) throws(SimulatorError) {
        try mutate { state throws(SimulatorError) in try state.answerApproval(identifier, approves: false) }
    }

    /// Settles what interrupted a payment: it is paid, as a second transaction. For the latest transaction of a subscription that is
    /// in billing retry, its renewal is paid.
    ///
    /// - Throws: ``SimulatorError/Code/noIssue``
    public func resolveIssueForTransaction(identifier: SimulatedTransaction.ID) throws(SimulatorError) {
        try mutate { state throws(SimulatorError) in try state.resolveIssue(identifier) }
    }

    /// Refunds a transaction: the account no longer owns what it bought, and observers are told so. A second refund does nothing.
    ///
    /// - Throws: ``SimulatorError/Code/unknownTransaction``
    public func refundTransaction(identifier: String) throws(SimulatorError) {
        try mutate { state throws(SimulatorError) in try state.refund(identifier) }
    }

    /// Ends the paid time of a subscription now, and begins the next.
    ///
    /// - Throws: ``SimulatorError/Code/notSubscribed``
    public func forceRenewalOfSubscription(productIdentifier: String) throws(SimulatorError) {
        try mutate { state throws(SimulatorError) in try state.forceRenewal(productIdentifier) }
    }

    /// Ends a subscription now.
    ///
    /// - Throws: ``SimulatorError/Code/notSubscribed``
    public func expireSubscription(productIdentifier: String) throws(SimulatorError) {
        try mutate { state throws(SimulatorError) in try state.expire(productIdentifier) }
    }

    /// Sets the subscription to which a transaction belongs to renew.
    ///
    /// - Throws: ``SimulatorError/Code/unknownTransaction``, ``SimulatorError/Code/notSubscribed``
    public func enableAutoRenewForTransaction(identifier: String) throws(SimulatorError) {
        try mutate { state throws(SimulatorError) in try state.setAutoRenews(true, identifier: identifier) }
    }

    /// Sets the subscription to which a transaction belongs to end with its paid time.
    ///
    /// - Throws: ``SimulatorError/Code/unknownTransaction``, ``SimulatorError/Code/notSubscribed``
    public func disableAutoRenewForTransaction(identifier: String) throws(SimulatorError) {
        try mutate { state throws(SimulatorError) in try state.setAutoRenews(false, identifier: identifier) }
    }

    /// Buys on another device of the account: the transaction comes unasked.
    ///
    /// - Throws: ``SimulatorError/Code/unknownProduct``
    public func buyProduct(productIdentifier: String, quantity: Int = 1, applicationUsername: String? = nil) throws(SimulatorError) {
        let payment = SimulatedPayment(
            productIdentifier: productIdentifier, quantity: quantity, applicationUsername: applicationUsername)
        try mutate { state throws(SimulatorError) in try state.buyElsewhere(payment) }
    }

    /// Begins a purchase in the App Store. Every observer is asked whether it is to go on; one yes is enough. Without an observer the
    /// first one that comes is asked, in a later launch if need be.
    ///
    /// - Throws: ``SimulatorError/Code/unknownProduct``
    public func promotePurchase(productIdentifier: String) throws(SimulatorError) {
        try mutate { state throws(SimulatorError) in try state.beginPromotion(productIdentifier) }
    }

    /// Takes a product away that was shared in the family, and tells the observers.
    ///
    /// - Throws: ``SimulatorError/Code/notOwned``
    public func revokeFamilySharing(productIdentifier: String) throws(SimulatorError) {
        try mutate { state throws(SimulatorError) in try state.revokeFamilySharing(productIdentifier) }
    }

    /// Forgets everything that was ever bought, empties the queue, and deletes the receipt.
    public func clearTransactions() {
        mutate { $0.clearTransactions() }
    }

    /// Brings every setting back to how it was at first, the catalog and scripted outcomes included. What was bought stays.
    public func resetToDefaultState() {
        mutate { $0.resetToDefaultState() }
    }

    /// Finishes a transaction as another library in the app would: it leaves the queue, whatever its state. A payment that was being
    /// processed is never paid.
    public func finishElsewhere(_ id: SimulatedTransaction.ID) {
        mutate { $0.finishElsewhere(id) }
    }

    /// Has the queue report a transaction once more. One that was finished is in the queue again until it is finished again, or until
    /// the next launch.
    public func reportAgain(_ id: SimulatedTransaction.ID) {
        mutate { $0.reportAgain(id) }
    }

    /// Says how the next payment ends, or the next one for a product. Outcomes for a product come before those for any.
    public func enqueue(_ outcome: SimulatedOutcome, for productIdentifier: String? = nil) {
        mutate { state in
            if let productIdentifier {
                state.scripted[productIdentifier, default: FIFO()].append(outcome)
            } else {
                state.scriptedForAny.append(outcome)
            }
        }
    }

    /// Lets a download give up.
    public func failDownload(_ id: SimulatedDownload.ID, error: SimulatedError = .notConnectedToInternet) {
        mutate { $0.failDownload(id, error: error) }
    }

    /// The time on the virtual clock, which starts at 1 January 2026, 00:00 UTC, and stands still but for ``advance(by:)``.
    public var now: Date {
        withEngine { $0.now }
    }

    /// Moves the clock by so many seconds, a hundred years at most. Renewals, expiries, steps of downloads and late receipts that are
    /// due by then happen, in order, each at its own time. The clock never goes back.
    public func advance(by seconds: TimeInterval) {
        mutate { $0.advance(by: seconds) }
    }
}
