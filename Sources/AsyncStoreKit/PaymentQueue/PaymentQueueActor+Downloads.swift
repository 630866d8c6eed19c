/// Somebody who waits for the hosted content of one transaction.
struct HostedContentWaiter: Sendable {
    let token: TransactionToken
    let subscriber: Subscriber<HostedContentReport>
}

extension PaymentQueueActor {
    /// Downloads have moved on.
    func receive(_ changed: [StoreDownload]) {
        var tokens: [TransactionToken] = []
        announcements.downloadBatches.send(changed)
        for download in changed {
            announcements.downloads.send(download)
            let token = download.id.transaction
            guard ledger.update(download), !tokens.contains(token) else { continue }
            tokens.append(token)
        }
        for token in tokens {
            tellContentWaiters(of: token)
            if ledger.contentHasEnded(of: token) { tellFinished(token) }
        }
    }

    func controlDownloads(_ command: DownloadCommand, _ ids: [StoreDownload.ID], _ reply: Reply<Void>) {
        if let termination { return reply.fail(termination) }
        for id in ids {
            if let error = reasonAgainstDownloads(of: id.transaction) { return reply.fail(error) }
        }
        backend.control(command, ids)
        reply.succeed(())
    }

    func subscribe(_ id: CallID, toContentOf token: TransactionToken, _ subscriber: Subscriber<HostedContentReport>) {
        if let error = reasonAgainstDownloads(of: token) {
            subscriber.send(.failed(error))
            return subscriber.finish()
        }
        contentWaiters[id] = HostedContentWaiter(token: token, subscriber: subscriber)
        let downloads = ledger[token]?.transaction.downloads ?? []
        let idle = downloads.filter { $0.state == .waiting || $0.state == .failed }
        for download in idle where download.state == .failed {
            // What is started again must not be taken for the end in the meantime.
            var waiting = download
            waiting.state = .waiting
            waiting.error = nil
            _ = ledger.update(waiting)
        }
        tellContentWaiters(of: token)
        if !idle.isEmpty { backend.control(.start, idle.map(\.id)) }
    }

    /// The task of a loop over hosted content was cancelled.
    func cancelContent(of token: TransactionToken) {
        guard reasonAgainstDownloads(of: token) == nil else { return }
        let open = (ledger[token]?.transaction.downloads ?? []).filter { !$0.state.isOver }.map(\.id)
        if !open.isEmpty { backend.control(.cancel, open) }
    }

    /// The transaction is gone, and with it what was to be downloaded.
    func endContent(of token: TransactionToken) {
        guard !contentWaiters.isEmpty else { return }
        for (id, waiter) in contentWaiters where waiter.token == token {
            contentWaiters[id] = nil
            waiter.subscriber.send(.failed(Self.finishedTransaction))
            waiter.subscriber.finish()
        }
    }

    private func tellContentWaiters(of token: TransactionToken) {
        guard !contentWaiters.isEmpty else { return }
        let downloads = ledger[token]?.transaction.downloads ?? []
        let isOver = downloads.allSatisfy { $0.state.isOver }
        let report: HostedContentReport =
            switch downloads.first(where: { isOver && $0.state != .finished }) {
            case let ended? where ended.state == .cancelled:
                .failed(StoreError(.downloadCancelled, "The download of \"\(ended.contentID)\" was cancelled."))
            case let ended?:
                .failed(
                    StoreError(
                        .downloadFailed,
                        "The download of \"\(ended.contentID)\" failed: \(ended.error?.message ?? "no reason is known").",
                        underlying: ended.error))
            case nil: .progress(HostedContentProgress(downloads: downloads))
            }
        for (id, waiter) in contentWaiters where waiter.token == token {
            waiter.subscriber.send(report)
            guard isOver else { continue }
            contentWaiters[id] = nil
            waiter.subscriber.finish()
        }
    }

    private func reasonAgainstDownloads(of token: TransactionToken) -> StoreError? {
        guard let entry = ledger[token] else {
            let newest = backend.newestToken()
            guard token.source == newest.source, token <= newest else {
                return StoreError(.transactionUnknown, "The transaction is not one of this store's: nothing can be downloaded for it.")
            }
            return Self.finishedTransaction
        }
        return entry.holder == .finished ? Self.finishedTransaction : nil
    }

    private static let finishedTransaction = StoreError(
        .transactionFinished, "The transaction is finished: nothing can be downloaded for it any more.")
}
