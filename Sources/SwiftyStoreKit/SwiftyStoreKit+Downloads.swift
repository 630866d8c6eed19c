#if !os(visionOS)
    public import StoreKit

    /// Is told how downloads move on.
    public typealias UpdatedDownloadsHandler = (_ downloads: [SKDownload]) -> Void

    extension SwiftyStoreKit {
        /// Is told on the main queue how downloads of hosted content move on.
        #if !QuietLegacy
            @available(*, deprecated, message: "Use for await download in PurchaseStore.downloads, or PurchaseStore.content(of:).")
        #endif
        public static var updatedDownloadsHandler: UpdatedDownloadsHandler? {
            get { legacy.updatedDownloadsHandler }
            set { legacy.updatedDownloadsHandler = newValue }
        }

        /// Starts downloads. Those of transactions that are finished are left alone, here and in the other three functions.
        #if !QuietLegacy
            @available(*, deprecated, message: "Use try await PurchaseStore.startDownloads(_:), or PurchaseStore.content(of:).")
        #endif
        public class func start(_ downloads: [SKDownload]) {
            legacy.start(downloads)
        }

        /// Halts downloads that run.
        #if !QuietLegacy
            @available(*, deprecated, message: "Use try await PurchaseStore.pauseDownloads(_:).")
        #endif
        public class func pause(_ downloads: [SKDownload]) {
            legacy.pause(downloads)
        }

        /// Lets downloads go on that were halted.
        #if !QuietLegacy
            @available(*, deprecated, message: "Use try await PurchaseStore.resumeDownloads(_:).")
        #endif
        public class func resume(_ downloads: [SKDownload]) {
            legacy.resume(downloads)
        }

        /// Withdraws downloads for good.
        #if !QuietLegacy
            @available(*, deprecated, message: "Use try await PurchaseStore.cancelDownloads(_:).")
        #endif
        public class func cancel(_ downloads: [SKDownload]) {
            legacy.cancel(downloads)
        }
    }
#endif
