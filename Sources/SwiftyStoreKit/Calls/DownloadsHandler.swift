#if !os(visionOS)
    import AsyncStoreKit
    import StoreKit

    /// The closure that receives changed downloads.
    // @unchecked because: the closure is called only on the main queue or by the code that set it.
    struct DownloadsHandler: @unchecked Sendable {
        let handle: ([SKDownload]) -> Void
    }

    /// Downloads that are sent to the main queue, with their reported states.
    // @unchecked because: only the payment queue changes the downloads, and the queue is thread-safe.
    struct DownloadBatch: @unchecked Sendable {
        let reported: [(download: SKDownload, state: StoreDownload.State)]

        /// The downloads that still have their reported state. The others are reported again.
        var current: [SKDownload] {
            reported.filter { StoreDownload.State($0.download.state) == $0.state }.map(\.download)
        }
    }
#else
    /// visionOS has no hosted content, and therefore no handler.
    struct DownloadsHandler: Sendable {}
#endif
