/// Content that the App Store hosts for purchases, in ``PurchaseStore/hostedContent``.
///
/// Deprecated by Apple in iOS 16. Works with StoreKit 1 only.
public struct HostedContentDownloads: Sendable {
    let core: StoreCore

    /// Every change of every download.
    ///
    /// Every access is a new subscription. The downloads of a transaction, as they were when the transaction was
    /// reported, are in ``StoreTransaction/downloads``. A transaction with downloads that haven't all ended is never
    /// finished by the store.
    ///
    /// ```swift
    /// try await store.purchase("com.example.maps") { purchase in
    ///     let downloads = purchase.transaction.downloads
    ///     var changes = store.hostedContent.changes.makeAsyncIterator()
    ///     try await store.hostedContent.start(downloads)
    ///     var files: [StoreDownload.ID: URL] = [:]
    ///     while files.count < downloads.count, let download = await changes.next() {
    ///         if let error = download.error { throw error }
    ///         if downloads.contains(where: { $0.id == download.id }) { files[download.id] = download.contentURL }
    ///     }
    ///     try keep(Array(files.values))  // StoreKit deletes them when the transaction is finished.
    /// }
    /// ```
    public var changes: AsyncStream<StoreDownload> {
        core.stream(EventSubscription.downloads) { $0 }
    }

    /// Starts downloads that wait, and those that failed before. Returns when the payment queue has the request.
    /// - Throws: ``StoreError/Code/transactionFinished`` if one of them belongs to a finished transaction,
    ///   ``StoreError/Code/unknownTransaction`` if one belongs to another store, and
    ///   ``StoreError/Code/unsupported`` over StoreKit 2, which has no hosted content. Nothing is started then.
    public func start(_ downloads: [StoreDownload]) async throws(StoreError) {
        try await control(.start, downloads)
    }

    /// Pauses downloads that run.
    /// - Throws: What ``start(_:)`` throws.
    public func pause(_ downloads: [StoreDownload]) async throws(StoreError) {
        try await control(.pause, downloads)
    }

    /// Resumes paused downloads.
    /// - Throws: What ``start(_:)`` throws.
    public func resume(_ downloads: [StoreDownload]) async throws(StoreError) {
        try await control(.resume, downloads)
    }

    /// Cancels downloads. They can't be started again for their transaction.
    /// - Throws: What ``start(_:)`` throws.
    public func cancel(_ downloads: [StoreDownload]) async throws(StoreError) {
        try await control(.cancel, downloads)
    }

    private func control(_ command: DownloadCommand, _ downloads: [StoreDownload]) async throws(StoreError) {
        guard core.backend.hostedContent != nil else {
            throw StoreError(
                .unsupported,
                "The store's engine has no hosted content. Use StoreKit 1: StoreConfiguration(engine: .storeKit1).")
        }
        let ids = downloads.map(\.id)
        try await core.ask { $0.controlDownloads(command, ids, $1) }
    }
}

extension PurchaseStore {
    /// Content that the App Store hosts for purchases. Deprecated by Apple in iOS 16. Works with StoreKit 1 only.
    public var hostedContent: HostedContentDownloads { HostedContentDownloads(core: core) }
}
