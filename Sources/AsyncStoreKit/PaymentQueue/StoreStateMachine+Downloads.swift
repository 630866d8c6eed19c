// Hosted content.
extension StoreStateMachine {
    mutating func downloadsChanged(_ changed: [StoreDownload]) {
        for download in changed { ledger.update(download) }
        guard contentReports != nil else { return contentHandled(changed) }
        for token in Set(changed.map(\.id.transaction)) { contentReports?[token, default: 0] += 1 }
    }

    /// Records that a report of downloads was processed.
    mutating func contentHandled(_ changed: [StoreDownload]) {
        for token in Set(changed.map(\.id.transaction)).inOrder(by: <) {
            let left = (contentReports?[token] ?? 1) - 1
            contentReports?[token] = left > 0 ? left : nil
            finishContent(of: token)
        }
    }

    /// Finishes a transaction that was delivered, and whose content is complete and needed no longer.
    mutating func finishContent(of token: TransactionToken) {
        if contentReports?[token] == nil, ledger.contentHasEnded(of: token) { requestFinish(token) }
    }

    /// Performs a command for downloads.
    mutating func control(_ command: DownloadCommand, _ ids: [StoreDownload.ID]) -> Result<Void, StoreError> {
        if let termination { return .failure(termination) }
        for id in ids {
            if let error = downloadRefusal(of: id.transaction) { return .failure(error) }
        }
        actions.append(.control(command, ids))
        return .success(())
    }

    private func downloadRefusal(of token: TransactionToken) -> StoreError? {
        if let entry = ledger[token], entry.state != .finished { return nil }
        guard ledger.isOfQueue(token) else {
            return StoreError(
                .unknownTransaction,
                "The transaction doesn't belong to this store, so its content can't be downloaded.")
        }
        return StoreError(
            .transactionFinished, "The transaction is finished, so its content can no longer be downloaded.")
    }
}

// Asking.
extension StoreStateMachine {
    func diagnostics(isRestoring: Bool, ledgerError: StoreError? = nil) -> StoreDiagnostics {
        StoreDiagnostics(
            held: ledger.unfinished.compactMap { entry in
                StoreDiagnostics.Held.Reason(entry.state, isBeingDelivered: ledger.isBeingDelivered(entry.transaction))
                    .map { held(entry, $0) }
            },
            inFlight: payments.inFlight.map(StoreDiagnostics.Payment.init),
            unresponsivePayments: payments.silent.map(StoreDiagnostics.Payment.init),
            waitingPayments: payments.waitingCount,
            pendingPurchases: pendingPurchases,
            pendingRetries: deliveries.pendingCount,
            isRestoring: isRestoring,
            deliveryLedgerError: ledgerError)
    }

    private func held(
        _ entry: UnfinishedTransactions.Entry, _ reason: StoreDiagnostics.Held.Reason
    ) -> StoreDiagnostics.Held {
        var held = StoreDiagnostics.Held(transaction: entry.transaction, reason: reason, since: entry.since)
        guard let schedule = deliveries.schedule(of: entry.transaction.token) else { return held }
        held.attempts = schedule.job.attempt
        held.lastError = schedule.job.lastAnswer?.description
        held.nextAttempt = reason == .pendingRetry ? schedule.date : nil
        return held
    }
}

extension StoreDiagnostics.Payment {
    fileprivate init(_ request: PaymentRequest) {
        productID = request.productID
        quantity = request.quantity
    }
}

extension StoreDiagnostics.Held.Reason {
    fileprivate init?(_ state: UnfinishedTransactions.State, isBeingDelivered: Bool) {
        switch state {
        case .open: self = isBeingDelivered ? .delivering : .offered
        case .offered: self = .offered
        case .withCaller: self = .returnedToCaller
        case .delivering: self = .delivering
        case .retrying: self = .pendingRetry
        case .downloading: self = .downloading
        case .finished: return nil
        }
    }
}
