extension PurchaseStore {
    /// Downloads what the App Store hosts for a purchase. Apple has deprecated hosted content since iOS 16.
    ///
    /// ```swift
    /// try await store.purchase("com.example.maps") { purchase in
    ///     var files: [URL] = []
    ///     for try await progress in store.content(of: purchase) { files = progress.localURLs }
    ///     try keep(files)    // they are gone when the transaction is finished
    /// }
    /// ```
    public func content(of purchase: StorePurchase) -> HostedContent {
        content(of: purchase.transaction)
    }

    /// Downloads what the App Store hosts for a transaction. See ``content(of:)-(StorePurchase)``.
    public func content(of transaction: StoreTransaction) -> HostedContent {
        HostedContent(token: transaction.token, core: core)
    }

    /// Starts downloads that wait, and once more those that failed. Returns when the queue has been told.
    /// - Throws: ``StoreError/Code/transactionFinished`` when one of them belongs to a transaction that is finished, and
    ///   ``StoreError/Code/transactionUnknown`` when to one of another store; nothing is started then.
    public func startDownloads(_ downloads: [StoreDownload]) async throws(StoreError) {
        try await control(.start, downloads)
    }

    /// Halts downloads that run. Throws as ``startDownloads(_:)`` does.
    public func pauseDownloads(_ downloads: [StoreDownload]) async throws(StoreError) {
        try await control(.pause, downloads)
    }

    /// Lets downloads go on that were halted. Throws as ``startDownloads(_:)`` does.
    public func resumeDownloads(_ downloads: [StoreDownload]) async throws(StoreError) {
        try await control(.resume, downloads)
    }

    /// Withdraws downloads for good: they cannot be started again for this transaction. Throws as ``startDownloads(_:)`` does.
    public func cancelDownloads(_ downloads: [StoreDownload]) async throws(StoreError) {
        try await control(.cancel, downloads)
    }

    private func control(_ command: DownloadCommand, _ downloads: [StoreDownload]) async throws(StoreError) {
        let ids = downloads.map(\.id)
        try await core.ask { .controlDownloads(command, ids, $0) }
    }
}
