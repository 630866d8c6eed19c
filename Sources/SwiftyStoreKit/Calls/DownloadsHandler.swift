#if !os(visionOS)
    import AsyncStoreKit
    import StoreKit

    /// The closure that is told how downloads move on.
    // @unchecked because: the closure is only ever called on the main queue, or by who set it.
    struct DownloadsHandler: @unchecked Sendable {
        let id: CallID
        let handle: ([SKDownload]) -> Void
    }

    /// Downloads on their way to the main queue.
    // @unchecked because: nobody changes the downloads but the queue, which is thread-safe.
    struct DownloadBatch: @unchecked Sendable {
        let downloads: [SKDownload]
    }
#else
    /// visionOS has no hosted content, so that there is nothing to be told.
    struct DownloadsHandler: Sendable {}
#endif
