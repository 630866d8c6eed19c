#if !os(visionOS)
    import AsyncStoreKit
    import StoreKit

    /// The closure that receives changed downloads.
    // @unchecked because: the closure is called only on the main queue or by the code that set it.
    struct DownloadsHandler: @unchecked Sendable {
        let id: CallID
        let handle: ([SKDownload]) -> Void
    }

    /// Downloads that are sent to the main queue.
    // @unchecked because: only the payment queue changes the downloads, and the queue is thread-safe.
    struct DownloadBatch: @unchecked Sendable {
        let downloads: [SKDownload]
    }
#else
    /// visionOS has no hosted content, and therefore no handler.
    struct DownloadsHandler: Sendable {}
#endif
