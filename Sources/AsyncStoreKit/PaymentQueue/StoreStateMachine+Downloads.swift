// Hosted content.
extension StoreStateMachine {
    /// Records changed downloads.
    mutating func downloadsChanged(_ changed: [StoreDownload]) {
        var tokens: [TransactionToken] = []
        for download in changed {
            let token = download.id.transaction
            guard ledger.update(download), !tokens.contains(token) else { continue }
            tokens.append(token)
        }
        for token in tokens {
            sendContentEvent(of: token)
            if ledger.contentHasEnded(of: token) { requestFinish(token) }
        }
    }

    /// Performs a command for downloads.
    /// - Parameter newest: The greatest token given so far.
    mutating func control(
        _ command: DownloadCommand, _ ids: [StoreDownload.ID], newest: @autoclosure () -> TransactionToken
    ) -> Result<Void, StoreError> {
        if let termination { return .failure(termination) }
        for id in ids {
            if let error = downloadRefusal(of: id.transaction, newest: newest()) { return .failure(error) }
        }
        actions.append(.control(command, ids))
        return .success(())
    }

    /// Starts the waiting downloads of a transaction, and failed ones again, for a loop that observes them.
    mutating func startContent(of token: TransactionToken, newest: @autoclosure () -> TransactionToken) {
        if let error = downloadRefusal(of: token, newest: newest()) {
            return actions.append(.sendContentEvent(HostedContentEvent(token: token, progress: .failure(error))))
        }
        let idle = (ledger[token]?.transaction.downloads ?? []).filter { $0.state == .waiting || $0.state == .failed }
        for download in idle where download.state == .failed {
            // A failed download that is started again doesn't end the loop.
            var waiting = download
            waiting.state = .waiting
            waiting.error = nil
            _ = ledger.update(waiting)
        }
        sendContentEvent(of: token)
        if !idle.isEmpty { actions.append(.control(.start, idle.map(\.id))) }
    }

    /// Ends a canceled loop over hosted content.
    mutating func cancelContent(of token: TransactionToken, newest: @autoclosure () -> TransactionToken) {
        guard downloadRefusal(of: token, newest: newest()) == nil else { return }
        let open = (ledger[token]?.transaction.downloads ?? []).filter { !$0.state.isOver }.map(\.id)
        if !open.isEmpty { actions.append(.control(.cancel, open)) }
    }

    /// Ends the loops over the hosted content of a transaction that has left the queue.
    mutating func endContent(of token: TransactionToken) {
        actions.append(
            .sendContentEvent(HostedContentEvent(token: token, progress: .failure(Self.finishedTransaction))))
    }

    private mutating func sendContentEvent(of token: TransactionToken) {
        let downloads = ledger[token]?.transaction.downloads ?? []
        let isOver = downloads.allSatisfy { $0.state.isOver }
        let progress: Result<HostedContentProgress, StoreError> =
            switch downloads.first(where: { isOver && $0.state != .finished }) {
            case let ended? where ended.state == .cancelled:
                .failure(StoreError(.downloadCancelled, "The download of \"\(ended.contentID)\" was canceled."))
            case let ended?:
                .failure(
                    StoreError(
                        .downloadFailed,
                        "The download of \"\(ended.contentID)\" failed: \(ended.error?.message ?? "no reason is known").",
                        underlying: ended.error))
            case nil: .success(HostedContentProgress(downloads: downloads))
            }
        actions.append(.sendContentEvent(HostedContentEvent(token: token, progress: progress)))
    }

    private func downloadRefusal(of token: TransactionToken, newest: @autoclosure () -> TransactionToken) -> StoreError?
    {
        guard let entry = ledger[token] else {
            let newest = newest()
            guard token.source == newest.source, token <= newest else {
                return StoreError(
                    .unknownTransaction,
                    "The transaction doesn't belong to this store, so its content can't be downloaded.")
            }
            return Self.finishedTransaction
        }
        return entry.owner == .finished ? Self.finishedTransaction : nil
    }

    private static let finishedTransaction = StoreError(
        .transactionFinished, "The transaction is finished, so its content can no longer be downloaded.")
}

// Asking.
extension StoreStateMachine {
    func diagnostics(isRestoring: Bool, ledgerError: StoreError? = nil) -> StoreDiagnostics {
        StoreDiagnostics(
            held: ledger.unfinished.compactMap { entry in
                StoreDiagnostics.Held.Reason(entry.owner, isBeingDelivered: ledger.isBeingDelivered(entry.transaction))
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
        _ entry: TransactionLedger.Entry, _ reason: StoreDiagnostics.Held.Reason
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
    fileprivate init?(_ owner: TransactionLedger.Owner, isBeingDelivered: Bool) {
        switch owner {
        case .subscribers: self = .offered
        case .caller: self = .returnedToCaller
        case .delivery: self = .delivering
        case .sibling: self = isBeingDelivered ? .delivering : .offered
        case .pendingRetry: self = .pendingRetry
        case .downloads: self = .downloading
        case .nobody, .finished: return nil
        }
    }
}
